/*
 * accumulation.c - Zeno behaviour: extrapolation of the intervals between events as a
 * geometric sequence; see accumulation.h.
 */
#include "accumulation.h"

#include <math.h>
#include <string.h>

/* A ratio q is like the first one q_1 of its pattern if |q - q_1| < alike (1 - q_1). */
static const double alike = 0.2;
/* After RATIOS ratios a pattern counts when its intervals have become this part. */
static const double shrunk = 0.25;
enum { RATIOS = 6 };
/* After two ratios a pattern counts when its intervals have become this part. */
static const double vanished = 1e-6;

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

/* True: the last event is among the few before it, too. */
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

bool accumulation_may_end(const struct accumulation *accumulation,
                          const struct model *model)
{
    const struct event *last = accumulation->event[0];
    bool counts = last && last->conditions > 0;
    for (int k = 0; last && k < model->ns; k++)
        counts = counts || last->s_plus[k].tape;
    return counts;
}
