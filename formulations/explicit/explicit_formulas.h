/*
 * explicit_formulas.h - the equations of motion solved in formulas: what explicit_rhs.h
 * evaluates.
 */
#ifndef SALTUS_EXPLICIT_FORMULAS_H
#define SALTUS_EXPLICIT_FORMULAS_H

#include "explicit_rhs.h"

/* NULL: no order of pivots can be chosen beforehand. Outputs: a, s', z'; their
   derivatives; the pivots, first those that move; lambda and its derivatives, which the
   right-hand side of a run does not ask for. */
struct program *explicit_formulas(struct tape *tape,
                                  const struct explicit_equations *equations);

#endif
