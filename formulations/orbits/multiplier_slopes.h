/*
 * multiplier_slopes.h - derivatives of multipliers by parameters: differences along the
 * family of orbits.
 */
#ifndef SALTUS_MULTIPLIER_SLOPES_H
#define SALTUS_MULTIPLIER_SLOPES_H

#include "orbits/shooting.h"

/* Sets dmultiplier and derror of the orbit, which the shooting has been solved for; du
   [parameters][unknowns] are its derivatives. The runs of the segments are gone then. */
void multiplier_slopes(struct shooting *shooting, const double *du, struct orbit *orbit);

#endif
