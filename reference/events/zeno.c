/* zeno.c - Zeno behaviour: accumulation of events, by extrapolation of their intervals
   (accumulation.h). */
#include <math.h>

#include "arc.h"
#include "arithmetic/tolerances.h"

enum { EVENT_LIMIT = 10000 };

enum status arc_accumulation(struct arc *arc)
{
    struct run *run = arc->run;
    long limit = run->request->max_events > 0 ? run->request->max_events : EVENT_LIMIT;
    double t = arc_time(arc), last = mpfr_get_d(run->t_end, MPFR_RNDN);
    bool many = run->out->events >= limit;
    accumulation_note(&arc->accumulation, arc->cause, t);
    double end = accumulation_time(&arc->accumulation);
    double least = reference_least_interval * fmax(1, fabs(t));
    if (accumulation_may_end(&arc->accumulation, run->model))
        least = exp2(arc_instant(arc) + 10);    /* a thousand times what is at one time */
    if (end < last && (many || arc->accumulation.interval < least))
        return diagnose(run->diagnosis, ZENO, many ? end : t, "after %d events: they "
                        "accumulate at t = %.12g, each interval %.6g of the one before",
                        run->out->events, end, arc->accumulation.ratio);
    if (many)
        return diagnose(run->diagnosis, TOO_MANY_EVENTS, t, "%d events",
                        run->out->events);
    return OK;
}
