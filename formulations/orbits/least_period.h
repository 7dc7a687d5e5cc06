/*
 * least_period.h - the least period of an orbit whose equations were solved for a
 * multiple of it.
 *
 * The motion has no memory but its state: an orbit that is in the state of its first node
 * after T/k, in the mode of that node, is there again each T/k. Its events are then the
 * same k times, so that k divides their number.
 */
#ifndef SALTUS_LEAST_PERIOD_H
#define SALTUS_LEAST_PERIOD_H

#include "orbits/shooting.h"

/* How often the orbit that has been solved for goes round in its period: the largest k by
   which the motion is back after T/k, as well as the equations determine it; 1: the
   period is the least. The equations stay evaluated at the orbit. Statuses of
   segment_run. */
enum status least_period_rounds(struct shooting *shooting, int *rounds,
                                struct diagnosis *diagnosis);
/* By how much of its size a component of the first node is off at most after half of the
   period, with the sign of all of them added up; NAN: no run comes there. It goes through
   zero where two halves become one. */
double least_period_half(struct shooting *shooting);
/* The first of so many rounds as a guess, to be freed by orbit_guess_free; `guess` is
   that of the orbit. */
struct orbit_guess *least_period_guess(const struct shooting *shooting,
                                       const struct orbit_guess *guess, int rounds);

#endif
