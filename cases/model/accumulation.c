#include "accumulation.h"

#include <math.h>
#include <string.h>

/* A ratio q is alike the first of the pattern where 1 - q differs by less than this part.
   The pattern counts after so many ratios when its intervals have become a quarter, or
   after two when they have become a millionth. */
static const double alike = 0.2, shrunk = 0.25, vanished = 1e-6;
enum { RATIOS = 6 };

static void note_interval(struct accumulation *accumulation, double interval)
{
    double ratio = interval / accumulation->interval;
    bool shrinks = accumulation->interval > 0 && ratio < 1;
    if (!shrinks)
        accumulation->ratios = 0;
    else if (accumulation->ratios > 0 &&
             fabs(ratio - accumulation->first) < alike * (1 - accumulation->first))
        accumulation->ratios++;
    else
        accumulation->ratios = 1;
    if (accumulation->ratios == 1) {
        accumulation->begin = accumulation->interval;
        accumulation->first = ratio;
    }
    accumulation->ratio = ratio;
    accumulation->interval = interval;
}

void accumulation_note(struct accumulation *accumulation, const struct event *event,
                       double t)
{
    if (event->timed)
        return;
    memmove(accumulation->event + 1, accumulation->event,
            (ACCUMULATION_EVENTS - 1) * sizeof *accumulation->event);
    accumulation->event[0] = event;
    if (accumulation->events++ > 0)
        note_interval(accumulation, t - accumulation->last);
    accumulation->last = t;
}

/* Has the last event been there shortly before? */
static bool comes_again(const struct accumulation *accumulation)
{
    bool again = false;
    for (int k = 1; k < ACCUMULATION_EVENTS; k++)
        again = again || accumulation->event[k] == accumulation->event[0];
    return again;
}

double accumulation_time(const struct accumulation *accumulation)
{
    double q = accumulation->ratio, d = accumulation->interval;
    double part = d / accumulation->begin;
    bool pattern = (accumulation->ratios >= RATIOS && part < shrunk) ||
                   (accumulation->ratios > 1 && part < vanished);
    if (!pattern || !comes_again(accumulation))
        return NAN;
    return accumulation->last + d * q / (1 - q);
}
