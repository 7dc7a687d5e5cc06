/*
 * floquet.h - multipliers of a periodic motion: eigenvalues of the monodromy matrix, the
 * product of the derivatives of all segments.
 */
#ifndef SALTUS_FLOQUET_H
#define SALTUS_FLOQUET_H

#include "orbits/shooting.h"

/* Sets the multipliers of the orbit from the segments, which have been run along it. */
void floquet_multipliers(const struct shooting *shooting, struct orbit *orbit);

#endif
