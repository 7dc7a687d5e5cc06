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

/* About where solving beforehand takes as long as a run: its program grows faster than n. */
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
