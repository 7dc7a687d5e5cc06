/*
 * diff.h - symbolic differentiation: exact derivatives as further rows of the same tape,
 * by forward and reverse sweeps (Griewank & Walther 2008, ch. 3).
 *
 * Sweeps go over the rows that the given formulas reach, in post-order from them, with an
 * explicit stack: the cost is the number of rows reached, there is no recursion, and the
 * result does not depend on the order in which the rows were recorded.
 */
#ifndef SALTUS_DIFF_H
#define SALTUS_DIFF_H

#include "formula/formula.h"

/* The derivative of variable `index` of `block` along a direction; zero where unset. */
typedef formula seed_fn(void *context, int block, int index);

/* Forward sweep: out[i] is the derivative of f[i] along the direction that `seed`
   describes; f and out [count]. */
void tangent_along(const formula *f, int count, seed_fn *seed, void *context,
                   formula *out);

/* Forward sweep along a symbolic direction: d(block, index) is the variable
   (DIRECTION(block, copy), index), copy 1 .. BLOCK_COPIES - 1. Only blocks b with
   active[b] true move; active [BLOCKS]. */
void tangent(struct tape *tape, const formula *f, int count, const bool *active, int copy,
             formula *out);

/* Two forward sweeps: out[i] is the mixed second derivative along two symbolic
   directions, copies 1 and 2, of variables that have the product of both in copy 3 as
   well:
   x + d1 e1 + d2 e2 + d3 e1 e2 gives the coefficient of e1 e2. */
void second_tangent(struct tape *tape, const formula *f, int count, const bool *active,
                    formula *out);

/* Reverse sweep: out[j] = df / d(block, j) for j = 0 .. size - 1, zero where f does
   not depend on it. */
void gradient(formula f, int block, int size, formula *out);

/* Reverse sweep for a long, mostly empty gradient: sets only the entries of out [size]
   that are not zero, and lists them in index [size], ascending. Returns their number.
   The cost does not grow with `size`. */
int gradient_entries(formula f, int block, int size, formula *out, int *index);

/* out[i*size + j] = df[i] / d(block, j) for f [rows], a reverse sweep for each row.
   Structural zeros are left unset. */
void jacobian(const formula *f, int rows, int block, int size, formula *out);

#endif
