/*
 * trust.c - running error bounds of the rates; see trust.h.
 */
#include "trust.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/largest.h"
#include "base/arena.h"

/* Number of random solutions of large systems, for `probe`. */
enum { PROBES = 16 };

/* WORST_UNKNOWN and ZERO: units of the last place, half an epsilon each (trust.h).
   ANOTHER: multiple of the bound, which is that of the pivoting solver, for another
   one. */
enum { WORST_UNKNOWN = 10000, ZERO = 64, ANOTHER = 8 };

struct rounding {
    struct system *system;
    struct mode_system *ms;
    int rows, n;
    bool solved;                /* unknowns have the error of solving; else they are right
                                   to the last place */
    double *inverse;            /* [rows*rows] |R_u^-1|; NULL: R_u is sparse */
    double *error;              /* [slots] errors of the rows of the motion program */
    double *row;                /* [rows] errors of the rows of R */
    double *unknown;            /* [rows] errors of a, lambda or of their derivatives */
    double *x;                  /* [rows] a, lambda or their derivatives; scratch */
    int *place;                 /* [n + m] places of a and lambda among the unknowns; -1:
                                   none */
    struct arena arena;         /* of all arrays */
};

static bool is_coordinate(const struct rounding *r, int k)
{
    return r->ms->unknown[k].block == BLOCK_A;
}

static double output_error(const struct rounding *r, int k)
{
    return r->error[r->ms->motion->output[k]];
}

/* --- errors of the unknowns --------------------------------------------------------- */

static void invert_matrix(struct rounding *r)
{
    for (int j = 0; j < r->rows; j++) {
        memset(r->x, 0, (size_t)r->rows * sizeof *r->x);
        r->x[j] = 1;
        system_solve_linear(r->ms, r->x);
        for (int i = 0; i < r->rows; i++)
            r->inverse[i * r->rows + j] = fabs(r->x[i]);
    }
}

/* The bound |R_u^-1| row, where the inverse would take n^2: signs of rounding errors are
   as good as random (Higham, Mary 2019), so the largest of some solutions with random
   signs stands for the bound. The signs are the same at every call. */
static void probe(struct rounding *r)
{
    uint64_t random = 1;
    memset(r->unknown, 0, (size_t)r->rows * sizeof *r->unknown);
    for (int k = 0; k < PROBES; k++) {
        for (int i = 0; i < r->rows; i++) {
            random ^= random << 13;     /* Marsaglia 2003 */
            random ^= random >> 7;
            random ^= random << 17;
            r->x[i] = random >> 63 ? r->row[i] : -r->row[i];
        }
        system_solve_linear(r->ms, r->x);
        for (int i = 0; i < r->rows; i++)
            r->unknown[i] = fmax(r->unknown[i], fabs(r->x[i]));
    }
}

static void solve(struct rounding *r)
{
    if (!r->inverse) {
        probe(r);
        return;
    }
    for (int i = 0; i < r->rows; i++) {
        r->unknown[i] = 0;
        for (int j = 0; j < r->rows; j++)
            r->unknown[i] += r->inverse[i * r->rows + j] * r->row[j];
    }
}

/* --- errors of the rows of the program ---------------------------------------------- */

static void find_places(struct rounding *r)
{
    for (int i = 0; i < r->n + r->ms->mode->m; i++)
        r->place[i] = -1;
    for (int k = 0; k < r->rows; k++) {
        const struct unknown *u = &r->ms->unknown[k];
        r->place[(is_coordinate(r, k) ? 0 : r->n) + u->index] = k;
    }
}

static double error_of_unknown(const struct rounding *r, int block, int index)
{
    int k = r->place[(block == BLOCK_A ? 0 : r->n) + index];
    return k >= 0 ? r->unknown[k] : 0;
}

/* Sets the errors of the inputs: of values (copy 0), or along a direction (copy 1). */
static void set_inputs(struct rounding *r, int copy)
{
    const struct program *program = r->ms->motion;
    for (int k = 0; k < program->inputs; k++) {
        const struct program_input *input = &program->input[k];
        int block = input->block - DIRECTION(0, copy);
        if (block < 0 || block >= BLOCKS)
            continue;
        bool unknown = block == BLOCK_A || block == BLOCK_LAMBDA;
        r->error[input->slot] = unknown ? error_of_unknown(r, block, input->index)
                                        : DBL_EPSILON / 2 * fabs(r->ms->w[input->slot]);
    }
}

/* Compiled code leaves out some rows of the stages, all of which are needed here. */
static void pass_on(struct rounding *r, int first, int last)
{
    for (int stage = first; stage <= last; stage++) {
        program_run(r->ms->motion, stage, r->ms->w);
        program_rounding(r->ms->motion, stage, r->ms->w, r->error);
    }
}

/* Gives the error of a as a whole, of s', z' one by one, or of their derivatives. */
static void give(const struct rounding *r, int f_s, int g, double *e)
{
    int n = r->n, ns = r->system->model->ns, nz = r->system->model->nz;
    for (int i = 0; i < n; i++)
        e[i] = error_of_unknown(r, BLOCK_A, i);
    for (int i = 0; i < ns + nz; i++)
        e[n + i] = output_error(r, i < ns ? f_s + i : g + i - ns);
    double a = largest(e, n);
    for (int i = 0; i < n; i++)
        e[i] = a;
}

/* --- values, then derivatives ------------------------------------------------------- */

static void take(struct rounding *r, const double *a, const double *lambda)
{
    for (int k = 0; k < r->rows; k++) {
        int index = r->ms->unknown[k].index;
        r->x[k] = is_coordinate(r, k) ? a[index] : lambda[index];
        r->unknown[k] = r->solved ? 0 : DBL_EPSILON / 2 * fabs(r->x[k]);
    }
}

/* The rows of R at u have all terms that u is solved from, at their size. */
static void round_values(struct rounding *r, double *e)
{
    const struct mode_system *ms = r->ms;
    take(r, r->system->a, r->system->lambda);
    set_inputs(r, 0);
    pass_on(r, 0, STAGE_UNKNOWN);
    for (int i = 0; i < r->rows; i++)
        r->row[i] = output_error(r, ms->at.R + i);
    if (r->solved)
        solve(r);
    set_inputs(r, 0);
    pass_on(r, STAGE_UNKNOWN, STAGE_UNKNOWN);
    give(r, ms->at.f_s, ms->at.g, e);
}

/* The error of row i of R_u du, from the errors of its entries. */
static double error_of_product(const struct rounding *r, int i)
{
    const struct mode_system *ms = r->ms;
    const struct entries *at = ms->linear->alloc_sparse ? &ms->entries : NULL;
    int begin = at ? at->begin[i] : i * r->rows;
    int end = at ? at->begin[i + 1] : (i + 1) * r->rows;
    double error = 0;
    for (int k = begin; k < end; k++) {
        int output = ms->at.R_u + k, j = at ? at->column[k] : k - begin;
        double entry = output_error(r, output) +
                       DBL_EPSILON * fabs(ms->w[ms->motion->output[output]]);
        error += entry * fabs(r->x[j]);
    }
    return error;
}

static void round_column(struct rounding *r, int j, const double *x, double *e)
{
    struct system *system = r->system;
    const struct mode_system *ms = r->ms;
    int n = r->n, ns = system->model->ns;
    const struct state_direction column = system_column(system, x, j);
    system_tangent(system, r->ms, &column, system->a_dot, system->lambda_dot, e + n,
                   e + n + ns);
    take(r, system->a_dot, system->lambda_dot);
    set_inputs(r, 1);
    pass_on(r, STAGE_DIRECTION, STAGE_DIRECTION);
    for (int i = 0; i < r->rows; i++)
        r->row[i] = output_error(r, ms->at.R_dot + i) + error_of_product(r, i);
    if (r->solved)
        solve(r);
    set_inputs(r, 1);
    pass_on(r, STAGE_DIRECTION_UNKNOWN, STAGE_DIRECTION_UNKNOWN);
    give(r, ms->at.f_s_dot, ms->at.g_dot, e);
}

static void round_rates(struct rounding *r, bool solved, const double *x, double *e)
{
    int state = r->system->state, n = r->n;
    r->solved = solved;
    memset(e, 0, (size_t)r->system->dim * sizeof *e);
    round_values(r, e + n);
    for (int j = 0; j < r->system->p; j++)
        round_column(r, j, x, e + (j + 1) * state + n);
}

/* Applies WORST_UNKNOWN, ZERO and ANOTHER; last_place [dim]: errors of all rates if the
   unknowns are right to the last place. */
static void bound(const struct system *system, const double *last_place, double *e)
{
    for (int j = 0; j <= system->p; j++) {
        double rho = j > 0 ? fabs(system->rho[system->parameter[j - 1]]) : 0;
        for (int i = 0; i < system->state; i++) {
            int k = j * system->state + i;
            double zero = rho > 0 ? last_place[i] / rho : 0;
            double most = WORST_UNKNOWN * fmax(last_place[k], zero);
            e[k] = fmax(fmin(ANOTHER * e[k], most), ZERO * zero);
        }
    }
}

void rounding_of_zeros(const struct system *system, double *e)
{
    double last_place = DBL_EPSILON / 2 * largest(system->a, system->model->n);
    memset(e, 0, (size_t)system->dim * sizeof *e);
    for (int j = 0; j < system->p; j++) {
        double rho = fabs(system->rho[system->parameter[j]]);
        double *a = e + (j + 1) * system->state + system->model->n;
        for (int i = 0; i < system->model->n && rho > 0; i++)
            a[i] = ZERO * last_place / rho;
    }
}

void rounding_of_rates(struct system *system, const double *x, double *e)
{
    struct mode_system *ms = system->now;
    int rows = ms->unknowns, n = system->model->n;
    struct rounding r = {.system = system, .ms = ms, .rows = rows, .n = n};
    if (!ms->linear->alloc_sparse && rows > 0)
        r.inverse = arena_new(&r.arena, rows * rows, sizeof *r.inverse);
    r.row = arena_new(&r.arena, rows, sizeof *r.row);
    r.unknown = arena_new(&r.arena, rows, sizeof *r.unknown);
    r.x = arena_new(&r.arena, rows, sizeof *r.x);
    r.error = arena_new(&r.arena, ms->motion->slots, sizeof *r.error);
    r.place = arena_new(&r.arena, n + ms->mode->m, sizeof *r.place);
    double *last_place = arena_new(&r.arena, system->dim, sizeof *last_place);
    find_places(&r);
    if (r.inverse)
        invert_matrix(&r);
    round_rates(&r, false, x, last_place);
    round_rates(&r, true, x, e);
    bound(system, last_place, e);
    arena_free(&r.arena);
}
