/*
 * accumulation.h - Zeno behaviour: do events accumulate at a finite time?
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
 *   - its intervals have shrunk to a quarter in six ratios or more, or to a millionth in
 *     two or more. Intervals d/k shrink to 4/5 while 1 - q changes by a fifth; intervals
 *     d/k^p count for p > 6, where they have a sum.
 */
#ifndef SALTUS_ACCUMULATION_H
#define SALTUS_ACCUMULATION_H

#include "model.h"

/* Number of last events that are kept. */
enum { ACCUMULATION_EVENTS = 4 };

/* The last events; all bytes are zero before the first. */
struct accumulation {
    int events, ratios;             /* number of events noted; of ratios in turn that
                                       were alike */
    double last, interval, ratio;   /* time of the last event; interval before it; this
                                       interval over the one before */
    double begin, first;            /* interval before the pattern; its first ratio */
    const struct event *event[ACCUMULATION_EVENTS];     /* the last events, latest
                                                           first */
};

/* Notes an event at time t that was not set off by another at that time. */
void accumulation_note(struct accumulation *accumulation, const struct event *event,
                       double t);
/* The time at which the events accumulate, if they go on as they did. NAN: there is no
   pattern. */
double accumulation_time(const struct accumulation *accumulation);
/* May the pattern end by itself? The last event has conditions, which may cease to hold,
   or sets a state: who counts may stop. */
bool accumulation_may_end(const struct accumulation *accumulation,
                          const struct model *model);

#endif
