/*
 * sparse.h - square matrices of which hardly any entry is there, factorised by KLU of
 * SuiteSparse (Davis, Palamadai Natarajan 2010): the cost grows with the entries of the
 * factors, for chains and rows of linkages with n.
 *
 * Used from SPARSE_FROM unknowns on. Below, the equations of motion are solved beforehand
 * (fused.h), and starts are dense, which chooses among dependent rows.
 */
#ifndef SALTUS_SPARSE_H
#define SALTUS_SPARSE_H

#include <stdbool.h>

/*
 * Instructions of a right-hand side with two derivatives (index 1), interpreted and
 * compiled, and by KLU; to make the program, and seconds to compile it:
 *
 *     unknowns             interpreted  compiled     KLU    to make   compile
 *      15 pendulum-chain-5      26e3      1.8e3     36e3     8e6       0.5
 *      60 pendulum-chain-20    139e3      9.8e3    143e3    45e6       2.4
 *     159 four-bar-39          452e3       33e3    423e3   152e6       6.3
 *     240 pendulum-chain-80    591e3       41e3    580e3   211e6       9.4
 *
 * All of it grows with n: a program is made within some 1000 evaluations by KLU and, as
 * it is compiled only when it has been interpreted for as long as that takes (fused.c),
 * never costs more than twice what is best. What does not grow with n is the solver
 * beside it, which it is compared with and gives way to: dense below SPARSE_FROM, with
 * n^3 operations, about ten times those of KLU there.
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
};

void sparse_init(struct sparse *A, int n);
void sparse_clear(struct sparse *A);
/* Places an entry, row after row, each in a column where that row has none yet; returns
   its index in `value`. */
int sparse_place(struct sparse *A, int row, int column);
/* LU of the values as they are. Where the pivots of the last time serve again nothing is
   allocated. false: not finite, or a pivot is zero to rounding, as in factor.h. */
bool sparse_factor(struct sparse *A);
/* x = A^-1 x */
void sparse_solve(const struct sparse *A, double *x);
/* The smallest pivot against the size [n] of its row; see factor_least_pivot. */
double sparse_least_pivot(const struct sparse *A, const double *size);
/* Is A, which is symmetric and has its diagonal placed, positive definite beyond doubt:
   does elimination along the diagonal meet no pivot below 1e-8 of what stood there? */
bool sparse_positive_definite(struct sparse *A);

#endif
