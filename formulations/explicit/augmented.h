/*
 * augmented.h - augmented Lagrange iteration (Bayo, Ledesma 1996) inside a right-hand
 * side, as formulas; private to explicit_formulas.c.
 *
 * An iterated residual R(u; mu) = A u + B mu + b is linear in the multipliers mu of the
 * iterate before. Its iterates are the multipliers of u0 - A^-1 B mu, where u0 = -A^-1 b
 * depends on the state alone: one substitution with the factors at hand. Derivatives of
 * the limit satisfy the derivative of R with mu' = lambda', by the iteration that values
 * have, where mu = lambda.
 */
#ifndef SALTUS_AUGMENTED_H
#define SALTUS_AUGMENTED_H

#include "explicit/solution.h"

/* The multipliers mu of a residual without them: count = 0, and all functions do
   nothing. */
struct augmented {
    const struct explicit_equations *equations;
    struct tape *tape;
    int count;                  /* number of mu */
    int first;                  /* index of mu among the variables that are iterated */
    formula *B;                 /* [rows][count] dR/dmu */
};

void augmented_init(struct augmented *augmented, struct tape *tape,
                    const struct explicit_equations *e);
void augmented_clear(struct augmented *augmented);

/* f [rows] becomes f + B mu, where mu are variables of that block. */
void augmented_add(const struct augmented *augmented, int block, formula *f);
/* u [rows] becomes u - A^-1 B mu; `solver` is that of A. */
void augmented_move(const struct augmented *augmented,
                    const struct solver *solver, int block, formula *u);

#endif
