/*
 * simple_zero.h - guards that are odd powers, as the guards that cross zero with them.
 *
 * The motion crosses p^3 = 0 where it crosses p = 0, and in the same direction; but the
 * rate of p^3 is zero there, so that no formula for dt_e/drho holds, while dt_e/drho is
 * that of p.
 */
#ifndef SALTUS_SIMPLE_ZERO_H
#define SALTUS_SIMPLE_ZERO_H

#include "formula/formula.h"

/* A formula that has the sign of the guard everywhere: factors with an odd exponent,
   y*y*y, (y - h)^5 (x + 1), once. A factor with an even exponent touches zero and
   stays as it is. Writes rows on the tape. */
formula simple_zero(formula guard);

#endif
