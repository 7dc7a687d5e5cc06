/*
 * step.c - one accepted step, and what is done about an event on it: scan.c finds it,
 * locate.c makes it exact.
 */
#include <float.h>
#include <math.h>

#include "hybrid/faults.h"

double time_resolution(const struct hybrid *core)
{
    return 1e-12 * fmax(fabs(core->t), core->span.t_end - core->span.t0);
}

/* --- the step ----------------------------------------------------------------------- */

static enum status too_small(struct hybrid *core, enum status cause)
{
    if (cause != OK && core->diagnosis->status == cause)
        return cause;               /* the right-hand side has said why */
    if (cause != OK)
        return diagnose(core->diagnosis, cause, core->t,
                        "integrator %s, down to step %.3g in mode %s",
                        core->integrator->name, core->h, core->system->now->mode->name);
    return diagnose(core->diagnosis, STEP_TOO_SMALL, core->t,
                    "rtol = %.3g cannot be met with step %.3g in mode %s",
                    core->control.rtol, core->h, core->system->now->mode->name);
}

/* The same step once more, to have it refused by what knows why it is not finite. */
static enum status explain(struct hybrid *core, double h)
{
    enum status status = OK;
    bool pivots = system_rhs_pivots(core->system, true);
    if (!pivots)
        status = core->integrator->step(core->method, &core->ode, core->t, h, core->x,
                                        core->dx, core->x_new, core->dx_new, core->err);
    system_rhs_pivots(core->system, pivots);
    return status;
}

/* A step to core->x_new, projected if it is going to be accepted; its error. */
static enum status try_step(struct hybrid *core, double h, double *error)
{
    const struct projection *projection = core->system->formulation->projection;
    *error = INFINITY;
    enum status status = core->integrator->step(core->method, &core->ode, core->t, h,
                                                core->x, core->dx, core->x_new,
                                                core->dx_new, core->err);
    if (status != OK)
        return status;
    double estimate = control_error(&core->control, core->integrator, core->x_new,
                                    core->err);
    if (!(estimate < INFINITY))
        return explain(core, h);
    if (estimate <= 1 && system_projects_steps(core->system)) {
        status = system_project(core->system, core->t + h, core->x_new);
        if (status == OK && !projection->every_evaluation)
            status = system_rhs(core->system, core->t + h, core->x_new, core->dx_new);
        if (status != OK)
            return status;
    }
    *error = estimate;
    return OK;
}

/* The step to be tried; true: it ends the run to t_stop, `left` ahead. One that is placed
   does not stop for a sample, after which the rest of the way would be too short to place
   another; unless the sample asks for the unknowns of a DAE, which only the end has. */
static bool next_step(const struct hybrid *core, double left, double *h)
{
    bool stops = core->system->now->guards > 0 || core->system->formulation->kind == DAE;
    double most = stops ? left : core->span.t_end - core->t;
    *h = core->h;
    bool placed = ahead_place(&core->ahead, core->t, most, h);
    bool last = *h >= left * (1 - 1e-10);
    if (placed && *h > left)
        return false;
    if (last)
        *h = left;
    else if (!placed && *h > left / 2)
        *h = left / 2;              /* no tiny last step */
    return last;
}

/* Tries until a step is accepted; core->h becomes the proposal for the next. */
static enum status accepted_step(struct hybrid *core, double t_stop, double *taken)
{
    enum status cause = OK;
    for (;;) {
        double h, left = t_stop - core->t;
        bool last = next_step(core, left, &h);
        if (!last && !(h > 16 * DBL_EPSILON * fmax(fabs(core->t), DBL_MIN)))
            return too_small(core, cause);
        if (core->control.steps + core->control.rejections >= core->max_steps)
            return diagnose(core->diagnosis, TOO_MANY_STEPS, core->t,
                            "%ld steps; raise the limit or rtol", core->max_steps);
        double error;
        cause = try_step(core, h, &error);
        bool moved = system_projects_steps(core->system);
        double next = control_next(&core->control, core->integrator, h, error,
                                   moved ? core->x_new : NULL);
        if (error <= 1) {
            /* A step cut short by a sample time says little about the next one. */
            core->h = h < core->h ? fmax(next, core->h) : next;
            *taken = h;
            return OK;
        }
        core->h = next;
    }
}

/* --- with its event --------------------------------------------------------------------- */

/* Moves to t; the state there and the one that is left change places. */
static void advance(struct hybrid *core, double t, double **x, double **dx)
{
    double *old = core->x, *old_dx = core->dx;
    core->t = t;
    core->x = *x;
    core->dx = *dx;
    *x = old;
    *dx = old_dx;
    core->stepped = true;
    system_review(core->system, core->t, core->x);
}

/* An accepted step on which the guards can be followed. Where they or the equations
   cannot be evaluated between its ends, a shorter one may do: an event may come
   before. */
static enum status scanned_step(struct hybrid *core, double t_stop, double *h, int *first)
{
    for (;;) {
        *first = -1;
        enum status status = accepted_step(core, t_stop, h);
        if (status != OK || core->system->now->guards == 0 || hybrid_clear(core, *h))
            return status;
        status = hybrid_scan(core, *h, first);
        bool outside = status == NOT_FINITE || status == SINGULAR;
        if (!outside || *h <= time_resolution(core))
            return status;
        core->control.steps--;
        core->control.rejections++;
        core->h = *h / 4;
    }
}

enum status hybrid_step(struct hybrid *core, double t_stop, bool *fires)
{
    struct mode_system *ms = core->system->now;
    double h = 0, Phi, Phid;
    struct hit hit = {.guard = -1};
    *fires = false;
    core->passed = INFINITY;
    enum status status = scanned_step(core, t_stop, &h, &hit.guard);
    if (status != OK)
        return ahead_refusal(core, status);
    if (hit.guard >= 0) {
        status = hybrid_locate(core, h, &hit);
        if (status == OK && (core->request->faults & FAULT_INTERPOLATED))
            status = fault_interpolate(core, h, hit.t);
        if (status != OK)
            return status;
        hybrid_note_fires(core, h, &hit);
        *fires = true;
        core->step_in[ms->mode->index] = core->h;
        advance(core, hit.t, &core->trial, &core->trial_dx);
        return ahead_note(core, &Phi, &Phid);
    }
    for (int k = 0; k < ms->guards; k++) {
        core->watch[k].value = core->edge[k];
        core->watch[k].rate = core->watch[k].end_rate;
        core->watch[k].power = 0;
    }
    double left = t_stop - core->t, began = core->t;
    advance(core, h == left ? t_stop : core->t + h, &core->x_new, &core->dx_new);
    core->passed = h > left ? began : INFINITY;

    status = ahead_note(core, &Phi, &Phid);
    core->out->worst_Phi = fmax(core->out->worst_Phi, Phi);
    core->out->worst_Phid = fmax(core->out->worst_Phid, Phid);
    return status == OK ? ahead_progress(core) : status;
}
