/*
 * reset.c - the reset of an event: its program, Newton's method, tangents, and impulses
 * of least norm.
 */
#include "events/reset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "base/tolerances.h"
#include "formula/diff.h"
#include "program/fault.h"

/* --- compiling ---------------------------------------------------------------------- */

/* J_w, with columns in the order w = (q+, v+, s+, impulse). */
static void reset_matrix(const struct model *model, const struct event *event,
                         formula *out)
{
    const struct { int block, size; } part[] = {
        {BLOCK_Q_PLUS, model->n}, {BLOCK_V_PLUS, model->n},
        {BLOCK_S_PLUS, model->ns}, {BLOCK_IMPULSE, event->impulses}};
    for (int i = 0; i < event->rows; i++) {
        formula *row = out + i * event->w;
        for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
            gradient(event->J[i], part[k].block, part[k].size, row);
            row += part[k].size;
        }
    }
}

/* The derivative of Psi_q z with z fixed: rows Psid of J are linear in v+ with the matrix
   Psi_q. */
static void turning_range(const struct model *model, const struct event *event,
                          const bool *all_move, formula *out)
{
    static const bool velocities[BLOCKS] = {[BLOCK_V_PLUS] = true};
    int k = event->impulses;
    formula *Psi_q_z = memory_new(k, sizeof *Psi_q_z);
    tangent(model->tape, event->J + 2 * model->n, k, velocities, 2, Psi_q_z);
    tangent(model->tape, Psi_q_z, k, all_move, 1, out);
    free(Psi_q_z);
}

static void compile(struct reset *reset)
{
    bool before_moves[BLOCKS] = {
        [BLOCK_RHO] = true, [BLOCK_T] = true, [BLOCK_Q] = true, [BLOCK_V] = true,
        [BLOCK_S] = true, [BLOCK_A] = true, [BLOCK_LAMBDA] = true};
    bool all_move[BLOCKS];
    for (int b = 0; b < BLOCKS; b++)
        all_move[b] = true;
    const struct event *event = reset->event;
    const struct model *model = reset->model;
    int rows = event->rows, w = event->w, nz = model->nz;
    int count = 2 * rows + rows * w + 2 * nz + event->impulses;
    formula *f = memory_new(count, sizeof *f);

    reset->J = 0;
    memory_copy(f, event->J, rows, sizeof *f);
    reset->cost = rows;
    memory_copy(f + reset->cost, event->cost, nz, sizeof *f);
    reset->J_w = rows + nz;
    reset_matrix(model, event, f + reset->J_w);
    reset->J_dot = reset->J_w + rows * w;
    tangent(model->tape, event->J, rows, before_moves, 1, f + reset->J_dot);
    reset->cost_dot = reset->J_dot + rows;
    tangent(model->tape, event->cost, nz, all_move, 1, f + reset->cost_dot);
    reset->Psi_q_z_dot = reset->cost_dot + nz;
    turning_range(model, event, all_move, f + reset->Psi_q_z_dot);
    unsigned char stages[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE | BLOCKS_OF_UNKNOWNS,
                   BLOCK_SET(BLOCK_Q_PLUS) | BLOCK_SET(BLOCK_V_PLUS) |
                       BLOCK_SET(BLOCK_S_PLUS) | BLOCK_SET(BLOCK_IMPULSE), stages);
    stages[DIRECTION(BLOCK_V_PLUS, 2)] = STAGE_UNKNOWN;     /* z, see least_impulse.h */
    reset->program = program_seal_derivatives(model->tape, f, count, reset->J_w,
                                              stages, "reset", event->name);
    reset->uses_unknowns = program_uses(reset->program, BLOCK_A) ||
                           program_uses(reset->program, BLOCK_LAMBDA);
    free(f);
}

void reset_init(struct reset *reset, struct arena *arena, const struct model *model,
                const struct event *event, struct constraints *constraints)
{
    *reset = (struct reset){.event = event, .model = model, .constraints = constraints};
    compile(reset);
    reset->w_rows = arena_new(arena, reset->program->slots, sizeof *reset->w_rows);
    program_init(reset->program, reset->w_rows);
    tiered_program_init(&reset->code, reset->program, reset->w_rows);
    reset->residual = arena_new(arena, event->rows, sizeof *reset->residual);
    reset->right = arena_new(arena, event->rows, sizeof *reset->right);
    reset->delta = arena_new(arena, event->w, sizeof *reset->delta);
    reset->spare = arena_new(arena, event->rows, sizeof *reset->spare);
    reset_equations_init(&reset->equations, arena, model, event, reset->program,
                         reset->J_w, reset->w_rows);
}

void reset_set(struct reset *reset, const double *rho)
{
    program_set_parameters(reset->program, rho, reset->w_rows);
}

void reset_clear(struct reset *reset)
{
    tiered_program_clear(&reset->code);
    program_free(reset->program);
    reset_equations_clear(&reset->equations);
}

/* --- evaluation --------------------------------------------------------------------- */

static double output(const struct reset *reset, int k)
{
    return reset->w_rows[reset->program->output[k]];
}

static void load_after(struct reset *reset, const double *w)
{
    const struct model *model = reset->model;
    double *rows = reset->w_rows;
    program_load(reset->program, BLOCK_Q_PLUS, w, rows);
    program_load(reset->program, BLOCK_V_PLUS, w + model->n, rows);
    program_load(reset->program, BLOCK_S_PLUS, w + 2 * model->n, rows);
    program_load(reset->program, BLOCK_IMPULSE, w + 2 * model->n + model->ns, rows);
    program_load(reset->program, DIRECTION(BLOCK_V_PLUS, 2), reset->equations.least.z,
                 rows);
    tiered_program_run(&reset->code, STAGE_UNKNOWN, rows);
}

static void load_before(struct reset *reset, const struct reset_values *before)
{
    double *rows = reset->w_rows;
    tiered_program_load_point(&reset->code, 0, before->t, before->q, before->v, before->s,
                              rows);
    program_load(reset->program, BLOCK_A, before->a, rows);
    program_load(reset->program, BLOCK_LAMBDA, before->lambda, rows);
    tiered_program_run(&reset->code, STAGE_STATE, rows);
}

/* Runs all rows, compiled or not, which the search for a bad one needs. */
static void run_all_rows(const struct reset *reset)
{
    program_run(reset->program, STAGE_STATE, reset->w_rows);
    program_run(reset->program, STAGE_UNKNOWN, reset->w_rows);
}

static enum status refuse(const struct reset *reset, const struct system *system,
                          enum status status, double t)
{
    char blame[300];
    run_all_rows(reset);
    if (program_blame(reset->program, system->model->names, STAGE_UNKNOWN, reset->w_rows,
                      blame, sizeof blame))
        return diagnose(system->diagnosis, NOT_FINITE, t, "reset of event %s: %s",
                        reset->event->name, blame);
    return diagnose(system->diagnosis, status, t, "reset of event %s",
                    reset->event->name);
}

/* --- the equations ------------------------------------------------------------------ */

void reset_solve_linear(struct reset *reset, const double *J, double *x)
{
    struct reset_equations *equations = &reset->equations;
    for (int i = 0; i < reset->event->rows; i++)
        reset->residual[i] = -J[i];
    for (int d = 0; d < reset_equations_dependent(equations); d++)
        reset->residual[reset_equations_dependent_row(equations, d)] = 0;
    reset_equations_solve(equations, reset->residual, x);
}

/* x [w] = -J_w^-1 (the outputs from `first` on), by the rows that are solved. */
static void solve_rows(struct reset *reset, int first, double *x)
{
    for (int i = 0; i < reset->event->rows; i++)
        reset->right[i] = output(reset, first + i);
    reset_solve_linear(reset, reset->right, x);
}

/* The spare row with the largest misfit: of J with x = w, or of J' + J_w dw with x = dw.
   `size` is the size of the other arguments of the row. */
static struct reset_misfit worst_spare(const struct reset *reset, const double *dw,
                                       const double *x, double size)
{
    struct reset_misfit worst = {.row = -1};
    int w = reset->event->w;
    if (reset->spares > 0)
        size = fmax(size, largest(x, w - reset->event->impulses));
    for (int k = 0; k < reset->spares; k++) {
        struct reset_misfit own = {.row = reset->spare[k]};
        double slope = 0;
        own.value = output(reset, (dw ? reset->J_dot : reset->J) + own.row);
        for (int j = 0; j < w; j++) {
            double entry = output(reset, reset->J_w + own.row * w + j);
            slope = fmax(slope, fabs(entry));
            own.value += dw ? entry * dw[j] : 0;
        }
        if (own.value != 0)
            own.relative = fabs(own.value) / (slope * fmax(1, size));
        if (!(own.relative <= worst.relative))
            worst = own;
    }
    return worst;
}

/* --- impulses of least norm --------------------------------------------------------- */

/* The kernel of Psi_q', from the singular J_w: each kernel vector is the change of all
   impulses with one of those left out. */
static void find_kernel(struct reset *reset)
{
    struct reset_equations *equations = &reset->equations;
    int w = reset->event->w, k = reset->event->impulses;
    for (int d = 0; d < reset_equations_dependent(equations); d++) {
        memset(reset->residual, 0, (size_t)reset->event->rows * sizeof(double));
        reset->residual[reset_equations_dependent_row(equations, d)] = 1;
        reset_equations_solve(equations, reset->residual, reset->delta);
        least_impulse_kernel(&equations->least, d, reset->delta + w - k);
    }
}

/* Replaces the impulses in w by those of least norm, and finds z of impulse = Psi_q z. */
static void take_least(struct reset *reset, double *w)
{
    struct reset_equations *equations = &reset->equations;
    int n = reset->model->n, k = reset->event->impulses;
    double *impulse = w + reset->event->w - k;
    find_kernel(reset);
    least_impulse_shift(&equations->least, NULL, impulse);
    memset(reset->residual, 0, (size_t)reset->event->rows * sizeof(double));
    memory_copy(reset->residual + 2 * n, impulse, k, sizeof *impulse);
    for (int d = 0; d < reset_equations_dependent(equations); d++)
        reset->residual[reset_equations_dependent_row(equations, d)] = 0;
    reset_equations_solve(equations, reset->residual, reset->delta);
    memory_copy(equations->least.z, reset->delta + n, n, sizeof *impulse);
    load_after(reset, w);
}

/* --- solving ------------------------------------------------------------------------ */

/* Newton's method. Most resets are linear in w: the first step solves, the second refines
   with the same factors, the third finds nothing left to do. */
static enum status iterate(struct reset *reset, double *w)
{
    int size = reset->event->w;
    double last = INFINITY;
    for (int k = 0; k < 50; k++) {
        enum status status = reset_equations_factor(&reset->equations);
        if (status != OK)
            return status;
        solve_rows(reset, reset->J, reset->delta);
        for (int i = 0; i < size; i++)
            w[i] += reset->delta[i];
        if (!all_finite(w, size))
            return NOT_FINITE;
        load_after(reset, w);
        double change = largest(reset->delta, size), scale = largest(w, size);
        if (change <= reset_converged * scale ||
            (change >= last && change < reset_stalled * scale))
            return OK;
        last = change;
    }
    return NO_CONVERGENCE;
}

enum status reset_solve(struct reset *reset, const struct system *system,
                        const struct reset_values *before, double *w)
{
    const struct model *model = reset->model;
    int n = model->n, ns = model->ns;
    memset(w, 0, (size_t)reset->event->w * sizeof *w);
    memory_copy(w, before->q, n, sizeof *w);
    memory_copy(w + n, before->v, n, sizeof *w);
    memory_copy(w + 2 * n, before->s, ns, sizeof *w);
    load_before(reset, before);
    load_after(reset, w);
    enum status status = iterate(reset, w);
    if (status != OK)
        return refuse(reset, system, status, before->t);
    reset->spares = reset_equations_spares(&reset->equations, reset->spare);
    if (reset_equations_dependent(&reset->equations) > 0)
        take_least(reset, w);
    reset->misfit = worst_spare(reset, NULL, w, largest(before->v, n));
    return OK;
}

void reset_tangent(struct reset *reset, double size, double *dw)
{
    const struct model *model = reset->model;
    int n = model->n, ns = model->ns, k = reset->event->impulses;
    solve_rows(reset, reset->J_dot, dw);
    if (reset_equations_dependent(&reset->equations) > 0) {
        reset_load_tangent(reset, dw);
        for (int i = 0; i < k; i++)
            reset->residual[i] = output(reset, reset->Psi_q_z_dot + i);
        least_impulse_shift(&reset->equations.least, reset->residual, dw + 2 * n + ns);
    }
    reset->misfit_along = worst_spare(reset, dw, dw, size);
}

void reset_load_tangent(struct reset *reset, const double *dw)
{
    const struct model *model = reset->model;
    double *rows = reset->w_rows;
    program_load(reset->program, TANGENT(BLOCK_Q_PLUS), dw, rows);
    program_load(reset->program, TANGENT(BLOCK_V_PLUS), dw + model->n, rows);
    program_load(reset->program, TANGENT(BLOCK_S_PLUS), dw + 2 * model->n, rows);
    program_load(reset->program, TANGENT(BLOCK_IMPULSE), dw + 2 * model->n + model->ns,
                 rows);
    tiered_program_run(&reset->code, STAGE_DIRECTION_UNKNOWN, rows);
}

double reset_cost(const struct reset *reset, int k)
{
    return output(reset, reset->cost + k);
}

void reset_cost_blame(struct reset *reset, int k, char *text, int size)
{
    *text = '\0';
    run_all_rows(reset);
    program_blame_output(reset->program, reset->model->names, reset->cost + k,
                         reset->w_rows, text, size);
}
