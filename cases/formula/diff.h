/*
 * diff.h - exact derivatives, written as further rows of the same tape.
 *
 * Sweeps go over the rows that the given formulas reach, in post-order from them, with an
 * explicit stack: cost is the number of rows reached, there is no recursion, and the
 * result does not depend on the order in which the rows were recorded.
 */
#ifndef SALTUS_DIFF_H
#define SALTUS_DIFF_H

#include "formula/formula.h"

/* d(variable) along a direction, for variable `index` of `block`; zero where unset. */
typedef formula seed_fn(void *context, int block, int index);

/* out[i] = derivative of f[i] along the direction that `seed` describes
   (forward sweep). */
void tangent_along(const formula *f, int count, seed_fn *seed, void *context,
                   formula *out);

/* out[i] = derivative along the symbolic direction: d(block, index) is the variable
   (DIRECTION(block, copy), index). Only blocks with a 1 in `active[BLOCKS]` move. */
void tangent(struct tape *tape, const formula *f, int count, const bool *active, int copy,
             formula *out);

/* out[j] = df / d(block, j), j = 0 .. size-1 (reverse sweep). */
void gradient(formula f, int block, int size, formula *out);

/* The same of a long, mostly empty row: out [size] is unset when it comes, of it only the
   entries that are not zero are set, and index[] [size] names them, ascending. Returns
   how many. The cost does not grow with `size`. */
int gradient_entries(formula f, int block, int size, formula *out, int *index);

/* out[i*size + j] = df[i] / d(block, j). Structural zeros are left unset. */
void jacobian(const formula *f, int rows, int block, int size, formula *out);

#endif
