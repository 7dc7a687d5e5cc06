/*
 * klu.h - LU factorisation of sparse square matrices by KLU of SuiteSparse (Davis,
 * Palamadai Natarajan 2010). The cost grows with the entries of the factors: for chains
 * and rows of linkages with n.
 *
 * Two users take sparse matrices from SPARSE_FROM unknowns on: the start, which is dense
 * below because dense code chooses among dependent rows; and the pivoting solver with
 * which the equations of motion solved beforehand (explicit_rhs.h) are compared. Stage
 * equations of implicit methods are sparse at any size (integrators/radau_blocks.c,
 * radau_matrix.c).
 */
#ifndef SALTUS_KLU_H
#define SALTUS_KLU_H

#include <stdbool.h>

#include "base/arena.h"

/*
 * The table has microseconds of a right-hand side with two derivatives (index 1), by KLU
 * and compiled; rows of the program, and of its text, in which repetition is a loop
 * (optimise/reroll.h); milliseconds to make the program, seconds to compile it:
 *
 *     unknowns                  KLU  compiled     rows   text  to make  compile
 *      120 pendulum-chain-40             2.0     10943   2942       20      0.9
 *      480 pendulum-chain-160    90      8.5     45000   2980      100      0.9
 *     3000 pendulum-chain-1000  600       56    285983   2982      500      0.9
 *     4003 four-bar-1000        900       83    475233   5646      900      1.7
 *
 * All but the text grows with n. The program is taken where its cost counts for little:
 * where its operations are in proportion to the unknowns (explicit/elimination_parts.h)
 * and its text is compiled in seconds (explicit_rhs.c). Elsewhere, where the equations
 * are not linear, and where pivots get into doubt, KLU solves the equations. Below
 * SPARSE_FROM the pivoting solver is dense, with n^3 operations, about ten times those of
 * KLU there.
 */
enum { SPARSE_FROM = 160 };

/* A matrix and its factors. The functions below set all members but `value`. */
struct sparse {
    int n, count, room, value_room;     /* rows and columns; entries placed; room of
                                           `column` and of `value` */
    int *begin, *column;        /* [n+1] [count] entries by rows */
    double *value;              /* [count] set by the caller */
    double *scaled;             /* [count] values, rows, then columns scaled to one */
    double *row, *right;        /* [n] divisors of rows, of columns */
    double *x;                  /* [n] scratch */
    struct sparse_factors *factors;     /* NULL: the entries are still being placed */
    struct arena arena;         /* memory of all arrays but `column` and `value` */
};

/* A matrix of n rows without entries. */
void sparse_init(struct sparse *A, int n);
void sparse_clear(struct sparse *A);
/* Places an entry, row after row, each place once; returns its index in `value`. */
int sparse_place(struct sparse *A, int row, int column);
/* Factorises the values. The call allocates unless the pivots of the last factorisation
   serve again. False: a value is not finite, or a pivot is zero to rounding in the matrix
   with rows and columns scaled to one. */
bool sparse_factor(struct sparse *A);
/* x [n] becomes A^-1 x. */
void sparse_solve(const struct sparse *A, double *x);
/* x [n] becomes A'^-1 x. */
void sparse_solve_transposed(const struct sparse *A, double *x);
/* Solves like sparse_solve, with one step of iterative refinement, which makes errors of
   each row those of its own terms (Skeel 1980); `left` [n] is scratch. The values are
   those that have been factorised. */
void sparse_solve_refined(const struct sparse *A, double *x, double *left);
/* The smallest pivot relative to the size [n] of its row (dense_lu_least_pivot). */
double sparse_least_pivot(const struct sparse *A, const double *size);
/* True if A, which is symmetric and has its diagonal placed, is positive definite beyond
   doubt: scaled to a diagonal of ones, elimination along the diagonal meets no pivot
   below 1e-8. */
bool sparse_positive_definite(struct sparse *A);

#endif
