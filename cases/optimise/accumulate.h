/*
 * accumulate.h - derivatives along many directions with fewer operations for each.
 *
 * A row of a direction is linear in it: a sum of products c d, where d is another such
 * row and c depends on values alone. Each product is an operation for every direction.
 * Two products with the same d, which a sum reaches on two ways, can be one, whose
 * coefficient is evaluated once for all directions. This is preaccumulation of local
 * Jacobians (Griewank, Walther 2008, chapters 9 and 10) of rows that are used once: what
 * is used in several places stays, so that a residual is not taken for what it should
 * be, nothing.
 */
#ifndef SALTUS_ACCUMULATE_H
#define SALTUS_ACCUMULATE_H

#include "formula/formula.h"

/* f[i] becomes a formula of the same value up to rounding, where an operation on all
   directions costs `weight` times as much as one on values; 1: it stays. f[i] are values,
   or linear in one direction. */
void accumulate(struct tape *tape, formula *f, int count, int weight);

#endif
