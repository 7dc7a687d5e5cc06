/*
 * least_singular.h - the least singular value of a wide matrix of which hardly any entry
 * is there, by inverse iteration on A A', which is never formed:
 *
 *     [ alpha I  A' ] [ x ]   [ 0 ]
 *     [    A     0  ] [ y ] = [ b ]      y = -alpha (A A')^-1 b
 *
 * With alpha = 1 values below the root of rounding would be lost, as in A A'; with a
 * small one pivots are taken from A itself (Bjorck 1967). The vector of one call is where
 * the next begins, so that along a motion two or three iterations do. Golub, Van
 * Loan 2013, section 8.2.2.
 */
#ifndef SALTUS_LEAST_SINGULAR_H
#define SALTUS_LEAST_SINGULAR_H

#include "base/arena.h"
#include "linear/klu.h"
#include "model.h"

struct least_singular {
    int m, n;
    const struct entries *at;   /* of A [m][n] */
    struct sparse K;            /* [n + m]^2; K.value: alpha, A, A' */
    int *row_entry, *column_entry;      /* [at->count] where A and A' are in it */
    double longest;             /* column of A at the last call */
    double *y, *next;           /* [n + m] the last vector behind n zeros; scratch */
    struct arena arena;         /* of all arrays */
};

/* m <= n; `at` is the caller's, and outlives it. */
void least_singular_init(struct least_singular *least, int m, int n,
                         const struct entries *at);
void least_singular_clear(struct least_singular *least);
/* Of the entries A [at->count], its rows divided by size [m], against the longest column
   of that, as a pivot of linear/rank.h; 0 where that is singular to rounding. No
   allocation, unless pivots have to be chosen anew. */
double least_singular_value(struct least_singular *least, const double *A,
                            const double *size);

#endif
