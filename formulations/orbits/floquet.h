/*
 * floquet.h - multipliers of a periodic motion: eigenvalues of the monodromy matrix, the
 * product of the derivatives of all segments.
 */
#ifndef SALTUS_FLOQUET_H
#define SALTUS_FLOQUET_H

#include "orbits/shooting.h"

/* The multipliers of the segments as they have been run last, by falling magnitude, and
   which of them are trivial (orbit.h); both [returned], the caller frees them. */
int floquet_multipliers(const struct shooting *shooting, double complex **multiplier,
                        bool **trivial);

/* The real vector of the multiplier that is nearest to `value`: [nodes][count of the
   node], from the first node on along the orbit; the caller frees each and all. */
double **floquet_vector(const struct shooting *shooting, double value);

#endif
