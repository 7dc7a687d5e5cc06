/*
 * step.c - step control with events: the step to be tried, and its end, another try, or
 * an event on it (guard_roots.c, event_location.c).
 */
#include <float.h>
#include <math.h>

#include "base/exchange.h"
#include "base/memory.h"
#include "events/faults.h"
#include "events/hybrid.h"
#include "simd/one_row.h"

#include "events/step_kernel.h"

double time_resolution(const struct hybrid *core)
{
    return time_resolved * larger(fabs(core->t), core->span.t_end - core->span.t0);
}

/* --- the step ----------------------------------------------------------------------- */

static enum status too_small(struct hybrid *core, enum status cause)
{
    const char *mode = core->system->now->mode->name;
    double h = core->step.proposed;
    if (cause != OK && core->diagnosis->status == cause)
        return cause;               /* the right-hand side has given the reason */
    if (cause != OK)
        return diagnose(core->diagnosis, cause, core->t,
                        "integrator %s, down to step %.3g in mode %s",
                        core->integrator->name, h, mode);
    return diagnose(core->diagnosis, STEP_TOO_SMALL, core->t,
                    "rtol = %.3g cannot be met with step %.3g in mode %s",
                    core->control.rtol, h, mode);
}

/*
 * In index 3 rounding eps |q| of Phi moves the velocities by eps |q|/h times (d Phid/dv
 * M^-1 Phi_q')^-1, and the accelerations by that over h. Where that is more than rtol a
 * shorter step is worse, down to one whose matrix is singular by rounding alone. The
 * state is not the reason if the accelerations solved there are regular, and need much
 * longer than a step to change the state.
 */
static bool motion_is_slow(const struct hybrid *core, const double *dx)
{
    static const double much_longer = 1e4;
    int n = core->model->n;
    double q = largest(core->x, n), v = largest(core->x + n, n), a = largest(dx + n, n);
    return larger(v / a, sqrt(q / a)) > much_longer * fabs(core->step.proposed);
}

enum status hybrid_rounding_refusal(struct hybrid *core, enum status status)
{
    const struct diagnosis cause = *core->diagnosis;
    bool by_step = status == STEP_TOO_SMALL || status == SINGULAR ||
                   status == NO_CONVERGENCE;
    if (core->system->formulation->index != 3 || !by_step)
        return status;
    if (system_rhs(core->system, core->t, core->x, core->step.dx_new) != OK ||
        !motion_is_slow(core, core->step.dx_new)) {
        *core->diagnosis = cause;
        return status;
    }
    return diagnose(core->diagnosis, PRECISION, core->t,
                    "rounding of the constraints of mode %s over a step moves velocities "
                    "by more than rtol = %.3g; raise it, or take ggl",
                    core->system->now->mode->name, core->control.rtol);
}

enum status hybrid_step_to(struct hybrid *core, double h, double *x, double *dx)
{
    return core->integrator->step(core->method, &core->ode, core->t, h, core->x, core->dx,
                                  x, dx, core->step.err);
}

/* Repeats the step by the solver with pivots, which finds the reason why it is not
   finite. */
static enum status explain(struct hybrid *core, double h)
{
    enum status status = OK;
    bool pivots = system_rhs_pivots(core->system, true);
    if (!pivots)
        status = hybrid_step_to(core, h, core->step.x_new, core->step.dx_new);
    system_rhs_pivots(core->system, pivots);
    return status;
}

struct tried hybrid_try(struct hybrid *core)
{
    struct tried tried = {.error = INFINITY};
    core->ode.goes_on = !core->step.fresh;
    core->step.fresh = false;
    tried.status = hybrid_step_to(core, core->step.h, core->step.x_new,
                                  core->step.dx_new);
    if (core->integrator->error_order)
        core->control.order = core->integrator->error_order(core->method);
    if (tried.status == OK)
        tried.error = control_error(&core->control, core->integrator, core->step.x_new,
                                    core->step.err);
    return tried;
}

/* Projects a step that may be accepted; *error is infinite for a step that may not. */
static enum status complete(struct hybrid *core, const struct tried *tried, double *error)
{
    const struct projection *projection = core->system->formulation->projection;
    double h = core->step.h;
    *error = INFINITY;
    if (tried->status != OK)
        return tried->status;
    if (!(tried->error < INFINITY))
        return explain(core, h);
    if (tried->error <= 1 && system_projects_steps(core->system)) {
        core->step.fresh = true;
        enum status status = system_project(core->system, core->t + h, core->step.x_new);
        if (status == OK && !projection->every_evaluation)
            status = system_rhs(core->system, core->t + h, core->step.x_new,
                                core->step.dx_new);
        if (status != OK)
            return status;
    }
    *error = tried->error;
    return OK;
}

/* A placed step does not stop for a sample, after which the rest of the way would be too
   short to place another step; unless the sample asks for the unknowns of a DAE, which
   only the end of a step has. */
static bool place(const struct hybrid *core, double left, double *h)
{
    if (!core->singular.places)
        return false;
    bool stops = core->system->now->guards > 0 || core->system->formulation->kind == DAE;
    double most = stops ? left : core->span.t_end - core->t;
    return singular_place(core, most, h);
}

/* The step to be tried; true: the step ends at the stop, `left` ahead. */
static bool next_step(struct hybrid *core, double left, double *h)
{
    *h = core->step.proposed;
    bool placed = core->step.placed = place(core, left, h);
    bool last = one_is_last(*h, left);
    if (placed && *h > left)
        return false;
    if (last)
        *h = left;
    else if (!placed)
        *h = one_fitted(*h, left);
    return last;
}

double hybrid_shortest_step(const struct hybrid *core)
{
    return one_shortest(core->t);
}

long hybrid_steps_left(const struct hybrid *core)
{
    return core->max_steps - core->control.steps - core->control.rejections;
}

enum status hybrid_propose(struct hybrid *core)
{
    struct step *step = &core->step;
    if (step->retry_length > 0)
        return OK;
    stiff_choose(core);
    double left = core->course.stop - core->t;
    bool last = next_step(core, left, &step->h);
    core->course.passed = INFINITY;
    if (!last && !(step->h > hybrid_shortest_step(core)))
        return singular_refusal(core, too_small(core, step->cause));
    if (hybrid_steps_left(core) > 0)
        return OK;
    return diagnose(core->diagnosis, TOO_MANY_STEPS, core->t,
                    "%ld steps; raise the limit (saltus run --max-steps) or rtol",
                    core->max_steps);
}

/* The length that a step with this error should have had for its stages to see all that
   is sharp in the equations. */
static double seen_length(struct hybrid *core, double error)
{
    const struct step *step = &core->step;
    const struct seen_step tried = {
        .integrator = core->integrator, .control = &core->control, .ode = &core->ode,
        .t = core->t, .h = step->h, .sign = 1, .x = core->x, .dx = core->dx,
        .x_new = step->x_new, .dx_new = step->dx_new};
    if (!(error <= 1) || step->placed)
        return step->h;
    return unseen_length(&core->unseen, &core->system->now->sharp, &tried);
}

/* Is the step accepted? step.proposed is then of the next step, else of another try. */
static bool accepted(struct hybrid *core, const struct tried *tried)
{
    struct step *step = &core->step;
    double error;
    enum status cause = complete(core, tried, &error);
    double seen = seen_length(core, error);
    if (seen < step->h) {
        control_next(&core->control, core->integrator, step->h, INFINITY, NULL);
        step->proposed = seen;
        step->cause = OK;
        return false;
    }
    bool moved = system_projects_steps(core->system);
    double next = control_next(&core->control, core->integrator, step->h, error,
                               moved ? step->x_new : NULL);
    if (!(error <= 1)) {
        step->proposed = next;
        step->cause = cause;
        return false;
    }
    step->proposed = one_proposal(step->h, step->proposed, next);
    step->cause = OK;
    return true;
}

/* --- a step and its event ----------------------------------------------------------- */

/* Keeps the choice of coordinates of the step, before it is reviewed. */
static void keep_choice(struct hybrid *core)
{
    struct history *history = core->history;
    int count = system_choice(core->system, NULL);
    history->scratch = memory_grow(history->scratch, &history->scratch_room, count + 1,
                                   sizeof *history->scratch);
    system_choice(core->system, history->scratch);
    history_choice(history, history->scratch, count);
}

/* Moves the run to t, where *x and *dx are exchanged with core->x and core->dx. */
static void advance(struct hybrid *core, double t, double **x, double **dx)
{
    core->t = t;
    exchange(&core->x, x);
    exchange(&core->dx, dx);
    core->step.ended = true;
    if (core->history) {
        history_step(core->history, core->t, core->x);
        core->history->implicit = core->history->implicit || core->stiff.integrator;
        keep_choice(core);
        if (core->step.placed)
            history_placed(core->history);
    }
    system_review(core->system, core->t, core->x);
}

/* Looks for guards and edges on an accepted step. A guard is looked at up to an edge
   only, beyond which the guard may be another function. */
static enum status watch_step(struct hybrid *core, int *first)
{
    double h = core->step.h;
    bool clear = hybrid_clear(core, h);
    enum status status = edges_on_step(core, h);
    bool met = status == OK && core->edges.met >= 0;
    double part = met ? core->edges.theta * (1 - short_of_edge) : 1;
    if (met)
        core->guard.sure = -1;
    if (status == OK && !clear)
        status = hybrid_guard_roots(core, h, part, first);
    bool by_edge = status == OK || status == NOT_FINITE || status == SINGULAR ||
                   status == NO_CONVERGENCE;
    return met && *first < 0 && by_edge ? edges_refuse(core, h) : status;
}

/* Looks for guards on an accepted step; *first is the guard that crosses first, -1 if
   none does. Where guards or equations cannot be evaluated between the ends of the step,
   a shorter step may do, and sets *again: an event may come before. */
static enum status look_through(struct hybrid *core, int *first, bool *again)
{
    const struct mode_system *ms = core->system->now;
    double h = core->step.h;
    *first = -1;
    *again = false;
    core->step.looked = false;
    if (ms->guards == 0 && ms->edges.count == 0)
        return OK;
    enum status status = watch_step(core, first);
    bool outside = status == NOT_FINITE || status == SINGULAR;
    if (!outside || h <= time_resolution(core))
        return status;
    core->control.steps--;
    core->control.rejections++;
    core->step.proposed = h / 4;
    *again = true;
    return OK;
}

/* Is the event at the end of the run, where the model leaves it out? */
static bool is_left_out(const struct hybrid *core, const struct hit *hit)
{
    return core->model->at_ends == AT_ENDS_SKIPPED &&
           !core->system->now->event[hit->guard]->terminal &&
           fabs(hit->t - core->span.t_end) <= time_resolution(core);
}

/* Moves the run to the event that comes first on the step h, or past the end. */
static enum status to_event(struct hybrid *core, int first, double h, bool extend,
                            enum step_end *end)
{
    struct hit hit = {.guard = first};
    enum status status = hybrid_locate(core, h, extend, &hit);
    if (core->history && extend)
        core->history->extended = h;
    if (status == OK && (core->faults & FAULT_INTERPOLATED))
        status = fault_interpolate(core, h, hit.t);
    if (status != OK)
        return status;
    hybrid_note_fires(core, h, &hit);
    core->step.fresh = true;
    core->step.left_with[core->system->now->mode->index] = core->step.proposed;
    *end = is_left_out(core, &hit) ? STEP_TAKEN : STEP_FIRES;
    advance(core, *end == STEP_FIRES ? hit.t : core->span.t_end, &core->step.trial,
            &core->step.trial_dx);
    step_monitors_at(&core->system->now->monitors, core->t, core->x);
    return singular_note(core);
}

/* Asks for a step to about the event, which is not to be located on the dense output. */
static void want_event(struct hybrid *core, int first)
{
    struct step *step = &core->step;
    step->retry_guard = first;
    step->retry_length = step->h;
    step->h *= core->guard.root[first];
}

/* Moves the run to the event after the step to about there has been made. */
static enum status near_event(struct hybrid *core, const struct tried *tried,
                              enum step_end *end)
{
    struct step *step = &core->step;
    double h = step->retry_length;
    step->retry_length = 0;
    exchange(&step->trial, &step->x_new);
    exchange(&step->trial_dx, &step->dx_new);
    if (tried->status != OK)
        return tried->status;
    return to_event(core, step->retry_guard, h, false, end);
}

/* Notes the violation of the constraints at the end of the step. */
static void note_constraints(struct hybrid *core)
{
    const struct step_monitors *monitors = &core->system->now->monitors;
    one_note_violation(monitors->mode->m, monitors->mode->velocity_level, monitors->Phi,
                       monitors->Phid, &core->out->worst_Phi, &core->out->worst_Phid, 0);
}

enum status hybrid_note_ahead(struct hybrid *core)
{
    enum status status = singular_note(core);
    return status == OK ? singular_progress(core) : status;
}

/* Moves the run to the end of a step without an event. */
static enum status to_end(struct hybrid *core)
{
    double h = core->step.h;
    for (int k = 0; k < core->system->now->guards; k++) {
        core->guard.watch[k].value = core->guard.watch[k].end;
        core->guard.watch[k].rate = core->guard.watch[k].end_rate;
        core->guard.watch[k].power = 0;
    }
    double stop = core->course.stop, left = stop - core->t, began = core->t;
    advance(core, h == left ? stop : core->t + h, &core->step.x_new, &core->step.dx_new);
    core->course.passed = h > left ? began : INFINITY;

    if (!core->step.looked)
        step_monitors_at(&core->system->now->monitors, core->t, core->x);
    edges_begin_step(core);
    note_constraints(core);
    stiff_note(core);
    return hybrid_note_ahead(core);
}

enum status hybrid_conclude(struct hybrid *core, const struct tried *tried,
                            enum step_end *end)
{
    int first;
    bool again;
    if (core->step.retry_length > 0) {
        *end = STEP_FIRES;
        return near_event(core, tried, end);
    }
    *end = STEP_AGAIN;
    if (!accepted(core, tried))
        return OK;
    enum status status = look_through(core, &first, &again);
    if (status != OK)
        return singular_refusal(core, status);
    if (again)
        return OK;
    if (first >= 0)
        accuracy_note_step(core);
    if (first >= 0 && !hybrid_extends(core, core->step.h, first)) {
        want_event(core, first);
        return OK;
    }
    *end = first >= 0 ? STEP_FIRES : STEP_TAKEN;
    return first >= 0 ? to_event(core, first, core->step.h, true, end) : to_end(core);
}
