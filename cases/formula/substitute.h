/*
 * substitute.h - substitution in expression graphs: formulas in the place of variables or
 * rows.
 */
#ifndef SALTUS_SUBSTITUTE_H
#define SALTUS_SUBSTITUTE_H

#include "formula/formula.h"

/* The formula that replaces variable `index` of `block`: the variable itself, if it
   stays. */
typedef formula value_fn(void *context, int block, int index);

/* out[i] = f[i] with every variable replaced. Trivial results are folded as if they
   had been written so: with zero for a, the row m*a + F is F. f and out [count]; out
   may be f. */
void substitute(struct tape *tape, const formula *f, int count, value_fn *value,
                void *context, formula *out);

/* out[i] = f[i] with the formulas row [rows], each a row of the tape, wherever it is
   reached, replaced by with [rows]. f and out [count]; out may be f. */
void substitute_rows(struct tape *tape, const formula *f, int count, const formula *row,
                     int rows, const formula *with, formula *out);

/* out[i] = f[i] with every variable of block b replaced by the variable of the same
   index of block to[b]; to [BLOCK_LIMIT], to[b] = b for blocks that stay: Phid(q, v)
   becomes Phid(q+, v+). */
void rename_blocks(struct tape *tape, const formula *f, int count, const int *to,
                   formula *out);

/* out[i] = f[i] at the state after an event: (q, v, s) become (q+, v+, s+). */
void rename_after_event(struct tape *tape, const formula *f, int count, formula *out);

#endif
