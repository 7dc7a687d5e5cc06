/*
 * drive.c - the event loop of a hybrid integration: from the start to the end, arc by
 * arc, through events and sample times, one step at a time.
 */
#include <math.h>
#include <string.h>

#include "events/faults.h"
#include "events/hybrid.h"

/* --- an arc ------------------------------------------------------------------------- */

/* An arc begins with the step with which its mode was left: that step is a better guess
   than one from derivatives, and costs nothing. Where events come closer and closer no
   step should be longer than the last arc. */
static void first_step(struct hybrid *core)
{
    struct step *step = &core->step;
    double last_arc = core->t - core->arc_began;
    step->proposed = fmin(step->left_with[core->system->now->mode->index], last_arc);
    core->arc_began = core->t;
    if (!(step->proposed > 0))
        step->proposed = control_first(&core->control, core->integrator, &core->ode,
                                       core->t, core->span.t_end, core->x, core->dx,
                                       step->trial, step->trial_dx);
}

/* Starts an arc: the derivative, the step control and the monitors are made new. */
static enum status restart(struct hybrid *core)
{
    enum status status = system_project_restart(core->system, core->t, core->x);
    if (status == OK)
        status = system_rhs_restart(core->system, core->t, core->x, core->dx);
    if (status == OK)
        status = gate_rates(core);
    if (status != OK)
        return status;
    core->step.fresh = true;
    stiff_restart(core);
    control_restart(&core->control, core->x);
    singular_restart(core);
    edges_begin_step(core);
    first_step(core);
    accuracy_begin(core);
    if (core->history)
        history_begin_arc(core->history, core->system->now->mode->index, core->t,
                          core->x);
    return OK;
}

/* Keeps the end of an arc, before the events from this one on. */
static void end_arc(struct hybrid *core, const double *x, int event)
{
    if (core->history)
        history_end_arc(core->history, x, event, core->out->events - event);
}

/* Has an event left the run at a time that cannot be told from t? */
static bool event_at(const struct hybrid *core, double t)
{
    const struct trajectory *out = core->out;
    return out->events > 0 && out->event[out->events - 1].after.t == core->t &&
           fabs(t - core->t) <= time_resolution(core);
}

/* --- where it goes ------------------------------------------------------------------ */

/* The time of sample k, or the end of the run after the last sample. */
static double target(const struct hybrid *core, int k)
{
    const struct run_request *request = core->request;
    return k < request->samples ? request->sample[k] : core->span.t_end;
}

/* The next step ends at the sample, or at a stop on the way to it. A stop that cannot be
   told from the sample, or from the point of the run, is none. */
static void aim(struct hybrid *core, int k)
{
    struct course *course = &core->course;
    double t = target(core, k), resolution = time_resolution(core);
    course->next = k;
    course->beyond = false;
    while (course->behind < course->stops &&
           course->stop_at[course->behind] <= core->t + resolution)
        course->behind++;
    course->halfway = course->behind < course->stops &&
                      course->stop_at[course->behind] < t - resolution;
    course->stop = course->halfway ? course->stop_at[course->behind] : t;
}

/* Is the run at its stop, at the end, or at an event that cannot be told from its
   stop? */
static bool is_there(const struct hybrid *core)
{
    double stop = core->course.stop;
    return !(core->t < stop) || core->finished || event_at(core, stop);
}

static enum status event_at_end(const struct hybrid *core, const struct event *event)
{
    return diagnose(core->diagnosis, EVENT_AT_END, core->t,
                    "event %s falls on the end of the run; move t_end = %.17g, or say "
                    "`at_ends: happen` or `at_ends: skip` in the model", event->name,
                    core->span.t_end);
}

/* Is there an event at t that only rounding puts after t? Then the run goes on through
   the event. An event on the end of the run is refused, left out or gone through as the
   model says. */
static enum status look_beyond(struct hybrid *core, double t)
{
    int imminent = -1;
    bool end = t >= core->span.t_end, there = event_at(core, t);
    bool refused = end && core->model->at_ends == AT_ENDS_REFUSED;
    bool skipped = end && core->model->at_ends == AT_ENDS_SKIPPED;
    if (refused && there)
        return event_at_end(core, core->out->event[core->out->events - 1].event);
    if (core->finished || there)
        return OK;
    enum status status = hybrid_imminent(core, &imminent);
    if (status != OK || imminent < 0 || skipped)
        return status;
    if (refused)
        return event_at_end(core, core->system->now->event[imminent]);
    core->course.beyond = true;
    core->course.stop = t + time_resolution(core);
    return OK;
}

/* A sample at the time of an event records both sides, with the time that was asked for:
   the event may lie a rounding off. */
static enum status sample_at(struct hybrid *core, double t)
{
    struct trajectory *out = core->out;
    if (core->course.passed < t && t < core->t)
        return singular_refusal(core, trajectory_sample_on_step(core, t));
    bool both_sides = event_at(core, t);
    if (both_sides) {
        trajectory_sample_before(core);
        out->sample[out->samples - 1].t = t;
    }
    enum status status = singular_refusal(core, trajectory_sample(core));
    if (status == OK && both_sides)
        out->sample[out->samples - 1].t = t;
    if (status == OK)
        status = error_growth_note(core);
    if (status == OK && both_sides && (core->faults & FAULT_JUMP_TWICE)) {
        fault_jump_again(core);
        status = restart(core);
    }
    return status;
}

static enum status arrive(struct hybrid *core)
{
    struct course *course = &core->course;
    int samples = core->request->samples;
    double t = target(core, course->next);
    if (course->halfway && !core->finished) {
        aim(core, course->next);
        return OK;
    }
    if (!course->beyond) {
        enum status status = look_beyond(core, t);
        if (status != OK || course->beyond)
            return status;
    }
    enum status status = OK;
    if (!core->finished)
        status = course->next < samples ? sample_at(core, t) : error_growth_note(core);
    aim(core, core->finished ? samples + 1 : course->next + 1);
    return status;
}

/* --- the run ------------------------------------------------------------------------ */

/* Makes the events at the start that the model lets happen; both sides are samples. */
static enum status begin_with_events(struct hybrid *core)
{
    struct trajectory *out = core->out;
    if (core->history)
        history_begin_arc(core->history, core->system->now->mode->index, core->t,
                          core->x);
    enum status status = simultaneous_events(core);
    if (status != OK)
        return status;
    end_arc(core, core->simultaneous.x, core->simultaneous.first);
    if (out->events > 0)
        trajectory_sample_before(core);
    return trajectory_sample(core);
}

static bool any_fires(const struct hybrid *core)
{
    bool any = false;
    for (int k = 0; k < core->system->now->guards; k++)
        any = any || core->guard.fires[k] != 0;
    return any;
}

void hybrid_begin(struct hybrid *core)
{
    system_trust(core->system, core->t, core->x, core->dx);
    accuracy_begin(core);
    enum status status = edges_at_start(core);
    if (status == OK)
        status = hybrid_guard_side(core, NULL);
    if (status == OK)
        status = any_fires(core) ? begin_with_events(core) : trajectory_sample(core);
    if (status == OK && !core->finished)
        status = restart(core);
    core->course.status = status;
    aim(core, 0);
}

bool hybrid_wants_step(struct hybrid *core)
{
    struct course *course = &core->course;
    while (course->status == OK && course->next <= core->request->samples) {
        if (!is_there(core)) {
            course->status = edges_refusal(core, hybrid_propose(core));
            course->status = hybrid_rounding_refusal(core, course->status);
            return course->status == OK;
        }
        course->status = arrive(core);
    }
    return false;
}

static enum status report(const struct hybrid *core)
{
    const struct run_request *request = core->request;
    if (!request->progress)
        return OK;
    double done = (core->t - core->span.t0) / (core->span.t_end - core->span.t0);
    if (request->progress(request->progress_context, done))
        return OK;
    return diagnose(core->diagnosis, BAD_INPUT, core->t, "interrupted");
}

void hybrid_stepped(struct hybrid *core, const struct tried *tried)
{
    enum step_end end;
    enum status status = hybrid_conclude(core, tried, &end);
    if (status == OK && end == STEP_FIRES) {
        accuracy_note_size(core);
        status = simultaneous_events(core);
        if (status == OK)
            end_arc(core, core->simultaneous.x, core->simultaneous.first);
    }
    if (status == OK && end == STEP_FIRES && !core->finished)
        status = restart(core);
    if (status == OK && (end == STEP_FIRES || error_growth_is_due(core)))
        status = error_growth_note(core);
    for (int k = core->simultaneous.first; end == STEP_FIRES && k < core->out->events;
         k++)
        core->out->event[k].growth = core->out->growth.factor;
    if (status == OK && end != STEP_AGAIN)
        status = report(core);
    core->course.status = edges_refusal(core, status);
}

void hybrid_moved(struct hybrid *core)
{
    core->course.status = hybrid_note_ahead(core);
}

enum status hybrid_end(struct hybrid *core)
{
    enum status status = core->course.status;
    if (status == OK && !core->finished)
        end_arc(core, core->x, core->out->events);
    if (status == OK)
        status = terminal_cost_costs(core);
    trajectory_settle(core->out, core->request->model);
    core->out->steps = core->control.steps;
    core->out->rejections = core->control.rejections;
    core->out->evaluations = core->system->evaluations;
    core->out->compiled = core->system->compiled;
    return status;
}

enum status hybrid_run(struct hybrid *core)
{
    while (hybrid_wants_step(core)) {
        struct tried tried = hybrid_try(core);
        hybrid_stepped(core, &tried);
    }
    return hybrid_end(core);
}
