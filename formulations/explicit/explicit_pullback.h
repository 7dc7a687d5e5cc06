/*
 * explicit_pullback.h - gradients of a weighted sum of rates with the equations of motion
 * solved beforehand, unknowns and transposed equations by elimination in formulas, for
 * equations/pullback.h.
 */
#ifndef SALTUS_EXPLICIT_PULLBACK_H
#define SALTUS_EXPLICIT_PULLBACK_H

#include "explicit/explicit_rhs.h"

/* out [count] = gradients f [count] with u of R(u) = 0 and eta (BLOCK_ADJOINT) of
   R_u' eta = c [rows] in the place of these variables. False where no order of pivots
   can be chosen beforehand. R is linear in u, not iterated, and no constraint is
   dependent. */
bool explicit_pullback(struct tape *tape, const struct explicit_equations *e,
                       const formula *c, const formula *f, int count, formula *out);

#endif
