/*
 * klu.h - square matrices of which hardly any entry is there, factorised by KLU of
 * SuiteSparse (Davis, Palamadai Natarajan 2010): the cost grows with the entries of the
 * factors, for chains and rows of linkages with n.
 *
 * Used from SPARSE_FROM unknowns on: for starts, which are dense below because that
 * chooses among dependent rows, and as the solver with pivots that the equations of
 * motion solved beforehand (explicit_rhs.h) are compared with, and give way to.
 */
#ifndef SALTUS_KLU_H
#define SALTUS_KLU_H

#include <stdbool.h>

#include "base/arena.h"

/*
 * Microseconds of a right-hand side with two derivatives (index 1), by KLU and compiled;
 * rows of the program, and of its text, in which what repeats is a loop
 * (optimise/reroll.h); milliseconds to make the program, seconds to compile it:
 *
 *     unknowns                  KLU  compiled     rows   text  to make  compile
 *      120 pendulum-chain-40             2.0     10943   2942       20      0.9
 *      480 pendulum-chain-160    90      8.5     45000   2980      100      0.9
 *     3000 pendulum-chain-1000  600       56    285983   2982      500      0.9
 *     4003 four-bar-1000        900       83    475233   5646      900      1.7
 *
 * All but the text grows with n. The program is taken where that counts for little: where
 * its operations are in proportion to the unknowns (explicit/elimination_parts.h) and its
 * text is not longer than is compiled in seconds (explicit_rhs.c); else the equations are
 * solved by KLU, as they are where they are not linear, or pivots get into doubt. Below
 * SPARSE_FROM that solver is dense, with n^3 operations, about ten times those of KLU
 * there.
 */
enum { SPARSE_FROM = 160 };

struct sparse {
    int n, count, room, value_room;
    int *begin, *column;        /* [n+1] [count] entries by rows */
    double *value;              /* [count] the caller's to fill */
    double *scaled;             /* [count] rows, then columns, divided by their largest */
    double *row, *right;        /* [n] by which they were divided */
    double *x;                  /* [n] scratch */
    struct sparse_factors *factors;     /* NULL: the entries are still being placed */
    struct arena arena;         /* of all arrays but `column` and `value`, which grow */
};

void sparse_init(struct sparse *A, int n);
void sparse_clear(struct sparse *A);
/* Places an entry, row after row, each in a column where that row has none yet; returns
   its index in `value`. */
int sparse_place(struct sparse *A, int row, int column);
/* LU of the values as they are. Where the pivots of the last time serve again nothing is
   allocated. false: not finite, or a pivot is zero to rounding, as in dense_lu.h. */
bool sparse_factor(struct sparse *A);
/* x = A^-1 x */
void sparse_solve(const struct sparse *A, double *x);
/* The smallest pivot against the size [n] of its row; see dense_lu_least_pivot. */
double sparse_least_pivot(const struct sparse *A, const double *size);
/* Is A, which is symmetric and has its diagonal placed, positive definite beyond doubt:
   does elimination along the diagonal meet no pivot below 1e-8 of what stood there? */
bool sparse_positive_definite(struct sparse *A);

#endif
