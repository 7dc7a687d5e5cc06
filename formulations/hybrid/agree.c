/*
 * agree.c - what holds at the start of an arc must hold for neighbouring parameters.
 *
 * A derivative compares motions with the same sequence of events. After an event
 * something may be zero that decides the sequence: a guard, the constraints of the mode
 * entered. If it is zero for these values of the parameters only, there is no derivative,
 * and what the formulas give is the derivative of something else.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "hybrid/hybrid.h"

/* Derivatives of everything a guard depends on, along the moving event. */
struct moving {
    double *q, *v, *s, *a, *lambda;
    double *a_dot, *lambda_dot, *f_s;
};

static struct moving moving_new(const struct model *model)
{
    int n = model->n, m = model->m, ns = model->ns;
    double *block = memory_new(4 * n + 2 * m + 2 * ns, sizeof *block);
    struct moving moving = {.q = block};
    moving.v = moving.q + n;
    moving.a = moving.v + n;
    moving.a_dot = moving.a + n;
    moving.lambda = moving.a_dot + n;
    moving.lambda_dot = moving.lambda + m;
    moving.s = moving.lambda_dot + m;
    moving.f_s = moving.s + ns;
    return moving;
}

/* Parameters whose derivatives are looked at: none when another rule than the general one
   is being judged, which may give what it likes. */
static int parameters(const struct hybrid *core)
{
    return core->rule == jump_rules[0] ? core->system->p : 0;
}

static double largest(const double *x, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = fmax(size, fabs(x[i]));
    return size;
}

/* --- guards ------------------------------------------------------------------------- */

/* The direction of parameter j, and how large its parts are before anything cancels. */
static void move(struct hybrid *core, int j, double tau, struct moving *moving,
                 double *size)
{
    struct system *system = core->system;
    const struct model *model = core->model;
    int n = model->n, ns = model->ns, m = model->m;
    const double *x = core->x, *X = x + (j + 1) * system->state;
    const struct state_direction column = {
        .q = X, .v = X + n, .s = X + 2 * n, .parameter = system->parameter[j]};
    system_tangent(system, system->now, &column, moving->a, moving->lambda, NULL, NULL);

    size[BLOCK_T] = fabs(tau);
    size[BLOCK_Q] = fmax(largest(X, n), fabs(tau) * largest(x + n, n));
    size[BLOCK_V] = fmax(largest(X + n, n), fabs(tau) * largest(system->a, n));
    size[BLOCK_S] = fmax(largest(X + 2 * n, ns), fabs(tau) * largest(moving->f_s, ns));
    size[BLOCK_A] = fmax(largest(moving->a, n), fabs(tau) * largest(moving->a_dot, n));
    size[BLOCK_LAMBDA] = fmax(largest(moving->lambda, m),
                              fabs(tau) * largest(moving->lambda_dot, m));
    size[BLOCK_RHO] = 0;
    for (int i = 0; i < n; i++) {
        moving->q[i] = X[i] + x[n + i] * tau;
        moving->v[i] = X[n + i] + system->a[i] * tau;
        moving->a[i] += moving->a_dot[i] * tau;
    }
    for (int i = 0; i < ns; i++)
        moving->s[i] = X[2 * n + i] + moving->f_s[i] * tau;
    for (int i = 0; i < m; i++)
        moving->lambda[i] += moving->lambda_dot[i] * tau;
}

static enum status agree(struct hybrid *core, int j, double tau, struct moving *moving)
{
    struct system *system = core->system;
    struct mode_system *ms = system->now;
    double size[BLOCKS] = {0}, rho = fabs(system->rho[system->parameter[j]]);
    move(core, j, tau, moving, size);
    for (int k = 0; k < ms->guards; k++) {
        if (core->watch[k].power == 0)
            continue;
        struct jump_direction direction = {
            .t = tau, .q = moving->q, .v = moving->v, .s = moving->s, .a = moving->a,
            .lambda = moving->lambda, .parameter = system->parameter[j]};
        double change = guard_tangent(system, ms, k, &direction);
        direction = (struct jump_direction){.parameter = system->parameter[j]};
        double scale = fabs(guard_tangent(system, ms, k, &direction));
        /* The last: what changes when the parameter is doubled, if nothing else is known;
           a derivative that is zero, and computed from zeros, has no scale of its own. */
        scale += guard_spread(ms, k, size) +
                 guard_spread(ms, k, NULL) / (rho > 0 ? rho : 1);
        if (!(fabs(change) <= uncertainty(core) * scale))
            return diagnose(
                core->diagnosis, SIMULTANEOUS, core->t,
                "guard %s is zero after an event, but not when %s changes: the "
                "order of events is different on each side",
                ms->event[k]->name, core->model->parameter[system->parameter[j]].name);
    }
    return OK;
}

enum status agree_guards(struct hybrid *core, const double *tau)
{
    struct system *system = core->system;
    struct mode_system *ms = system->now;
    const double *x = core->x;
    int n = core->model->n;
    bool zero = false;
    for (int k = 0; k < ms->guards; k++)
        zero = zero || core->watch[k].power > 0;
    if (!zero || parameters(core) == 0)
        return OK;
    enum status status = system_solve(system, ms, core->t, x, x + n, x + 2 * n, system->a,
                                      system->lambda);
    if (status != OK)
        return status;
    system_guards(ms, core->t, x, x + n, x + 2 * n, system->a, system->lambda, core->r);
    struct moving moving = moving_new(core->model);
    system_rates(ms, moving.f_s, NULL);
    system_rate_of_unknowns(system, ms, x + n, moving.f_s, moving.a_dot,
                            moving.lambda_dot);
    for (int j = 0; status == OK && j < parameters(core); j++)
        status = agree(core, j, tau[j], &moving);
    free(moving.q);
    return status;
}

/* --- constraints -------------------------------------------------------------------- */

/* Phi, Phid [m] each of the mode entered, then their derivatives by every parameter, at a
   state x: out [2m * (1 + p)]. */
static void constraint_values_at(struct hybrid *core, const struct reset *reset,
                           const double *x, double *out)
{
    const struct system *system = core->system;
    const struct program *program = reset->constraints;
    double *rows = reset->constraint_rows;
    int n = core->model->n, m = reset->event->to->m;
    program_load(program, BLOCK_T, &core->t, rows);
    program_load(program, BLOCK_Q, x, rows);
    program_load(program, BLOCK_V, x + n, rows);
    program_load(program, BLOCK_S, x + 2 * n, rows);
    program_run(program, RESET_BEFORE, rows);
    for (int i = 0; i < 2 * m; i++)
        out[i] = rows[program->output[reset->Phi + i]];
    for (int j = 0; j < parameters(core); j++) {
        const double *X = x + (j + 1) * system->state;
        program_load(program, TANGENT(BLOCK_T), system->zeros, rows);
        program_load(program, TANGENT(BLOCK_Q), X, rows);
        program_load(program, TANGENT(BLOCK_V), X + n, rows);
        program_load(program, TANGENT(BLOCK_S), X + 2 * n, rows);
        system->direction_rho[system->parameter[j]] = 1;
        program_load(program, TANGENT(BLOCK_RHO), system->direction_rho, rows);
        system->direction_rho[system->parameter[j]] = 0;
        program_run(program, RESET_DIRECTION, rows);
        for (int i = 0; i < 2 * m; i++)
            out[2 * m * (j + 1) + i] = rows[program->output[reset->Phi_dot + i]];
    }
}

/* Size of Phi and Phid in a state or a column of sensitivities, against which rounding
   and the error of the run are judged. */
static double scale_of(const struct hybrid *core, const struct reset *reset,
                       const double *X)
{
    int n = core->model->n;
    double slope = 1;
    for (int k = 0; k < reset->event->to->m * n; k++)
        slope = fmax(slope, fabs(reset->constraint_rows[
                                reset->constraints->output[reset->Phi_q + k]]));
    return slope * fmax(1, largest(X, 2 * n));
}

static enum status compare(struct hybrid *core, const struct event *event,
                           const double *before, const double *after)
{
    const struct reset *reset = &core->reset[event->index];
    const struct mode *from = event->from, *to = event->to;
    int m = to->m;
    double state = scale_of(core, reset, core->sides.after);
    for (int j = -1; j < parameters(core); j++) {
        const double *X = core->sides.after + (j + 1) * core->system->state;
        double scale = j < 0 ? state : state * scale_of(core, reset, X);
        for (int i = 0; i < 2 * m; i++) {
            int row = i % m, at = 2 * m * (j + 1) + i;
            bool had = row < from->m && same_formula(from->Phi[row], to->Phi[row]);
            /* What the run has drifted until now is not the event's fault. */
            double drift = had ? 4 * fabs(before[at]) : 0;
            if ((i < m && to->velocity_level[row]) ||
                fabs(after[at]) <= uncertainty(core) * scale + drift)
                continue;
            return diagnose(
                core->diagnosis, INCONSISTENT, core->t,
                "after event %s, %s %d of mode %s does not hold%s%s (off by "
                "%.3g)",
                event->name, i < m ? "constraint" : "rate of constraint", row + 1,
                to->name, j < 0 ? "" : " identically in ",
                j < 0 ? "" : core->model->parameter[core->system->parameter[j]].name,
                after[at]);
        }
    }
    return OK;
}

enum status agree_constraints(struct hybrid *core, const struct event *event)
{
    int count = 2 * event->to->m * (1 + parameters(core));
    if (count == 0 || !(core->request->formulation->capabilities & KEEPS_CONSTRAINTS))
        return OK;
    double *before = memory_new(2 * count, sizeof *before), *after = before + count;
    constraint_values_at(core, &core->reset[event->index], core->x, before);
    constraint_values_at(core, &core->reset[event->index], core->sides.after, after);
    enum status status = compare(core, event, before, after);
    free(before);
    return status;
}
