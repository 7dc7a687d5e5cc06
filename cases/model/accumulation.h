/*
 * accumulation.h - do events accumulate at a finite time (Zeno)?
 *
 * Intervals between events that shrink by one ratio q < 1 add up to a finite time,
 *
 *     t + d q/(1 - q)     after the last of them, d long, at t.
 *
 * A few intervals do so by chance: four clocks that strike 4 d, 2 d and d apart are over
 * after the last. Others shrink for ever without a limit: intervals d/k, k = 1, 2, ..,
 * have ratios 1 - 1/k and an infinite sum. So a pattern counts only when
 *
 *   - its events come again; a guard on time alone, which is as often zero as it is
 *     written, has no part in it;
 *   - its ratios have settled: 1 - q is that of the first ratio, within a fifth;
 *   - its intervals have shrunk to a quarter. Those of d/k shrink to 4/5 while 1 - q
 *     changes by a fifth; intervals d/k^p count for p > 6, where they have a sum.
 */
#ifndef SALTUS_ACCUMULATION_H
#define SALTUS_ACCUMULATION_H

#include "model.h"

enum { ACCUMULATION_EVENTS = 4 };

/* The last events, all zero before the first. */
struct accumulation {
    int events, ratios;             /* noted; intervals in turn that shrank alike */
    double last, interval, ratio;   /* time of the last, since that before, over that of
                                       the one before */
    double begin, first;            /* the interval before the pattern; its first ratio */
    const struct event *event[ACCUMULATION_EVENTS];     /* the latest first */
};

/* An event at time t, not set off by another at the same time. */
void accumulation_note(struct accumulation *accumulation, const struct event *event,
                       double t);
/* When they accumulate, if they go on as they did; NAN: there is no such pattern. */
double accumulation_time(const struct accumulation *accumulation);

#endif
