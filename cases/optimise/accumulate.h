/*
 * accumulate.h - preaccumulation of local Jacobians: derivatives along many directions
 * with fewer operations for each (Griewank & Walther 2008, chapters 9 and 10).
 *
 * A row of a direction is linear in it: a sum of products c d, where d is another such
 * row and c depends on values alone. Each product is an operation for every direction.
 * Two products with the same d, which a sum reaches on two ways, can be one, whose
 * coefficient is evaluated once for all directions. Rows that are used once are so
 * expanded; a row that is used in several places stays, so that a residual is not
 * simplified to the zero that it should be.
 */
#ifndef SALTUS_ACCUMULATE_H
#define SALTUS_ACCUMULATE_H

#include "formula/formula.h"

/* Replaces f [count] by formulas of the same values up to rounding. An operation on
   all directions costs `weight` times as much as one on values; 1: the formulas stay.
   f[i] are values, or linear in one direction. */
void accumulate(struct tape *tape, formula *f, int count, int weight);

#endif
