/*
 * guard_minima.h - how near guards come to zero between the events of an orbit, without
 * events of theirs: where one gets there along a branch, it grazes.
 */
#ifndef SALTUS_GUARD_MINIMA_H
#define SALTUS_GUARD_MINIMA_H

#include "orbits/shooting.h"

/* least [events of the model]: the least |r| at which a guard turns back on the side that
   it is watched from, where its conditions hold, on the orbit that has been solved for;
   INFINITY: it does not. Those that are near, as a part of the largest |r|, are exact to
   errors of runs. */
void guard_minima(const struct shooting *shooting, double *least);

#endif
