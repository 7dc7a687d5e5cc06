/*
 * zeno.c - Zeno behaviour: events that accumulate at a finite time.
 *
 * Such a motion has no continuation by events (accumulation.h). The run is refused if the
 * time of accumulation is before its end, and so near that the events before it cannot be
 * resolved: their intervals are too short, or their guards are crossed too slowly.
 */
#include <math.h>

#include "events/hybrid.h"

static enum status refuse(struct hybrid *core, double limit)
{
    return diagnose(core->diagnosis, ZENO, limit,
                    "%d events up to t = %.12g accumulate at t = %.12g",
                    core->out->events, core->t, limit);
}

/* Events are unresolved when the time left to accumulation is this small, relative; those
   that may end by themselves, as long as they can be told apart. */
enum status zeno_note(struct hybrid *core, const struct event *event, enum status status)
{
    if (status != OK && status != GRAZING)
        return status;
    accumulation_note(&core->accumulation, event, core->t);
    double limit = accumulation_time(&core->accumulation);
    bool may_end = accumulation_may_end(&core->accumulation, core->model);
    double left = (may_end ? least_counted_interval : least_interval) *
                  fmax(fabs(core->t), core->span.t_end - core->span.t0);
    bool unresolved = status == GRAZING || limit - core->t < left;
    return unresolved && limit < core->span.t_end ? refuse(core, limit) : status;
}

enum status zeno_limit(struct hybrid *core)
{
    double limit = accumulation_time(&core->accumulation);
    if (limit < core->span.t_end)
        return refuse(core, limit);
    return diagnose(core->diagnosis, TOO_MANY_EVENTS, core->t,
                    "%ld events; raise the limit (saltus run --max-events) if that is "
                    "what is wanted",
                    core->max_events);
}
