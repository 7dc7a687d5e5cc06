/*
 * partition.c - coordinate partitioning: dependent coordinates and velocities from
 * independent ones (Corner, Sandu, Sandu 2019, (71), (73)-(74), (86)-(87)).
 *
 *     Phi(t, q) = 0                 determines q_dep    by Newton
 *     v_dep = R v_dof - Phi_qdep^-1 Phi_t,  R = -Phi_qdep^-1 Phi_qdof
 *     Phi_qdep Q_dep = -(Phi_qdof Q_dof + Phi_s S + Phi_rho),  V_dep from Phid = 0 alike
 *
 * At velocity level d Phid/dv = Phi_q + Phi_s f_s,v takes the place of Phi_q. QR with
 * column pivoting of Phi_q (linear/rank.h), coordinates in their units (linear/units.h),
 * decides which coordinates are dependent. Velocity-level rows restrict velocities only:
 * with such rows, or with another matrix, the dependent velocities are a choice of their
 * own, from all rows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/largest.h"
#include "base/memory.h"
#include "base/tolerances.h"
#include "linear/dense_lu.h"
#include "linear/rank.h"
#include "projection/projection.h"
#include "projection/rows.h"
#include "projection/solved_projection.h"

enum { MOST_STEPS = 40 };

/* The dependent coordinates (or velocities), and LU of their columns. */
struct choice {
    int *index;             /* [rows] dependent ones, increasing */
    int *place;             /* [n] place of a coordinate in `index`; -1: independent */
    struct dense_lu factor; /* factors of their columns, in units */
    double pivot;           /* the least pivot, relative to the size of its row */
};

/* Positions, or velocities, with the rows that restrict them. */
struct level {
    struct rows rows;
    struct rank_qr qr;
    double *unit;           /* [n + rows] of coordinates and rows (projection/rows.h) */
    double *size;           /* [rows] largest entries, in these units */
    struct choice *used, *candidate;    /* the two of `choice` */
    struct choice choice[2];
};

struct partition {
    struct constraints *constraints;
    int *all;                           /* [m] 0, 1, 2 .. */
    struct level level[2];
    int levels;                         /* 2 if there are velocity-level rows, or two
                                           matrices; else 1 */
    struct level *position, *velocity;  /* the first level, and the last */
    double *A;                          /* [m*max(n,m)] rows of a matrix, or a block */
    double *solution;                   /* [m] scratch */
    double *x0, *step;                  /* [n] start of an iteration, its next step */
    struct solved_projection **program; /* [programs] of all choices so far: a run has the
                                           same ones whatever was run before */
    int programs, room;
    struct solved_projection *solved;   /* that of the choice used, or NULL */
    bool used;                          /* the state last projected is by `solved` */
    struct arena arena;                 /* memory of all arrays, those of the levels,
                                           too */
};

/* --- work space --------------------------------------------------------------------- */

static void level_init(struct level *level, struct arena *arena, int count,
                       const int *index, const struct constraint_matrix *matrix, int n)
{
    level->rows = (struct rows){count, index, matrix};
    level->used = &level->choice[0];
    level->candidate = &level->choice[1];
    rank_qr_init(&level->qr, count, n);
    level->unit = arena_new(arena, n + count, sizeof *level->unit);
    level->size = arena_new(arena, count, sizeof *level->size);
    for (int k = 0; k < 2; k++) {
        level->choice[k].index = arena_new(arena, count, sizeof(int));
        level->choice[k].place = arena_new(arena, n, sizeof(int));
        dense_lu_init(&level->choice[k].factor, count);
    }
}

static void level_clear(struct level *level)
{
    rank_qr_clear(&level->qr);
    for (int k = 0; k < 2; k++)
        dense_lu_clear(&level->choice[k].factor);
}

static void *partition_alloc(struct constraints *c)
{
    struct partition *p = memory_new(1, sizeof *p);
    p->constraints = c;
    p->all = arena_new(&p->arena, c->m, sizeof *p->all);
    for (int i = 0; i < c->m; i++)
        p->all[i] = i;
    p->levels = c->rows < c->m || !constraints_one_matrix(c) ? 2 : 1;
    p->position = &p->level[0];
    p->velocity = &p->level[p->levels - 1];
    level_init(p->position, &p->arena, c->rows, c->row, &c->Phi_q, c->n);
    if (p->levels == 2)
        level_init(p->velocity, &p->arena, c->m, p->all, &c->Phid_v, c->n);
    p->A = arena_new(&p->arena, c->m * (c->n > c->m ? c->n : c->m), sizeof *p->A);
    p->solution = arena_new(&p->arena, c->m, sizeof *p->solution);
    p->x0 = arena_new(&p->arena, c->n, sizeof *p->x0);
    p->step = arena_new(&p->arena, c->n, sizeof *p->step);
    return p;
}

static void partition_release(void *work)
{
    struct partition *p = work;
    for (int k = 0; k < p->levels; k++)
        level_clear(&p->level[k]);
    for (int k = 0; k < p->programs; k++)
        solved_projection_free(p->program[k]);
    free(p->program);
    arena_free(&p->arena);
    free(p);
}

/* --- the choice --------------------------------------------------------------------- */

static int increasing(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void find_places(struct choice *choice, int count, int n)
{
    for (int j = 0; j < n; j++)
        choice->place[j] = -1;
    for (int k = 0; k < count; k++)
        choice->place[choice->index[k]] = k;
}

/* Makes the candidate the best choice at the point last evaluated. RANK_LOSS: there is no
   choice. */
static enum status choose(struct partition *p, struct level *level)
{
    int count = level->rows.count, n = p->constraints->n;
    int *index = level->candidate->index;
    if (count > n)
        return RANK_LOSS;
    rows_units_where_uneven(p->constraints, &level->rows, p->step, level->unit);
    for (int i = 0; i < count; i++) {
        double *row = p->A + i * n;
        constraints_row(p->constraints, level->rows.matrix, level->rows.index[i], row);
        for (int j = 0; j < n; j++)
            row[j] *= level->unit[j];
    }
    rank_qr_factor(&level->qr, p->A, n, 1);
    if (level->qr.rank < count)
        return RANK_LOSS;
    for (int k = 0; k < count; k++)
        index[k] = (int)gsl_permutation_get(level->qr.column, (size_t)k);
    qsort(index, (size_t)count, sizeof *index, increasing);
    find_places(level->candidate, count, n);
    return OK;
}

/* Row i of the matrix of a level, in units: the dependent columns to `row` [count].
   Returns the largest entry of the whole row. */
static double take_row(const struct partition *p, const struct level *level,
                       const struct choice *choice, int i, double *row)
{
    const struct constraint_matrix *matrix = level->rows.matrix;
    int index = level->rows.index[i];
    double size = 0, unit = level->unit[p->constraints->n + i];
    for (int k = matrix->at->begin[index]; k < matrix->at->begin[index + 1]; k++) {
        int j = matrix->at->column[k];
        double entry = constraints_entry(p->constraints, matrix, k) *
                       (unit * level->unit[j]);
        size = larger(size, fabs(entry));
        if (choice->place[j] >= 0)
            row[choice->place[j]] = entry;
    }
    return size;
}

static enum status factor_choice(struct partition *p, const struct level *level,
                                 struct choice *choice)
{
    int count = level->rows.count;
    rows_units_where_uneven(p->constraints, &level->rows, p->step, level->unit);
    memset(p->A, 0, (size_t)(count * count) * sizeof *p->A);
    for (int i = 0; i < count; i++)
        level->size[i] = take_row(p, level, choice, i, p->A + i * count);
    bool regular = dense_lu_matrix(&choice->factor, p->A);
    choice->pivot = regular ? dense_lu_least_pivot(&choice->factor, level->size) : 0;
    return choice->pivot > partition_half ? OK : RANK_LOSS;
}

static void adopt(struct level *level)
{
    struct choice *candidate = level->candidate;
    level->candidate = level->used;
    level->used = candidate;
}

/* The factor by which a choice turns an error of an independent coordinate into one of a
   dependent coordinate: the largest entry of Phi_qdep^-1 Phi_qdof, or of the same at
   velocity level. */
static double growth(struct partition *p, const struct level *level,
                     const struct choice *choice)
{
    int count = level->rows.count;
    double largest = 0;
    for (int j = 0, dependent = 0; j < p->constraints->n; j++) {
        if (dependent < count && choice->index[dependent] == j) {
            dependent++;
            continue;
        }
        for (int i = 0; i < count; i++)
            p->solution[i] = rows_entry(p->constraints, &level->rows, i, j) *
                             (level->unit[p->constraints->n + i] * level->unit[j]);
        dense_lu_solve(&choice->factor, p->solution);
        for (int i = 0; i < count; i++)
            largest = larger(largest, fabs(p->solution[i]));
    }
    return largest;
}

/* --- solved beforehand -------------------------------------------------------------- */

/* The rows of a level and its dependent coordinates, each pivot of the factors a row and
   a coordinate. row, moved [rows] */
static struct projected_level level_of(const struct level *level, int *row, int *moved)
{
    const struct dense_lu *factor = &level->used->factor;
    int count = level->rows.count;
    for (int k = 0; k < count; k++) {
        row[k] = level->rows.index[gsl_permutation_get(factor->permutation, (size_t)k)];
        moved[k] = level->used->index[factor->order[k]];
    }
    return (struct projected_level){count, row, count, moved};
}

static struct solved_projection *find_program(struct partition *p,
                                              const struct projected_level level[2])
{
    for (int k = 0; k < p->programs; k++)
        if (solved_projection_is_of(p->program[k], level))
            return p->program[k];
    struct solved_projection *made = solved_projection_new(p->constraints, false, level);
    if (!made)
        return NULL;
    p->program = memory_grow(p->program, &p->room, p->programs + 1, sizeof *p->program);
    p->program[p->programs++] = made;
    return made;
}

/* Takes the program of the choice used, whose factors are those of this state. */
static void take_program(struct partition *p, double t, const double *q, const double *v,
                         const double *s)
{
    int m = p->constraints->m;
    int *place = memory_new(4 * m, sizeof *place);
    const struct projected_level level[2] = {
        level_of(p->position, place, place + m),
        level_of(p->velocity, place + 2 * m, place + 3 * m)};
    p->solved = find_program(p, level);
    if (p->solved && !solved_projection_restart(p->solved, t, q, v, s))
        p->solved = NULL;
    free(place);
}

/* --- the choice reviewed ------------------------------------------------------------ */

/* Evaluates and factorises at a point. */
static enum status evaluate(struct partition *p, double t, const double *q,
                            const double *v, const double *s)
{
    constraints_at(p->constraints, t, q, v, s);
    if (!rows_finite(p->constraints, q, v))
        return NOT_FINITE;
    enum status status = OK;
    for (int k = 0; k < p->levels && status == OK; k++)
        status = factor_choice(p, &p->level[k], p->level[k].used);
    return status;
}

/* A choice is kept until its errors grow twice as much as those of the best choice. For a
   pendulum this is 35 degrees from where the dependent coordinate is not determined. A
   new choice costs nothing, for the state is on the constraints with either; but two
   choices that are equally good must not alternate. (Kept until 16 times,
   two-link-absolute loses two digits.) A choice whose errors do not grow is good enough
   whatever is best. */
static void partition_review(void *work, double t, const double *q, const double *v,
                             const double *s)
{
    static const double kept_until = 2;
    struct partition *p = work;
    bool adopted = false;
    if (evaluate(p, t, q, v, s) != OK)
        return;
    for (int k = 0; k < p->levels; k++) {
        struct level *level = &p->level[k];
        struct choice *used = level->used, *candidate = level->candidate;
        size_t size = (size_t)level->rows.count * sizeof *used->index;
        if (growth(p, level, used) <= 1)
            continue;
        if (choose(p, level) != OK || memcmp(used->index, candidate->index, size) == 0 ||
            factor_choice(p, level, candidate) != OK)
            continue;
        if (growth(p, level, used) > kept_until * growth(p, level, candidate)) {
            adopt(level);
            adopted = true;
        }
    }
    if (adopted)
        take_program(p, t, q, v, s);
    else if (p->solved)
        solved_projection_review(p->solved);
}

static enum status partition_restart(void *work, double t, const double *q,
                                     const double *v, const double *s)
{
    struct partition *p = work;
    constraints_at(p->constraints, t, q, v, s);
    if (!rows_finite(p->constraints, q, v))
        return NOT_FINITE;
    enum status status = OK;
    for (int k = 0; k < p->levels && status == OK; k++) {
        status = choose(p, &p->level[k]);
        if (status == OK)
            status = factor_choice(p, &p->level[k], p->level[k].candidate);
        if (status == OK)
            adopt(&p->level[k]);
    }
    p->solved = NULL;
    p->used = false;
    if (status == OK)
        take_program(p, t, q, v, s);
    return status;
}

/* --- choices made again ------------------------------------------------------------- */

/* The dependent coordinates of each level. */
static int partition_choice(const void *work, int *index)
{
    const struct partition *p = work;
    int count = 0;
    for (int k = 0; k < p->levels; k++) {
        const struct level *level = &p->level[k];
        if (index)
            memory_copy(index + count, level->used->index, level->rows.count,
                        sizeof *index);
        count += level->rows.count;
    }
    return count;
}

static enum status partition_choose(void *work, const int *index, double t,
                                    const double *q, const double *v, const double *s)
{
    struct partition *p = work;
    bool same = p->solved != NULL;
    for (int k = 0; k < p->levels; k++) {
        struct level *level = &p->level[k];
        size_t size = (size_t)level->rows.count * sizeof *index;
        same = same && memcmp(level->used->index, index, size) == 0;
        memory_copy(level->used->index, index, level->rows.count, sizeof *index);
        find_places(level->used, level->rows.count, p->constraints->n);
        index += level->rows.count;
    }
    enum status status = evaluate(p, t, q, v, s);
    if (status == OK && !same)
        take_program(p, t, q, v, s);
    return status;
}

static void partition_renew(void *work)
{
    struct partition *p = work;
    for (int k = 0; k < p->levels; k++)
        for (int c = 0; c < 2; c++) {
            struct level *level = &p->level[k];
            memset(level->choice[c].index, 0, (size_t)level->rows.count * sizeof(int));
            memset(level->choice[c].place, 0, (size_t)p->constraints->n * sizeof(int));
        }
    p->solved = NULL;
    p->used = false;
}

/* --- the state ---------------------------------------------------------------------- */

/* step [n]: the changes of dependent components of x by which a residual, linear in
   these, vanishes. */
static void solve(struct partition *p, const struct level *level, int output)
{
    memset(p->step, 0, (size_t)p->constraints->n * sizeof *p->step);
    for (int i = 0; i < level->rows.count; i++)
        p->solution[i] = -rows_value(p->constraints, &level->rows, output, i) *
                         level->unit[p->constraints->n + i];
    dense_lu_solve(&level->used->factor, p->solution);
    for (int i = 0; i < level->rows.count; i++) {
        int j = level->used->index[i];
        p->step[j] = p->solution[i] * level->unit[j];
    }
}

/* Adds the step to dependent components only: x + 0 is not x where x is -0. */
static void move(const struct partition *p, const struct level *level, double *x)
{
    for (int i = 0; i < level->rows.count; i++)
        x[level->used->index[i]] += p->step[level->used->index[i]];
}

/* Newton iteration for the dependent coordinates, from their values in q. */
static enum status positions(struct partition *p, double t, double *q, const double *v,
                             const double *s)
{
    const struct constraints *c = p->constraints;
    const struct level *level = p->position;
    double before = INFINITY;
    memory_copy(p->x0, q, c->n, sizeof *q);
    for (int k = 0; k < MOST_STEPS; k++) {
        enum status status = evaluate(p, t, q, v, s);
        if (status != OK)
            return status;
        solve(p, level, c->Phi);
        double distance = rows_distance(c, &level->rows, c->Phi, p->x0, q, p->step);
        enum progress progress = rows_progress(distance, before, distance);
        if (progress == ARRIVED)
            return OK;
        if (progress == STUCK)
            return NO_CONVERGENCE;
        move(p, level, q);
        if (progress == LAST_STEP)
            return evaluate(p, t, q, v, s);
        before = distance;
    }
    return NO_CONVERGENCE;
}

/* Phid = 0 is linear in v. The second pass corrects the rounding errors of the first, and
   changes v too little to evaluate everything once more. */
static enum status velocities(struct partition *p, double t, const double *q, double *v,
                              const double *s)
{
    struct constraints *c = p->constraints;
    memory_copy(p->x0, v, c->n, sizeof *v);
    for (int pass = 0; pass < 2; pass++) {
        solve(p, p->velocity, c->Phid);
        double distance = rows_distance(c, &p->velocity->rows, c->Phid, p->x0, v,
                                        p->step);
        if (rows_progress(distance, INFINITY, distance) == ARRIVED)
            break;
        move(p, p->velocity, v);
        if (pass == 0)
            constraints_at(c, t, q, v, s);
    }
    return rows_finite(c, q, v) ? OK : NOT_FINITE;
}

static enum status partition_state(void *work, double t, double *q, double *v,
                                   const double *s)
{
    struct partition *p = work;
    p->used = p->solved && !p->constraints->pivots &&
              solved_projection_state(p->solved, t, q, v, s);
    if (p->used)
        return OK;
    enum status status = positions(p, t, q, v, s);
    return status == OK ? velocities(p, t, q, v, s) : status;
}

/* --- a column of sensitivities ------------------------------------------------------ */

static void linearised(struct partition *p, const struct level *level, int output,
                       int parameter, double *Q, double *V, const double *S, double *x)
{
    for (int i = 0; i < level->rows.count; i++)
        x[level->used->index[i]] = 0;
    constraints_along(p->constraints, 0, Q, V, S, parameter);
    solve(p, level, output);
    move(p, level, x);
}

static void partition_column(void *work, int parameter, double *Q, double *V,
                             const double *S)
{
    struct partition *p = work;
    const struct constraints *c = p->constraints;
    if (p->used) {
        solved_projection_column(p->solved, parameter, Q, V, S);
        return;
    }
    linearised(p, p->position, c->Phi_dot, parameter, Q, V, S, Q);
    linearised(p, p->velocity, c->Phid_dot, parameter, Q, V, S, V);
}

const struct projection projection_partition = {
    .name = "coordinate partitioning",
    .title = "dependent coordinates and velocities from the independent ones",
    .source = "Corner, Sandu, Sandu 2019, (71), (73)-(74), (86)-(87)",
    .every_evaluation = true,
    .alloc = partition_alloc,
    .release = partition_release,
    .renew = partition_renew,
    .restart = partition_restart,
    .state = partition_state,
    .column = partition_column,
    .review = partition_review,
    .choice = partition_choice,
    .choose = partition_choose,
};
