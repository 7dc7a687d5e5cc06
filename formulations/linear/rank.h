/*
 * rank.h - how many constraints are independent: QR with column pivoting of their rows,
 * each scaled to one, so that units of constraints (or of multipliers) do not matter.
 *
 *     A = S Q [ R11 R12 ] P'     S: largest entries of the rows; 1 where all are 0
 *             [  0   0  ]        R11 [rank][rank], the first columns of A P independent
 *
 * A pivot at most rank_zero of the first counts as zero, one of at least rank_full does
 * not. In between nothing reliable can be said: rounding and small violations of the
 * constraints leave that much of dependent rows, and a mechanism near a singular position
 * has as much of independent ones.
 */
#ifndef SALTUS_RANK_H
#define SALTUS_RANK_H

#include <gsl/gsl_linalg.h>
#include <stdbool.h>

#include "base/tolerances.h"
#include "model.h"


struct rank_qr {
    int rows, columns;
    int rank;               /* pivots above rank_zero */
    bool decided;           /* none of them below rank_full */
    double *scale;          /* S [rows] */
    gsl_matrix *qr;
    gsl_vector *tau;
    gsl_permutation *column;    /* P: column i of A P is column[i] of A */
};

void rank_qr_init(struct rank_qr *qr, int rows, int columns);
void rank_qr_clear(struct rank_qr *qr);

/* Entry (i, j) of A stands at A[i * row + j * column]: a block of a larger matrix, or the
   transpose of one. What is not finite has rank 0. No allocation. */
void rank_qr_factor(struct rank_qr *qr, const double *A, int row, int column);
/* The same of the entries A [at->count], with these sizes of the rows [rows] for S: a row
   that vanishes for a moment, whose own size would hide it, is seen to. */
void rank_qr_factor_entries(struct rank_qr *qr, const struct entries *at, const double *A,
                            const double *sizes);
/* Pivot k (from 0) against the first; 0 where it counts as zero. */
double rank_qr_pivot(const struct rank_qr *qr, int k);
/* x [rows]: Q x and Q' x */
void rank_qr_times_Q(const struct rank_qr *qr, double *x);
void rank_qr_times_Q_transposed(const struct rank_qr *qr, double *x);
/* x [rank]: R11^-1 x, and R11'^-1 x */
void rank_qr_solve_R(const struct rank_qr *qr, double *x);
void rank_qr_solve_R_transposed(const struct rank_qr *qr, double *x);

/* D = 0 in K (linear.h): then, whatever M and G are, dependent constraints make it
   singular. */
bool rank_matters(const double *K, int n, int m);

#endif
