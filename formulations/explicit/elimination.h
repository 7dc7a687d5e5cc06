/*
 * elimination.h - a sparse linear system solved in formulas: Gaussian elimination
 * unrolled, so that it becomes rows of the same program as its matrix and right-hand
 * sides, and what is zero or constant there costs nothing.
 *
 *     A = L D U,    L and U' unit lower triangular in the order of the pivots
 *
 * The order is chosen before any number is known, from where the entries are: pivots
 * stand on the diagonal, and an unknown whose own equation does not determine it - a
 * multiplier - is eliminated only after all coordinates of its row. With M positive
 * definite that is stable for every alpha, index 1 (alpha^-1 = 0) included: the pivots of
 * the multipliers are those of Phi_q M^-1 Phi_q' + alpha^-1, with M of the coordinates
 * that have gone before. Vanderbei 1995: quasidefinite matrices.
 *
 * Three orders are tried: all coordinates first where M is constant (the Schur
 * complement), whichever unknown is cheapest next, and whichever has the fewest
 * neighbours left, by which a chain is eliminated body by body; the one with the fewest
 * operations is taken. What depends on parameters alone does not count: it is done once.
 */
#ifndef SALTUS_ELIMINATION_H
#define SALTUS_ELIMINATION_H

#include <stdbool.h>

#include "explicit/formula_matrix.h"

struct elimination;

/* A is square; multiplier [rows]: which unknowns wait. NULL: a pivot is zero by
   structure, there is no such order; or every one takes too many operations. */
struct elimination *elimination_new(struct tape *tape, const struct formula_matrix *A,
                                    const bool *multiplier);
void elimination_free(struct elimination *elimination);
/* b [rows] becomes A^-1 b. */
void elimination_solve(const struct elimination *elimination, formula *b);
/* The pivots [rows] D, unknown by unknown. */
const formula *elimination_pivots(const struct elimination *elimination);

#endif
