/*
 * arcs.c - from the start to the end, arc by arc, through events and sample times.
 */
#include <math.h>
#include <string.h>

#include "formula/memory.h"
#include "hybrid/faults.h"

/* An arc begins with the step with which its mode was left, which is a better guess than
   one from derivatives, and costs nothing; but where events come closer and closer no step
   should be longer than the last arc. */
static void first_step(struct hybrid *core)
{
    double last_arc = core->t - core->arc_began;
    core->h = fmin(core->step_in[core->system->now->mode->index], last_arc);
    core->arc_began = core->t;
    if (!(core->h > 0))
        core->h = control_first(&core->control, core->integrator, &core->ode, core->t,
                                core->span.t_end, core->x, core->dx, core->trial,
                                core->trial_dx);
}

/* Everything that must be new when an arc starts: derivative, control, guards. */
static enum status restart(struct hybrid *core)
{
    enum status status = system_project_restart(core->system, core->t, core->x);
    if (status == OK)
        status = system_rhs_restart(core->system, core->t, core->x, core->dx);
    if (status != OK)
        return status;
    control_restart(&core->control, core->x);
    ahead_restart(core);
    first_step(core);
    return OK;
}

/* Has an event left the run at a time that cannot be told from t? */
static bool event_at(const struct hybrid *core, double t)
{
    const struct trajectory *out = core->out;
    return out->events > 0 && fabs(t - core->t) <= time_resolution(core) &&
           out->event[out->events - 1].after.t == core->t;
}

/* Integrates to time t, through whatever events come before it. */
static enum status integrate_to(struct hybrid *core, double t)
{
    const struct run_request *request = core->request;
    while (core->t < t && !core->finished && !event_at(core, t)) {
        bool fires;
        enum status status = hybrid_step(core, t, &fires);
        if (status == OK && fires)
            status = instant_events(core);
        if (status == OK && fires && !core->finished)
            status = restart(core);
        if (status != OK)
            return status;
        double whole = core->span.t_end - core->span.t0;
        if (request->progress && !request->progress(request->progress_context,
                                                    (core->t - core->span.t0) / whole))
            return diagnose(core->diagnosis, BAD_INPUT, core->t, "interrupted");
    }
    return OK;
}

static enum status event_at_end(const struct hybrid *core, const struct event *event)
{
    return diagnose(core->diagnosis, EVENT_AT_END, core->t,
                    "event %s falls on the end of the run; move t_end = %.17g",
                    event->name, core->span.t_end);
}

/* To t, and through an event that only rounding puts after t. At the end of the run no
   event may be, neither before nor after. */
static enum status integrate_at(struct hybrid *core, double t)
{
    int imminent = -1;
    bool end = t >= core->span.t_end;
    enum status status = integrate_to(core, t);
    if (status == OK && end && event_at(core, t))
        return event_at_end(core, core->out->event[core->out->events - 1].event);
    if (status == OK && !core->finished && !event_at(core, t))
        status = hybrid_imminent(core, &imminent);
    if (status != OK || imminent < 0)
        return status;
    if (end)
        return event_at_end(core, core->system->now->event[imminent]);
    return integrate_to(core, t + time_resolution(core));
}

/* A sample at the time of an event has both sides. */
static enum status sample_at(struct hybrid *core, double t)
{
    enum status status = integrate_at(core, t);
    if (status != OK || core->finished)
        return status;
    if (core->passed < t && t < core->t)
        return ahead_refusal(core, result_sample_on_step(core, t));
    bool both_sides = event_at(core, t);
    if (both_sides)
        result_sample_before(core);
    status = ahead_refusal(core, result_sample(core));
    if (status == OK && both_sides && (core->request->faults & FAULT_JUMP_TWICE)) {
        fault_jump_again(core);
        status = restart(core);
    }
    return status;
}

enum status hybrid_arcs(struct hybrid *core)
{
    const struct run_request *request = core->request;
    core->out->sample = memory_new(2 * request->samples + 2, sizeof *core->out->sample);
    enum status status = hybrid_onset(core, NULL);
    if (status == OK)
        status = result_sample(core);
    if (status == OK)
        status = restart(core);
    for (int k = 0; status == OK && k < request->samples && !core->finished; k++)
        status = sample_at(core, request->sample[k]);
    if (status == OK && !core->finished)
        status = integrate_at(core, core->span.t_end);
    if (status == OK)
        status = result_costs(core);
    core->out->steps = core->control.steps;
    core->out->rejections = core->control.rejections;
    core->out->evaluations = core->system->evaluations;
    return status;
}
