/*
 * least_singular.h - the least singular value of a wide sparse matrix by inverse
 * iteration (Golub, Van Loan 2013, section 8.2.2) on A A', which is never formed:
 *
 *     [ alpha I  A' ] [ x ]   [ 0 ]
 *     [    A     0  ] [ y ] = [ b ]      y = -alpha (A A')^-1 b
 *
 * With alpha = 1 singular values below the root of rounding would be lost, as they are in
 * A A'; with a small alpha pivots are taken from A itself (Bjorck 1967). A call begins
 * with the vector of the call before, so that along a motion two or three iterations do.
 */
#ifndef SALTUS_LEAST_SINGULAR_H
#define SALTUS_LEAST_SINGULAR_H

#include "base/arena.h"
#include "linear/klu.h"
#include "model.h"

/* The functions below set every member. */
struct least_singular {
    int m, n;                   /* rows and columns of A */
    const struct entries *at;   /* places of A's entries, the caller's */
    struct sparse K;            /* [n + m]^2 the matrix above */
    int *row_entry, *column_entry;      /* [at->count] indices in K.value of A and A' */
    double longest;             /* longest column of scaled A at the last call */
    double *y, *next;           /* [n + m] the last vector behind n zeros; scratch */
    struct arena arena;         /* memory of all arrays */
};

/* m <= n; `at` outlives the object. */
void least_singular_init(struct least_singular *least, int m, int n,
                         const struct entries *at);
void least_singular_clear(struct least_singular *least);
/* The least singular value of A, entries [at->count], with rows divided by size [m],
   relative to the longest column of that matrix: comparable to a pivot of linear/rank.h.
   0: singular to rounding. The call allocates only if pivots have to be chosen anew. */
double least_singular_value(struct least_singular *least, const double *A,
                            const double *size);

#endif
