/*
 * explicit_formulas.h - symbolic solution of the equations of motion, for explicit_rhs.h.
 */
#ifndef SALTUS_EXPLICIT_FORMULAS_H
#define SALTUS_EXPLICIT_FORMULAS_H

#include "explicit_rhs.h"

/* Seals the solution into a program; NULL when no order of pivots can be chosen
   beforehand. Outputs: a, s', z'; their derivatives; the pivots, moving ones first;
   lambda and its derivatives, which the right-hand side of a run does not ask for; the
   next iterate of the tearing variables, and of mu; of the derivatives of mu. */
struct program *explicit_formulas(struct tape *tape,
                                  const struct explicit_equations *equations);

#endif
