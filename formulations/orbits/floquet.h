/*
 * floquet.h - multipliers of a periodic motion: eigenvalues of the monodromy matrix, the
 * product of the derivatives of all segments.
 */
#ifndef SALTUS_FLOQUET_H
#define SALTUS_FLOQUET_H

#include "orbits/shooting.h"

/* floquet_make sets every member; the arrays are the caller's to free. */
struct floquet {
    int count, width;           /* multipliers; 2n + ns */
    double complex *value;      /* [count] by falling magnitude */
    bool *trivial;              /* [count] (orbit.h) */
    double complex *vector;     /* [count][width] directions at the first node */
};

/* The multipliers of the segments as they have been run last. */
void floquet_make(const struct shooting *shooting, struct floquet *floquet);
void floquet_clear(struct floquet *floquet);
/* The real direction of the multiplier that is nearest to `value`, carried on along the
   orbit: [nodes][count of the node]; the caller frees each and all. */
double **floquet_directions(const struct shooting *shooting, double value);

#endif
