/*
 * rank.h - the rank of constraints by QR factorisation with column pivoting. Rows are
 * scaled to one, so that units of constraints (or of multipliers) do not matter.
 *
 *     A = S Q [ R11 R12 ] P'     S: largest entries of the rows; 1 where all are 0
 *             [  0   0  ]        R11 [rank][rank], the first columns of A P independent
 *
 * A pivot at most rank_zero of the first counts as zero, a pivot of at least rank_full
 * does not. In between nothing reliable can be said: rounding and small violations of the
 * constraints leave pivots of this size in dependent rows, and a mechanism near a
 * singular configuration has such pivots in independent ones.
 */
#ifndef SALTUS_RANK_H
#define SALTUS_RANK_H

#include <gsl/gsl_linalg.h>
#include <stdbool.h>

#include "base/tolerances.h"
#include "model.h"

/* rank_qr_init sets rows and columns, a factorisation the rest. */
struct rank_qr {
    int rows, columns;
    int rank;               /* number of pivots above rank_zero */
    bool decided;           /* none of these is below rank_full */
    double *scale;          /* [rows] S */
    gsl_matrix *qr;         /* Q and R as stored by gsl_linalg_QR_decomp */
    gsl_vector *tau;        /* factors of the reflections */
    double *sum;            /* [columns] scratch */
    gsl_permutation *column;    /* P: column i of A P is column[i] of A */
};

/* Room for factorisations of matrices [rows][columns]. */
void rank_qr_init(struct rank_qr *qr, int rows, int columns);
void rank_qr_clear(struct rank_qr *qr);

/* Factorises A, whose entry (i, j) stands at A[i * row + j * column]: a block of a larger
   matrix, or a transpose. A matrix that is not finite has rank 0. No allocation. */
void rank_qr_factor(struct rank_qr *qr, const double *A, int row, int column);
/* Factorises sparse A, entries [at->count], with the given sizes [rows] as S. A row that
   vanishes for a moment is then small, which scaling by its own size would hide. */
void rank_qr_factor_entries(struct rank_qr *qr, const struct entries *at, const double *A,
                            const double *sizes);
/* Pivot k (from 0) relative to the first; 0 if it counts as zero. */
double rank_qr_pivot(const struct rank_qr *qr, int k);
/* x [rows] becomes Q x. */
void rank_qr_times_Q(const struct rank_qr *qr, double *x);
/* x [rows] becomes Q' x. */
void rank_qr_times_Q_transposed(const struct rank_qr *qr, double *x);
/* x [rank] becomes R11^-1 x. */
void rank_qr_solve_R(const struct rank_qr *qr, double *x);
/* x [rank] becomes R11'^-1 x. */
void rank_qr_solve_R_transposed(const struct rank_qr *qr, double *x);

/* True if D = 0 in K [(n+m)^2] (linear.h). Dependent constraints then make K singular,
   whatever M and G are. */
bool rank_matters(const double *K, int n, int m);

#endif
