/*
 * jump_services.c - directional derivatives of guard, reset, costs and equations at an
 * event.
 */
#include "events/jump_services.h"

#include <math.h>
#include <stdlib.h>

#include "base/largest.h"
#include "base/memory.h"

/* Loads a direction into the tangent inputs of a program; parts not given are zero. */
static void load_direction(const struct system *system, const struct tiered_program *code,
                           const struct jump_direction *direction, double *rows)
{
    const struct program *program = code->program;
    const double *a = direction->a, *lambda = direction->lambda;
    tiered_program_load_point(code, 1, direction->t, direction->q, direction->v,
                              direction->s, rows);
    program_load(program, TANGENT(BLOCK_A), a ? a : system->zeros, rows);
    program_load(program, TANGENT(BLOCK_LAMBDA), lambda ? lambda : system->zeros, rows);
    program_seed_parameter(program, direction->parameter, rows);
}

double guard_tangent(const struct system *system, struct mode_system *ms, int k,
                     const struct jump_direction *direction)
{
    load_direction(system, &ms->guard_code, direction, ms->guard_w);
    tiered_program_run(&ms->guard_code, STAGE_DIRECTION, ms->guard_w);
    if (ms->guards_use_unknowns)
        tiered_program_run(&ms->guard_code, STAGE_DIRECTION_UNKNOWN, ms->guard_w);
    return ms->guard_w[ms->guard->output[ms->guards + k]];
}

double guard_spread(const struct mode_system *ms, int k, const double *const *size)
{
    return program_spread(ms->guard, ms->guards + k, STAGE_DIRECTION,
                          STAGE_DIRECTION_UNKNOWN, size, ms->guard_w);
}

double jump_guard(const struct jump *jump, const struct jump_direction *direction)
{
    const struct jump_work *work = jump->work;
    return guard_tangent(work->system, work->from, work->guard, direction);
}

/* The largest magnitude of t, q, v and s in a direction. */
static double size_of(const struct model *model, const struct jump_direction *direction)
{
    const struct { const double *x; int size; } part[] = {
        {direction->q, model->n}, {direction->v, model->n}, {direction->s, model->ns}};
    double size = fabs(direction->t);
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        if (part[k].x)
            size = fmax(size, largest(part[k].x, part[k].size));
    return size;
}

enum status jump_reset(const struct jump *jump, const struct jump_direction *direction,
                       double *dw)
{
    const struct jump_work *work = jump->work;
    struct reset *reset = work->reset;
    load_direction(work->system, &reset->code, direction, reset->w_rows);
    tiered_program_run(&reset->code, STAGE_DIRECTION, reset->w_rows);
    reset_tangent(reset, reset->spares > 0 ? size_of(jump->model, direction) : 0, dw);
    return all_finite(dw, jump->event->w) ? OK : NOT_FINITE;
}

double jump_cost(const struct jump *jump, int k, const struct jump_direction *direction,
                 const double *dw)
{
    const struct jump_work *work = jump->work;
    struct reset *reset = work->reset;
    double *rows = reset->w_rows;
    load_direction(work->system, &reset->code, direction, rows);
    tiered_program_run(&reset->code, STAGE_DIRECTION, rows);
    reset_load_tangent(reset, dw);
    return work->costless ? 0 : rows[reset->program->output[reset->cost_dot + k]];
}

enum status jump_algebraic(const struct jump *jump, int parameter,
                           struct jump_column *after)
{
    struct jump_work *work = jump->work;
    const struct state_direction column = {
        .q = after->Q, .v = after->V, .s = after->S, .parameter = parameter};
    if (jump->without_unknowns)
        return OK;
    system_tangent(work->system, work->to, &column, after->A, after->Lambda, NULL, NULL);
    return OK;
}

/* Solves the columns of Phi+_q (or Phid+_v) that are not `dof` for dependent
   sensitivities x; the right side is the derivative of Phi (or Phid) with the dependent
   sensitivities set to zero. If there are more rows than dependent ones, independent rows
   decide. */
static enum status solve_dependent(const struct jump *jump, int parameter,
                                   const bool *dof, const struct jump_column *after,
                                   bool velocity, double *x)
{
    struct constraints *c = jump->work->reset->constraints;
    const struct constraint_matrix *matrix = velocity ? &c->Phid_v : &c->Phi_q;
    int n = c->n, rows = velocity ? c->m : c->rows, open = 0;
    int dot = velocity ? c->Phid_dot : c->Phi_dot;
    for (int j = 0; j < n; j++)
        if (!dof[j]) {
            open++;
            x[j] = 0;
        }
    if (open > rows)
        return SINGULAR;
    struct overdetermined equations;
    overdetermined_init(&equations, rows, open);
    double *b = memory_new(rows, sizeof *b);
    constraints_along(c, 0, after->Q, after->V, after->S, parameter);
    for (int i = 0; i < rows; i++) {
        int row = velocity ? i : c->row[i], column = 0;
        for (int j = 0; j < n; j++)
            if (!dof[j])
                equations.A[i * open + column++] =
                    constraints_at_place(c, matrix, row, j);
        b[i] = -constraints_value(c, dot + row);
    }
    bool regular = overdetermined_factor(&equations, NULL);
    if (regular)
        overdetermined_solve(&equations, b, b);
    for (int j = 0, column = 0; regular && j < n; j++)
        if (!dof[j])
            x[j] = b[column++];
    overdetermined_clear(&equations);
    free(b);
    return regular ? OK : SINGULAR;
}

enum status jump_dependent(const struct jump *jump, int parameter, const bool *dof,
                           struct jump_column *after)
{
    const struct jump_side *side = &jump->after;
    constraints_at(jump->work->reset->constraints, jump->t, side->q, side->v, side->s);
    enum status status = solve_dependent(jump, parameter, dof, after, false, after->Q);
    if (status == OK)
        status = solve_dependent(jump, parameter, dof, after, true, after->V);
    return status;
}
