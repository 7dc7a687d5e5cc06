/*
 * collect.h - formulas as they are cheapest to evaluate for many states at the same
 * parameters.
 *
 * Every formula is written as a linear combination
 *
 *     c_1 b_1 + c_2 b_2 + ...
 *
 * of products b that move with the state, with coefficients c of parameters alone, which
 * are evaluated once. Equal products are collected, equal coefficients are multiplied
 * once, after the sum of what they multiply; a division is a multiplication by a
 * reciprocal, and reciprocals are shared. So c1*(c2*x) becomes (c1*c2)*x, and a Schur
 * complement of a constant mass matrix a few scalar products with constant weights.
 * Coefficients that are equal (equal.h) are one formula, and so is what they multiply.
 * Sums that are used in several places are not taken apart.
 *
 * The value is the same up to rounding, not to the bit.
 */
#ifndef SALTUS_COLLECT_H
#define SALTUS_COLLECT_H

#include "formula/formula.h"

/* f[i] becomes the collected f[i]. `apart`: sums that are used in several places are, but
   for what depends on parameters alone, which is added where they are used. */
void collect(struct tape *tape, formula *f, int count, bool apart);

#endif
