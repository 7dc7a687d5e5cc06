/*
 * guard_exclusion.h - formulas of guard_exclusion.c, for one run or for some in the lanes
 * of a vector (batch_accept.c).
 */
#ifndef SALTUS_GUARD_EXCLUSION_H
#define SALTUS_GUARD_EXCLUSION_H

#include "base/tolerances.h"

/* Coefficients of H in the middle, from its values and rates at the ends. Divisions are
   the dearest of what is done to a step that nothing happens on: there are none. */
#define EXCLUSION_FIRST(value, rise) ((value) + (rise) * (1 / 3.0))
#define EXCLUSION_SECOND(end, rise)  ((end) - (rise) * (1 / 3.0))
/* Where the step begins at a root of which theta has been divided out, H is quadratic:
   that coefficient in its basis which is between the ends, and from there with one of
   them those in the basis of cubic polynomials. */
#define EXCLUSION_MIDDLE(end, rise)  ((end) - ((rise) - (end)) * 0.5)
#define EXCLUSION_THIRD(one, middle) (((one) + 2.0 * (middle)) * (1 / 3.0))
/* H at theta; back: 1 - theta */
#define EXCLUSION_VALUE(b0, b1, b2, b3, theta, back) \
    ((back) * (back) * ((back) * (b0) + 3.0 * (theta) * (b1)) + \
     (theta) * (theta) * (3.0 * (back) * (b2) + (theta) * (b3)))
/* The difference at theta as a part of its maximum; and from a root on. */
#define EXCLUSION_SHARE(theta, back) (16.0 * (theta) * (theta) * (back) * (back))
#define EXCLUSION_SHARE_FROM_ROOT(theta, back) (6.75 * (theta) * (back) * (back))

#endif
