/*
 * complex_lu.h - dense complex LU, for matrices whose imaginary parts are first order.
 *
 * Pivots are chosen on real parts: the choice is a decision, and every decision of a
 * complex-step run is the decision of the real run. Nothing is ever conjugated.
 *
 * There may be more rows than columns: then n independent rows are chosen, and the others
 * are combinations of them. The equations are solved with the chosen rows alone, with all
 * digits; A'A would have the square of their condition number.
 */
#ifndef SALTUS_COMPLEX_LU_H
#define SALTUS_COMPLEX_LU_H

#include "base/status.h"
#include "program/complex_step.h"

struct complex_lu {
    int rows, n;
    double complex *A;      /* [rows*n] by rows: the matrix, then its factors */
    double *terms;          /* [rows*n] sums of the magnitudes of the terms of each
                               entry */
    struct complex_divisor *divisor;    /* [n] the pivots */
    int *pivot;             /* [n] the row chosen at each column */
    int *right;             /* [n] columns of the entries in a pivot's row that are not
                               zero */
    int *entry;             /* [rows*n] columns of the entries of the factors that are not
                               zero, row by row, */
    int *below, *above;     /* [rows + 1], [rows] and where those of a row begin that are
                               below the diagonal, and above it */
};

/* Rounding that is left of a zero, in units of the terms, with some room. */
extern const double complex_lu_rounding;

void complex_lu_init(struct complex_lu *lu, int rows, int n);
void complex_lu_clear(struct complex_lu *lu);

/* Factors A in place. An entry of at most `tolerance` of its terms counts as cancelled,
   whatever the scaling of rows and columns. SINGULAR when all candidates for a pivot are
   cancelled, or there are not enough rows. */
enum status complex_lu_factor(struct complex_lu *lu, double tolerance);

/* Returns the number of independent columns: columns without a pivot are passed over.
   Destroys A. */
int complex_lu_rank(struct complex_lu *lu, double tolerance);

/* Solves A x = b in place: b [rows] becomes x [n], then the residual of the rows that
   were not chosen, which is zero if they do not contradict the others. */
void complex_lu_solve(const struct complex_lu *lu, double complex *b);

#endif
