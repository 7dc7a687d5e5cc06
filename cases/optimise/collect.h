/*
 * collect.h - like terms and common factors: formulas written for cheap evaluation at
 * many states with the same parameters.
 *
 * Every formula is written as a linear combination
 *
 *     c_1 b_1 + c_2 b_2 + ...
 *
 * of products b that move with the state, with coefficients c of parameters alone, which
 * are evaluated once. Equal products are collected; a coefficient that several products
 * share multiplies their sum, once; a division is a multiplication by a reciprocal, and
 * reciprocals are shared. So c1*(c2*x) becomes (c1*c2)*x, and a Schur complement of a
 * constant mass matrix a few scalar products with constant weights. Coefficients that are
 * equal (equal.h) are one formula, and so are the products that they multiply. Sums that
 * are used in several places are not expanded.
 *
 * The value is the same up to rounding, not to the bit.
 */
#ifndef SALTUS_COLLECT_H
#define SALTUS_COLLECT_H

#include "formula/formula.h"

/* Replaces f [count] by collected formulas. `apart`: the coefficients of parameters
   alone in a sum that is used in several places are taken out, and added where the sum
   is used. */
void collect(struct tape *tape, formula *f, int count, bool apart);

#endif
