/*
 * complex_guard_conditions.c - the event of a guard that happens, in a complex-step run
 * (complex_run.h).
 *
 * The conditions are decided by their real parts, like everything else, where the guard
 * is zero. A condition that changes its sign when the state changes by no more than the
 * error of the run is refused.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "oracles/complex_run.h"

enum { GOES_ON = 2 };

bool complex_goes_on(const struct complex_run *run, const struct event *event, int sign)
{
    const struct complex_guard *guard = &run->guard[event->index];
    return guard->gone * sign == GOES_ON &&
           fabs(creal(run->t) - guard->gone_at) <= complex_run_instant(run);
}

/* Notes that the motion goes through the guard of `event`; NULL happens, or an event,
   which may lead into another mode, where nothing is known of the guard. */
static void note_gone(struct complex_run *run, const struct event *event, double rate,
                      const struct event *happens)
{
    const struct model *model = run->cm->model;
    int sign = rate < 0 ? -1 : 1;
    bool goes_on = !happens || happens->goes_on;
    for (int k = 0; k < model->events; k++) {
        struct complex_guard *guard = &run->guard[k];
        if (happens && happens->to != happens->from) {
            guard->gone = 0;
        } else if (event_shares_guard(model->event[k], event)) {
            guard->gone = goes_on ? GOES_ON * sign : sign;
            guard->gone_at = creal(run->t);
        }
    }
}

/* Moves the real parts of a state, each by its own size and by the rounding of those that
   it shares a unit with, irregularly up and down. */
static void move_beside(const struct complex_run *run, double *x)
{
    const struct model *model = run->cm->model;
    int begin[] = {0, model->n, 2 * model->n, 2 * model->n + model->ns};
    double relative = 100 * run->request->rtol + 1e-13;
    for (int g = 0; g < 3; g++) {
        double most = 0;
        for (int i = begin[g]; i < begin[g + 1]; i++)
            most = fmax(most, fabs(x[i]));
        for (int i = begin[g]; i < begin[g + 1]; i++)
            x[i] += (i % 2 ? 0.6 : -0.8) * (relative * fabs(x[i]) + 1e-13 * most);
    }
}

/* Conditions [conditions] of an event of the mode at (t, x). */
static enum status conditions_at(struct complex_run *run, const struct event *event,
                                 const double *x, double *out)
{
    struct complex_outputs *conditions = &run->cm->event[event->index].conditions;
    double complex *value = memory_new(event->conditions, sizeof *value);
    enum status status = complex_run_load(run, run->t, x);
    if (status == OK)
        complex_outputs_eval(conditions, run->values, value);
    for (int i = 0; i < event->conditions; i++)
        out[i] = creal(value[i]);
    free(value);
    return status;
}

enum status complex_may_happen(struct complex_run *run, const struct event *event,
                               bool *may)
{
    double *condition = memory_new(event->conditions, sizeof *condition);
    enum status status = event->conditions > 0
                             ? conditions_at(run, event, run->x, condition) : OK;
    *may = true;
    for (int i = 0; i < event->conditions; i++)
        *may = *may && condition[i] > 0;
    free(condition);
    return status;
}

static enum status holds(struct complex_run *run, const struct event *event, bool *does)
{
    int count = event->conditions, doubtful = -1;
    double *here = memory_new(2 * count, sizeof *here), *beside = here + count;
    memcpy(run->x_at, run->x, 2 * (size_t)run->dim * sizeof *run->x);
    move_beside(run, run->x_at);
    enum status status = conditions_at(run, event, run->x_at, beside);
    if (status == OK)
        status = conditions_at(run, event, run->x, here);
    if (status == OK)
        status = complex_edges_at(run, &run->cm->event[event->index].condition_edges,
                                  run->request->rtol, "");
    for (int i = 0; status == OK && i < count; i++)
        status = complex_gate(run, here[i], "a condition of event ", event->name);
    *does = status == OK;
    for (int i = 0; status == OK && i < count; i++) {
        bool clear = fabs(here[i]) > 2 * fabs(here[i] - beside[i]);
        *does = *does && !(clear && here[i] < 0);
        doubtful = clear ? doubtful : i;
    }
    free(here);
    if (status != OK || !*does || doubtful < 0)
        return status;
    return diagnose(run->diagnosis, CONDITION_EDGE, creal(run->t),
                    "complex step: condition %d of event %s is zero at its guard",
                    doubtful + 1, event->name);
}

enum status complex_choose(struct complex_run *run, const struct event **fired)
{
    const struct complex_mode *mode = &run->cm->mode[run->mode];
    const struct event *leader = *fired;
    double rate = run->guard[leader->index].rate;
    bool does = leader->conditions == 0;
    enum status status = OK;
    for (int g = 0; status == OK && !does && g < mode->events; g++) {
        if (!run->crossed[g] || !event_shares_guard(leader, mode->event[g]))
            continue;
        *fired = mode->event[g];
        status = holds(run, mode->event[g], &does);
    }
    if (status == OK)
        note_gone(run, leader, rate, does ? *fired : NULL);
    if (!does)
        *fired = NULL;
    return status;
}
