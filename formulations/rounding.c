#include "rounding.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "largest.h"

/* Units of the last place, half an epsilon each: 1e-12, and what is zero; and how often
   the bound, which is that of the pivoting solver, for another one. */
enum { WORST_UNKNOWN = 10000, ZERO = 64, ANOTHER = 8 };

struct rounding {
    struct system *system;
    struct mode_system *ms;
    int rows, n;
    bool solved;                /* unknowns are as wrong as solving makes them; else they
                                   are right to the last place */
    double *inverse;            /* [rows*rows] |R_u^-1| */
    double *error;              /* [slots] of the rows of the motion program */
    double *row;                /* [rows] errors of the rows of R, */
    double *unknown;            /* [rows] of a, lambda or of their derivatives */
    double *x;                  /* [rows] a, lambda or their derivatives; scratch */
};

static bool is_coordinate(const struct rounding *r, int k)
{
    return r->ms->unknown[k].block == BLOCK_A;
}

static double matrix_entry(const struct rounding *r, int i, int j)
{
    const struct mode_system *ms = r->ms;
    return ms->w[ms->motion->output[ms->at.R_u + i * r->rows + j]];
}

static double output_error(const struct rounding *r, int k)
{
    return r->error[r->ms->motion->output[k]];
}

/* --- of the unknowns ---------------------------------------------------------------- */

static void invert_matrix(struct rounding *r)
{
    for (int j = 0; j < r->rows; j++) {
        memset(r->x, 0, (size_t)r->rows * sizeof *r->x);
        r->x[j] = 1;
        r->ms->linear->solve(r->ms->factors, r->x);
        for (int i = 0; i < r->rows; i++)
            r->inverse[i * r->rows + j] = fabs(r->x[i]);
    }
}

static void solve(struct rounding *r)
{
    for (int i = 0; i < r->rows; i++) {
        r->unknown[i] = 0;
        for (int j = 0; j < r->rows; j++)
            r->unknown[i] += r->inverse[i * r->rows + j] * r->row[j];
    }
}

/* --- of the rows of the program ----------------------------------------------------- */

static double error_of_unknown(const struct rounding *r, int block, int index)
{
    for (int k = 0; k < r->rows; k++)
        if ((int)r->ms->unknown[k].block == block && r->ms->unknown[k].index == index)
            return r->unknown[k];
    return 0;
}

/* Copy 0: values; 1: those along a direction. */
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

static void pass_on(struct rounding *r, int first, int last)
{
    for (int stage = first; stage <= last; stage++)
        program_rounding(r->ms->motion, stage, r->ms->w, r->error);
}

/* a as a whole, s', z' one by one, or their derivatives. */
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

/* R at u has all that u is solved from, at its size. */
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

/* Row i of R_u du, with what its entries are off by. */
static double error_of_product(const struct rounding *r, int i)
{
    double error = 0;
    for (int j = 0; j < r->rows; j++) {
        double entry = output_error(r, r->ms->at.R_u + i * r->rows + j) +
                       DBL_EPSILON * fabs(matrix_entry(r, i, j));
        error += entry * fabs(r->x[j]);
    }
    return error;
}

static void round_column(struct rounding *r, int j, const double *X, double *e)
{
    struct system *system = r->system;
    const struct mode_system *ms = r->ms;
    int n = r->n, ns = system->model->ns;
    struct state_direction column = {
        .q = X, .v = X + n, .s = X + 2 * n, .parameter = system->parameter[j]};
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
        round_column(r, j, x + (j + 1) * state, e + (j + 1) * state + n);
}

/* See WORST_UNKNOWN, ZERO and ANOTHER; last_place [dim] of all rates. */
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

void rounding_of_rates(struct system *system, const double *x, double *e)
{
    struct mode_system *ms = system->now;
    int rows = ms->unknowns, entries = rows * rows, slots = ms->motion->slots;
    double *work = memory_new(entries + 3 * rows + slots + system->dim, sizeof *work);
    struct rounding r = {.system = system, .ms = ms, .rows = rows,
                         .n = system->model->n, .inverse = work, .row = work + entries};
    r.unknown = r.row + rows;
    r.x = r.unknown + rows;
    r.error = r.x + rows;
    double *last_place = r.error + slots;
    invert_matrix(&r);
    round_rates(&r, false, x, last_place);
    round_rates(&r, true, x, e);
    bound(system, last_place, e);
    free(work);
}
