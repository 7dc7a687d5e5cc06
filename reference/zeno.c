/* zeno.c - accumulation of events. */
#include <math.h>

#include "arc.h"

enum { EVENT_LIMIT = 10000 };

/* Intervals that shrink by the same ratio end at t + interval r/(1 - r). */
enum status arc_accumulation(struct arc *arc)
{
    struct run *run = arc->run;
    long limit = run->request->max_events > 0 ? run->request->max_events : EVENT_LIMIT;
    mpfr_sub(run->work, run->t, arc->last_event, MPFR_RNDN);
    double latest = mpfr_get_d(run->work, MPFR_RNDN), t = arc_time(arc);
    if (run->out->events > 1 && latest > 0) {
        arc->interval[2] = arc->interval[1];
        arc->interval[1] = arc->interval[0];
        arc->interval[0] = latest;
    }
    mpfr_set(arc->last_event, run->t, MPFR_RNDN);
    double r = arc->interval[0] / arc->interval[1],
           s = arc->interval[1] / arc->interval[2];
    bool geometric = r < 1 && fabs(r - s) < 0.01 * (1 - r);
    double end = t + arc->interval[0] * r / (1 - r);
    bool many = run->out->events >= limit;
    if (geometric && (arc->interval[0] < 1e-9 * fmax(1, fabs(t)) ||
                      (many && end < mpfr_get_d(run->t_end, MPFR_RNDN))))
        return diagnose(run->diagnosis, ZENO, t, "after %d events: they accumulate at "
                        "t = %.12g, each interval %.6g of the one before",
                        run->out->events, end, r);
    if (many)
        return diagnose(run->diagnosis, TOO_MANY_EVENTS, t, "%d events",
                        run->out->events);
    return OK;
}
