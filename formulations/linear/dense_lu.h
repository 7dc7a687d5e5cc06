/*
 * dense_lu.h - linear systems, stored densely: factorise once, solve often.
 *
 *     P A Q = L U
 *
 * P are the exchanges of partial pivoting. Q sorts the columns, those with the fewest
 * entries first, so that elimination meets zeros as long as there are some, and skips
 * them: of what three stages of Radau IIA take for three bodies in space, 0.7 % of the
 * products of a dense elimination remain.
 */
#ifndef SALTUS_DENSE_LU_H
#define SALTUS_DENSE_LU_H

#include <gsl/gsl_linalg.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/tolerances.h"

struct dense_lu {
    int n;
    gsl_matrix *lu;         /* L below the diagonal, U */
    gsl_permutation *permutation;
    int *order;             /* [n] Q: column k of L U is column order[k] of A */
    int *entry, *end;       /* columns of the entries of L U, row by row: those of row i
                               are before end[i] [n] */
    int *diagonal;          /* [n] where row i of U begins among them */
    double *value;          /* those entries */
    int *below;             /* [n] entries of the column of a pivot */
    double *x;              /* [n] a solution before Q */
    double *row, *column;   /* [n] sizes of the rows of A, of its columns row by row */
    struct arena arena;     /* of all arrays */
};

/* A pivot this small is what rounding leaves of a zero. */

void dense_lu_init(struct dense_lu *factor, int n);
void dense_lu_clear(struct dense_lu *factor);
/* LU with partial pivoting of A [n*n], by rows; false when A is not finite or a pivot is
   zero to rounding in the matrix with rows and columns scaled to one: units do not
   matter. */
bool dense_lu_matrix(struct dense_lu *factor, const double *A);
/* The smallest pivot against the size [n] of its row; row = NULL: its largest entry.
   Tells an unknown that its equations only contain by rounding, which the scaling
   hides. */
double dense_lu_least_pivot(const struct dense_lu *factor, const double *row);
/* x = A^-1 x, and A'^-1 x */
void dense_lu_solve(const struct dense_lu *factor, double *x);
void dense_lu_solve_transposed(const struct dense_lu *factor, double *x);

#endif
