/*
 * differentiability.c - differentiability checks: equations that hold at the start of an
 * arc must hold for neighbouring parameters.
 *
 * A derivative compares motions with the same sequence of events. After an event a
 * quantity that decides the sequence may be zero: a guard, or a constraint of the mode
 * entered. If the quantity is zero for these values of the parameters only, no derivative
 * exists, and the formulas give the derivative of another motion.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/largest.h"
#include "base/memory.h"
#include "events/hybrid.h"
#include "linear/row_selection.h"
#include "size.h"

/* Derivatives of all arguments of a guard, along the moving event. */
struct moving {
    double *q, *v, *s, *a, *lambda;
    double *a_dot, *lambda_dot, *f_s;
    double *size[BLOCKS];           /* sizes of q, v, s, a, lambda and t before
                                       cancellation; NULL for other blocks */
};

static struct moving moving_in(const struct hybrid *core)
{
    int n = core->model->n, m = core->model->m, ns = core->model->ns;
    struct moving moving = {.q = core->sides.moving};
    moving.v = moving.q + n;
    moving.a = moving.v + n;
    moving.a_dot = moving.a + n;
    moving.lambda = moving.a_dot + n;
    moving.lambda_dot = moving.lambda + m;
    moving.s = moving.lambda_dot + m;
    moving.f_s = moving.s + ns;
    moving.size[BLOCK_T] = moving.f_s + ns;
    moving.size[BLOCK_Q] = moving.size[BLOCK_T] + 1;
    moving.size[BLOCK_V] = moving.size[BLOCK_Q] + n;
    moving.size[BLOCK_A] = moving.size[BLOCK_V] + n;
    moving.size[BLOCK_S] = moving.size[BLOCK_A] + n;
    moving.size[BLOCK_LAMBDA] = moving.size[BLOCK_S] + ns;
    return moving;
}

/* The number of parameters whose derivatives are checked: none when the run is given
   another rule than the general one, for such a rule may return anything. */
static int parameters(const struct hybrid *core)
{
    return core->rule == jump_rules[0] ? core->system->p : 0;
}

/* --- guards ------------------------------------------------------------------------- */

/* The sizes of the arguments of guards along the moving event, before anything cancels:
   the larger of the derivative at fixed time and the change by the shift of the event. */
static void note_size(const double *X, const double *rate, double tau, int count,
                      double *size)
{
    for (int i = 0; i < count; i++)
        size[i] = fmax(fabs(X[i]), fabs(tau * rate[i]));
}

/* Moves the unknowns in the direction of parameter j, and notes the sizes of the
   parts. */
static void move_unknowns(struct hybrid *core, int j, double tau, struct moving *moving)
{
    struct system *system = core->system;
    int n = core->model->n, m = core->model->m;
    const struct state_direction column = system_column(system, core->x, j);
    system_tangent(system, system->now, &column, moving->a, moving->lambda, NULL, NULL);
    note_size(moving->a, moving->a_dot, tau, n, moving->size[BLOCK_A]);
    note_size(moving->lambda, moving->lambda_dot, tau, m, moving->size[BLOCK_LAMBDA]);
    for (int i = 0; i < n; i++)
        moving->a[i] += moving->a_dot[i] * tau;
    for (int i = 0; i < m; i++)
        moving->lambda[i] += moving->lambda_dot[i] * tau;
}

/* Adds the errors of the run in derivatives: the error of the step with the event, and
   the rounding of a component that is computed from all others of its group. */
static void raise_sizes(const struct hybrid *core, int j, struct moving *moving)
{
    int n = core->model->n, ns = core->model->ns, state = core->system->state;
    const struct { int block, first, count; } part[] = {
        {BLOCK_Q, 0, n}, {BLOCK_V, n, n}, {BLOCK_S, 2 * n, ns}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        double *size = moving->size[part[k].block];
        double most = part[k].block == BLOCK_S ? 0 : largest(size, part[k].count);
        for (int i = 0; i < part[k].count; i++)
            size[i] += derivative_accuracy(core, (j + 1) * state + part[k].first + i,
                                           most) / run_accuracy(core);
    }
}

/* Moves all arguments of guards in the direction of parameter j, and notes their
   sizes. */
static void move(struct hybrid *core, int j, double tau, struct moving *moving)
{
    struct system *system = core->system;
    const struct model *model = core->model;
    int n = model->n, ns = model->ns;
    const double *x = core->x, *X = x + (j + 1) * system->state;
    if (system->now->guards_use_unknowns)
        move_unknowns(core, j, tau, moving);
    *moving->size[BLOCK_T] = fabs(tau);
    note_size(X, x + n, tau, n, moving->size[BLOCK_Q]);
    note_size(X + n, system->a, tau, n, moving->size[BLOCK_V]);
    note_size(X + 2 * n, moving->f_s, tau, ns, moving->size[BLOCK_S]);
    raise_sizes(core, j, moving);
    for (int i = 0; i < n; i++) {
        moving->q[i] = X[i] + x[n + i] * tau;
        moving->v[i] = X[n + i] + system->a[i] * tau;
    }
    for (int i = 0; i < ns; i++)
        moving->s[i] = X[2 * n + i] + moving->f_s[i] * tau;
}

/* Is guard k the guard that fired, does it depend on coordinates alone, and does the
   event leave the coordinates unchanged? Then the guard is zero after the event
   identically. */
static bool left_alone(const struct hybrid *core, const struct event *fired, int k)
{
    const struct mode_system *from = &core->system->mode[fired->from->index];
    int n = core->model->n;
    bool alone = same_formula(core->system->now->event[k]->guard, fired->guard) &&
                 !from->guards_use_unknowns && from->seen_first + from->seen <= n;
    for (int i = 0; i < n && alone; i++)
        alone = !fired->q_plus[i].tape;
    return alone;
}

/* Must guard k be checked, being zero after the event that fired? */
static bool in_question(const struct hybrid *core, const struct event *fired, int k)
{
    return core->guard.watch[k].power > 0 && !left_alone(core, fired, k);
}

/* The spread of guard k at its arguments, and at the largest state of the last arc: the
   first alone is nothing where the arguments themselves are zero. */
static double value_spread(const struct hybrid *core, struct mode_system *ms, int k)
{
    int n = core->model->n;
    const double *const own[BLOCKS] = {[BLOCK_Q] = core->accuracy.size,
                                       [BLOCK_V] = core->accuracy.size + n,
                                       [BLOCK_S] = core->accuracy.size + 2 * n};
    return fmax(guard_spread(ms, k, NULL), guard_spread(ms, k, own));
}

/* Is a change of guard k no more than the accuracy of its arguments? The first scale
   decides most cases. The second adds the change when the parameter is doubled, which
   counts if nothing else is known: a derivative that is zero, and computed from zeros,
   has no scale of its own. */
static bool stays_zero(const struct hybrid *core, int j, int k, double change,
                       const struct moving *moving)
{
    const struct system *system = core->system;
    struct mode_system *ms = system->now;
    const struct jump_direction direction = {.parameter = system->parameter[j]};
    double rho = fabs(system->rho[system->parameter[j]]);
    double scale = guard_spread(ms, k, (const double *const *)moving->size);
    if (fabs(change) <= run_accuracy(core) * scale)
        return true;
    scale += fabs(guard_tangent(system, ms, k, &direction)) +
             value_spread(core, ms, k) / parameter_size(rho);
    return fabs(change) <= run_accuracy(core) * scale;
}

/* Checks that every guard in question stays zero along parameter j. */
static enum status agree(struct hybrid *core, const struct event_record *last, int j,
                         struct moving *moving)
{
    struct system *system = core->system;
    double tau = last->tau[j];
    struct mode_system *ms = system->now;
    move(core, j, tau, moving);
    const struct jump_direction direction = {
        .t = tau, .q = moving->q, .v = moving->v, .s = moving->s, .a = moving->a,
        .lambda = moving->lambda, .parameter = system->parameter[j]};
    for (int k = 0; k < ms->guards; k++) {
        if (!in_question(core, last->event, k) || simultaneous_tied(core, ms->event[k]))
            continue;
        double change = guard_tangent(system, ms, k, &direction);
        if (stays_zero(core, j, k, change, moving))
            continue;
        if (core->guard.watch[k].doubtful)
            return diagnose(
                core->diagnosis, PRECISION, core->t,
                "guard %s is %.3g after an event, which at rtol = %.3g cannot be told "
                "from zero; lower rtol", ms->event[k]->name, core->guard.r[k],
                core->request->rtol);
        return diagnose(
            core->diagnosis, SIMULTANEOUS, core->t,
            "guard %s is zero after an event, but not when %s changes: the order of "
            "events is different on each side",
            ms->event[k]->name, core->model->parameter[system->parameter[j]].name);
    }
    return OK;
}

enum status differentiable_guards(struct hybrid *core)
{
    struct system *system = core->system;
    struct mode_system *ms = system->now;
    const struct event_record *last = &core->out->event[core->out->events - 1];
    bool question = false;
    for (int k = 0; k < ms->guards; k++)
        question = question || in_question(core, last->event, k);
    if (!question || parameters(core) == 0)
        return OK;
    enum status status = hybrid_solve(core, core->t, core->x);
    if (status != OK)
        return status;
    hybrid_guards(core, core->t, core->x);
    struct moving moving = moving_in(core);
    system_rates(ms, moving.f_s, NULL);
    if (ms->guards_use_unknowns)
        system_rate_of_unknowns(system, ms, core->x + core->model->n, moving.f_s,
                                moving.a_dot, moving.lambda_dot);
    for (int j = 0; status == OK && j < parameters(core); j++)
        status = agree(core, last, j, &moving);
    return status;
}

/* --- redundant rows of a reset ------------------------------------------------------ */

/* The name of a row of J, like "the rate of constraint 2 of mode swing". */
static void name_row(const struct event *event, int n, int row, char *name, int size)
{
    int given = 0;
    for (int i = 0; i < n; i++)
        given += event->v_plus[i].tape != NULL;
    int constraint = row - n - given, impulse = row - 2 * n;
    if (event->velocity == VELOCITY_IMPULSIVE && impulse >= 0 &&
        impulse < event->impulses)
        snprintf(name, (size_t)size, "impulse row %d", impulse + 1);
    else if (event->velocity == VELOCITY_CONSTRAINED && constraint >= 0 &&
             constraint < event->to->m)
        snprintf(name, (size_t)size, "the rate of constraint %d of mode %s",
                 constraint + 1, event->to->name);
    else
        snprintf(name, (size_t)size, "row %d of the reset", row + 1);
}

enum status differentiable_reset(struct hybrid *core, const struct event *event, int j)
{
    const struct reset *reset = &core->reset[event->index];
    struct reset_misfit misfit = j < 0 ? reset->misfit : reset->misfit_along;
    char name[120];
    if (reset->spares == 0 || j >= parameters(core) ||
        misfit.relative <= run_accuracy(core))
        return OK;
    name_row(event, core->model->n, misfit.row, name, sizeof name);
    if (j < 0)
        return diagnose(core->diagnosis, INCONSISTENT, core->t,
                        "event %s: %s contradicts the others (off by %.3g)", event->name,
                        name, misfit.value);
    return diagnose(core->diagnosis, INADMISSIBLE, core->t,
                    "event %s: %s contradicts the others when %s changes (off by %.3g)",
                    event->name, name,
                    core->model->parameter[core->system->parameter[j]].name,
                    misfit.value);
}

/* --- constraints -------------------------------------------------------------------- */

/* Phi, Phid [m] each of the mode entered, then their derivatives by every parameter, at a
   state x: out [2m * (1 + p)]. */
static void constraints_of(struct hybrid *core, struct constraints *c, const double *x,
                           double *out)
{
    const struct system *system = core->system;
    int n = c->n, m = c->m;
    constraints_at(c, core->t, x, x + n, x + 2 * n);
    for (int i = 0; i < m; i++) {
        out[i] = constraints_value(c, c->Phi + i);
        out[m + i] = constraints_value(c, c->Phid + i);
    }
    for (int j = 0; j < parameters(core); j++) {
        const double *X = x + (j + 1) * system->state;
        double *along = out + 2 * m * (j + 1);
        constraints_along(c, 0, X, X + n, X + 2 * n, system->parameter[j]);
        for (int i = 0; i < m; i++) {
            along[i] = constraints_value(c, c->Phi_dot + i);
            along[m + i] = constraints_value(c, c->Phid_dot + i);
        }
    }
}

/* The size of Phi and Phid in a state or in a column of sensitivities: rounding and the
   error of the run are relative to this size. */
static double scale_of(const struct constraints *c, const double *X)
{
    double slope = 1;
    for (int i = 0; i < c->m; i++)
        slope = fmax(slope, fmax(constraints_row_size(c, &c->Phi_q, i),
                                 constraints_row_size(c, &c->Phid_v, i)));
    return slope * fmax(1, largest(X, 2 * c->n));
}

/* Could the constraints follow parameter j in another way, at the state after the
   event? If so, the reset is inconsistent; if not, no motion exists for neighbouring
   parameters. */
static bool admissible(struct hybrid *core, struct constraints *c, int j, bool velocity)
{
    const double *X = core->sides.after + (j + 1) * core->system->state;
    int n = c->n, rows = velocity ? c->m : c->rows;
    double *A = memory_new(rows * (n + 1), sizeof *A), *b = A + rows * n;
    constraints_along(c, 0, X, X + n, X + 2 * n, core->system->parameter[j]);
    for (int i = 0; i < rows; i++) {
        int row = velocity ? i : c->row[i];
        constraints_row(c, velocity ? &c->Phid_v : &c->Phi_q, row, A + i * n);
        b[i] = constraints_value(c, (velocity ? c->Phid_dot : c->Phi_dot) + row);
    }
    bool solvable = row_selection_solvable(A, b, rows, n);
    free(A);
    return solvable;
}

/* Checks the constraints and their rates after the event, then along every parameter. */
static enum status compare(struct hybrid *core, const struct event *event,
                           const double *before, const double *after)
{
    struct constraints *c = core->reset[event->index].constraints;
    const struct mode *from = event->from, *to = event->to;
    int m = to->m;
    double state = scale_of(c, core->sides.after);
    for (int j = -1; j < parameters(core); j++) {
        const double *X = core->sides.after + (j + 1) * core->system->state;
        double scale = j < 0 ? state : state * scale_of(c, X);
        for (int i = 0; i < 2 * m; i++) {
            int row = i % m, at = 2 * m * (j + 1) + i;
            bool had = row < from->m && same_formula(from->Phi[row], to->Phi[row]);
            /* The drift of the run up to the event is not the event's fault. */
            double drift = had ? 4 * fabs(before[at]) : 0;
            if ((i < m && to->velocity_level[row]) ||
                fabs(after[at]) <= run_accuracy(core) * scale + drift)
                continue;
            bool blame = j < 0 || admissible(core, c, j, i >= m);
            return diagnose(
                core->diagnosis, blame ? INCONSISTENT : INADMISSIBLE, core->t,
                "after event %s, %s %d of mode %s does not hold%s%s (off by "
                "%.3g)%s",
                event->name, i < m ? "constraint" : "rate of constraint", row + 1,
                to->name, j < 0 ? "" : " identically in ",
                j < 0 ? "" : core->model->parameter[core->system->parameter[j]].name,
                after[at],
                i >= m && blame ? "; give the event the impulses of the constraints "
                                  "(joints: true, event_impulse_joints), or velocities "
                                  "from them (velocity: constrained, "
                                  "event_constrain_velocity)" : "");
        }
    }
    return OK;
}

enum status differentiable_constraints(struct hybrid *core, const struct event *event)
{
    int count = 2 * event->to->m * (1 + parameters(core));
    bool keeps = core->request->formulation->capabilities & KEEPS_CONSTRAINTS;
    if (count == 0 || !keeps || (core->faults & FAULT_UNCHECKED))
        return OK;
    struct constraints *c = core->reset[event->index].constraints;
    double *const *held = core->sides.held;
    constraints_of(core, c, core->x, held[0]);
    constraints_of(core, c, core->sides.after, held[1]);
    return compare(core, event, held[0], held[1]);
}
