/*
 * elimination.h - a sparse linear system solved in formulas: symbolic Gaussian
 * elimination with static pivots (Vanderbei 1995: quasidefinite matrices), unrolled to
 * rows of the program that has the matrix and the right-hand sides. Entries that are zero
 * or constant there cost nothing.
 *
 *     A = L D U,    L and U' unit lower triangular in the order of the pivots
 *
 * The order is chosen before any number is known, from the pattern of the entries: pivots
 * stand on the diagonal, and an unknown whose own equation does not determine it - a
 * multiplier - is eliminated only after all coordinates of its row. With M positive
 * definite the order is stable for every alpha, index 1 (alpha^-1 = 0) included: the
 * pivots of the multipliers are those of Phi_q M^-1 Phi_q' + alpha^-1, with M of the
 * coordinates that have gone before.
 *
 * Three orders are tried: all coordinates first where M is constant (the Schur
 * complement), the cheapest unknown next, and the unknown with the fewest neighbours left
 * next, by which a chain is eliminated body by body; the order with the fewest operations
 * is taken. Operations that depend on parameters alone do not count: they are done once.
 */
#ifndef SALTUS_ELIMINATION_H
#define SALTUS_ELIMINATION_H

#include <stdbool.h>

#include "explicit/formula_matrix.h"

struct elimination;

/* Eliminates A [rows][rows]; multiplier [rows] marks the unknowns that wait. NULL is
   returned when a pivot is zero by structure, no order exists, or every order takes too
   many operations. */
struct elimination *elimination_new(struct tape *tape, const struct formula_matrix *A,
                                    const bool *multiplier);
void elimination_free(struct elimination *elimination);
/* b [rows] becomes A^-1 b. */
void elimination_solve(const struct elimination *elimination, formula *b);
/* Is A symmetric, though its entries may be written in two ways? */
bool elimination_is_symmetric(struct tape *tape, const struct formula_matrix *A);
/* The pivots [rows] D, unknown by unknown. */
const formula *elimination_pivots(const struct elimination *elimination);

#endif
