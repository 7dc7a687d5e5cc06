/*
 * solved_projection.c - a projection by its program, interpreted or compiled; see
 * solved_projection.h.
 */
#include "projection/solved_projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "base/tolerances.h"
#include "linear/klu.h"

/* --- made --------------------------------------------------------------------------- */

/* Notes where the rows of C of a level have entries. */
static void take_places(struct solved_projection *p, int k, const struct entries *at)
{
    const struct projected_level *level = &p->level[k];
    int entries = 0;
    p->count[k] = arena_new(&p->arena, level->rows, sizeof *p->count[k]);
    for (int i = 0; i < level->rows; i++) {
        p->count[k][i] = at->begin[level->row[i] + 1] - at->begin[level->row[i]];
        entries += p->count[k][i];
    }
    int *column = p->column[k] = arena_new(&p->arena, entries, sizeof *column);
    for (int i = 0; i < level->rows; column += p->count[k][i++])
        memory_copy(column, at->column + at->begin[level->row[i]], p->count[k][i],
                    sizeof *column);
    p->entries[k] = entries;
}

static void take_level(struct solved_projection *p, int k,
                       const struct projected_level *level)
{
    int *row = arena_new(&p->arena, level->rows, sizeof *row);
    int *moved = arena_new(&p->arena, level->moves, sizeof *moved);
    memory_copy(row, level->row, level->rows, sizeof *row);
    memory_copy(moved, level->moved, level->moves, sizeof *moved);
    p->level[k] = (struct projected_level){level->rows, row, level->moves, moved};
}

static bool same_level(const struct projected_level *a, const struct projected_level *b)
{
    return a->rows == b->rows &&
           memcmp(a->row, b->row, (size_t)a->rows * sizeof *a->row) == 0 &&
           memcmp(a->moved, b->moved, (size_t)a->moves * sizeof *a->moved) == 0;
}

bool solved_projection_is_of(const struct solved_projection *p,
                             const struct projected_level level[2])
{
    return same_level(&p->level[0], &level[0]) && same_level(&p->level[1], &level[1]);
}

struct solved_projection *solved_projection_new(struct constraints *constraints,
                                                bool by_mass,
                                                const struct projected_level level[2])
{
    if (constraints->m + (by_mass ? constraints->n : 0) >= SPARSE_FROM)
        return NULL;
    struct solved_projection *p = memory_new(1, sizeof *p);
    p->constraints = constraints;
    p->n = constraints->n;
    p->by_mass = by_mass;
    for (int k = 0; k < 2; k++)
        take_level(p, k, &level[k]);
    take_places(p, 0, constraints->Phi_q.at);
    take_places(p, 1, constraints->Phid_v.at);
    bool one = constraints_one_matrix(constraints) && same_level(&level[0], &level[1]);
    p->levels = one ? 1 : 2;
    if (!projection_formulas(p)) {
        solved_projection_free(p);
        return NULL;
    }
    p->w = arena_new(&p->arena, p->program->slots, sizeof *p->w);
    p->first = arena_new(&p->arena, p->pivots, sizeof *p->first);
    p->least = arena_new(&p->arena, p->pivots, sizeof *p->least);
    p->x0 = arena_new(&p->arena, p->n, sizeof *p->x0);
    p->moved = arena_new(&p->arena, p->n + level[0].rows, sizeof *p->moved);
    p->size = arena_new(&p->arena, constraints->m, sizeof *p->size);
    p->largest = arena_new(&p->arena, constraints->m, sizeof *p->largest);
    program_init(p->program, p->w);
    tiered_program_init(&p->code, p->program, p->w);
    return p;
}

void solved_projection_free(struct solved_projection *p)
{
    if (!p)
        return;
    if (p->program)
        tiered_program_clear(&p->code);
    program_free(p->program);
    arena_free(&p->arena);
    free(p);
}

/* --- steps -------------------------------------------------------------------------- */

static void run(struct solved_projection *p, int stage)
{
    tiered_program_run(&p->code, stage, p->w);
}

/* Loads a point, and the parameters of the constraints unless they are there. */
static void load_point(struct solved_projection *p, double t, const double *q,
                       const double *v, const double *s)
{
    const struct constraints *c = p->constraints;
    if (p->settings != c->settings || p->rho != c->rho) {
        program_set_parameters(p->program, c->rho, p->w);
        p->settings = c->settings;
        p->rho = c->rho;
    }
    tiered_program_load_point(&p->code, 0, t, q, v, s, p->w);
}

static double output(const struct solved_projection *p, int k)
{
    return p->w[p->program->output[k]];
}

/* The larger of two numbers; one that is none is found at the end of a projection. */
static double most_of(double a, double b)
{
    return a > b ? a : b;
}

/* Finds the sizes of the rows of a level at x [n], sum_j |C_ij x_j|; a row that is
   negligible beside the others has the size of what is (rows_distance). */
static void find_sizes(const struct solved_projection *p, int k, const double *x)
{
    const int *entry = p->program->output + p->at[k].entry, *column = p->column[k];
    const double *w = p->w;
    int rows = p->level[k].rows;
    double most = 0;
    for (int i = 0; i < rows; i++) {
        double size = 0, largest = 0;
        const int *end = entry + p->count[k][i];
        while (entry < end) {
            double C = w[*entry++];
            size += fabs(C * x[*column++]);
            largest = most_of(fabs(C), largest);
        }
        p->size[i] = size;
        p->largest[i] = largest;
        most = size > most * largest ? size / largest : most;
    }
    for (int i = 0; i < rows; i++)
        p->size[i] = most_of(p->size[i], rows_negligible * most * p->largest[i]);
}

/* The largest residual of a level against the size of its row; NAN: one is not finite. */
static double distance(const struct solved_projection *p, int k)
{
    double worst = 0;
    for (int i = 0; i < p->level[k].rows; i++) {
        double r = fabs(output(p, p->at[k].residual + i));
        if (!(r < INFINITY))
            return NAN;
        if (r > 0)
            worst = most_of(r / p->size[i], worst);
    }
    return worst;
}

/* The largest sum_j |C_ij dq_j| of a step of all coordinates against the size of its row:
   in the metric of M a state on the constraints moves along them, too. */
static double length_of_step(const struct solved_projection *p)
{
    const int *entry = p->program->output + p->at[0].entry, *column = p->column[0];
    const int *step = p->program->output + p->at[0].step;
    double worst = 0;
    for (int i = 0; i < p->level[0].rows; i++) {
        double sum = 0;
        for (int end = p->count[0][i]; end > 0; end--, entry++, column++)
            sum += fabs(p->w[*entry] * p->w[step[*column]]);
        if (sum > 0)
            worst = most_of(sum / p->size[i], worst);
    }
    return worst;
}

static void move(const struct solved_projection *p, int k, int first, double *x)
{
    const struct projected_level *level = &p->level[k];
    for (int j = 0; j < level->moves; j++)
        x[level->moved[j]] += output(p, first + j);
}

/* A step that is more than this leaves rounding that a second step takes away. */
static const double long_step = 1e-3;
/* A residual of Phi that falls no more counts as rounding if it is no more than this. */
static const double rounding = 1e-14;

/* --- the state ---------------------------------------------------------------------- */

/* Makes the next step from q, which has moved by `moved`. */
static void position_step(struct solved_projection *p)
{
    run(p, STAGE_STATE);
    if (p->by_mass) {
        program_load(p->program, BLOCK_ITERATED, p->moved, p->w);
        run(p, STAGE_UNKNOWN);
    }
}

static void note_moved(struct solved_projection *p, const double *q)
{
    int n = p->n, rows = p->level[0].rows;
    if (!p->by_mass)
        return;
    for (int j = 0; j < n; j++)
        p->moved[j] = q[j] - p->x0[j];
    for (int i = 0; i < rows; i++)
        p->moved[n + i] += output(p, p->at[0].step + n + i);
}

/* Newton's method, with the matrix of each point; in the metric of M the curvature is
   left out. Ends where a step is rounding, which is not made. */
static bool positions(struct solved_projection *p, double *q)
{
    enum { MOST_STEPS = 8 };
    double before = 1;
    memcpy(p->x0, q, (size_t)p->n * sizeof *q);
    memset(p->moved, 0, (size_t)(p->n + p->level[0].rows) * sizeof *p->moved);
    for (int k = 0; k < MOST_STEPS; k++) {
        position_step(p);
        if (k == 0)
            find_sizes(p, 0, q);
        double length = distance(p, 0);
        if (p->by_mass)
            length = most_of(length_of_step(p), length);
        if (length <= rows_arrived)
            return true;
        if (!(length <= before / 2))
            return length <= rounding;
        before = length;
        move(p, 0, p->at[0].step, q);
        note_moved(p, q);
        program_load(p->program, BLOCK_Q, q, p->w);
    }
    return false;
}

/* Phid = 0 is linear in v. The rows at the v found are those that columns need. */
static bool velocities(struct solved_projection *p, double *v)
{
    bool more = true;
    run(p, STAGE_SOLUTION);
    for (int pass = 0; pass < 2 && more; pass++) {
        find_sizes(p, 1, v);
        double length = distance(p, 1);
        if (!(length < INFINITY))
            return false;
        if (length <= rows_arrived)
            return true;
        move(p, 1, p->at[1].step, v);
        program_load(p->program, BLOCK_V, v, p->w);
        run(p, STAGE_SOLUTION);
        more = length > long_step;
    }
    return true;
}

static bool in_doubt(const struct solved_projection *p)
{
    for (int k = 0; k < p->pivots; k++)
        if (!(fabs(output(p, p->at[0].pivot + k)) >= p->least[k]))
            return true;
    return false;
}

bool solved_projection_state(struct solved_projection *p, double t, double *q, double *v,
                             const double *s)
{
    size_t size = (size_t)p->n * sizeof *q;
    load_point(p, t, q, v, s);
    if (!positions(p, q)) {
        memcpy(q, p->x0, size);
        return false;
    }
    double *q0 = p->moved;      /* moved is not needed any more */
    memcpy(q0, p->x0, size);
    memcpy(p->x0, v, size);
    if (velocities(p, v) && !in_doubt(p) && all_finite(q, p->n) && all_finite(v, p->n))
        return true;
    memcpy(q, q0, size);
    memcpy(v, p->x0, size);
    return false;
}

/* --- columns ------------------------------------------------------------------------ */

/* Makes a step of X [n]. Is it a long one? */
static bool column_step(struct solved_projection *p, int k, int stage, double *X)
{
    const struct projected_level *level = &p->level[k];
    const int *step = p->program->output + p->at[k].column;
    const double *w = p->w;
    double longest = 0, size = 0;
    run(p, stage);
    for (int j = 0; j < level->moves; j++) {
        double change = w[step[j]], *moved = &X[level->moved[j]];
        *moved += change;
        longest = most_of(fabs(change), longest);
        size = most_of(fabs(*moved), size);
    }
    return longest > long_step * size;
}

void solved_projection_column(struct solved_projection *p, int parameter, double *Q,
                              double *V, const double *S)
{
    bool more = true;
    for (int pass = 0; pass < 2 && more; pass++) {
        tiered_program_load_point(&p->code, 1, 0, Q, V, S, p->w);
        program_seed_parameter(p->program, parameter, p->w);
        bool positions = column_step(p, 0, STAGE_DIRECTION, Q);
        bool velocities = column_step(p, 1, STAGE_DIRECTION_UNKNOWN, V);
        more = positions || velocities;
    }
}

/* --- pivots ------------------------------------------------------------------------- */

static void note_pivots(struct solved_projection *p)
{
    static const double much_smaller = 0.25;
    for (int k = 0; k < p->pivots; k++)
        p->least[k] = much_smaller * fabs(output(p, p->at[0].pivot + k));
}

/* Is no pivot small against its row? The order of the pivots was chosen by their number
   of operations. */
static bool is_stable(const struct solved_projection *p)
{
    static const double small = 1e-3;
    for (int k = 0; k < p->levels && !p->by_mass; k++) {
        find_sizes(p, k, p->x0);
        for (int i = 0; i < p->level[k].rows; i++)
            if (!(fabs(output(p, p->at[k].pivot + i)) >
                  small * p->largest[i]))
                return false;
    }
    return true;
}

bool solved_projection_restart(struct solved_projection *p, double t, const double *q,
                               const double *v, const double *s)
{
    tiered_program_use_code(&p->code, p->constraints->use);
    load_point(p, t, q, v, s);
    run(p, STAGE_STATE);
    run(p, STAGE_SOLUTION);
    note_pivots(p);
    for (int k = 0; k < p->pivots; k++)
        p->first[k] = fabs(output(p, p->at[0].pivot + k));
    return is_stable(p);
}

void solved_projection_review(struct solved_projection *p)
{
    static const double too_small = 1e-4;
    for (int k = 0; k < p->pivots; k++)
        if (!(fabs(output(p, p->at[0].pivot + k)) > too_small * p->first[k]))
            return;
    note_pivots(p);
}
