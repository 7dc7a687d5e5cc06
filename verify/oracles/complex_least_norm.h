/*
 * complex_least_norm.h - of all multipliers with the same forces those of least norm.
 *
 * They are lambda = D^-1 G'z for some z, of least lambda'D lambda. Which z: by iterated
 * regularisation (Tikhonov), z += (G D^-1 G' + eps)^-1 (f - G lambda) for the forces f.
 * Rounding errors over eps go into directions of z that G' takes out again, so no rank is
 * decided on, and eps hardly matters; it contracts by eps over the square of the smallest
 * singular value of G that is not zero. In complex arithmetic imaginary parts are the
 * derivative, of the range of G', too: transposes are never conjugated.
 */
#ifndef SALTUS_COMPLEX_LEAST_NORM_H
#define SALTUS_COMPLEX_LEAST_NORM_H

#include <stdbool.h>

#include "oracles/complex_lu.h"

struct complex_least_norm {
    int n, m;
    double complex *G;              /* [n*m] filled by the caller */
    double complex *D;              /* [m*m] symmetric positive definite, filled by the
                                       caller */
    double complex *factored_of;    /* [n*m + m*m] the G and D that lu is of, if
                                       factored */
    bool factored;
    double size[2];                 /* largest entry of G: real, imaginary part */
    struct complex_lu lu;           /* factors of [eps I, G; G', -D] */
    double complex *force;          /* [n] scratch */
    double complex *least, *step;   /* [m], [n + m] scratch */
};

void complex_least_norm_init(struct complex_least_norm *least, int n, int m);
void complex_least_norm_clear(struct complex_least_norm *least);
/* To be called when G and D have changed. */
enum status complex_least_norm_factor(struct complex_least_norm *least);
/* Makes lambda [m] that of least norm, in place; after complex_least_norm_factor.
   NO_CONVERGENCE */
enum status complex_least_norm_of(struct complex_least_norm *least,
                                  double complex *lambda);

/* Sets the largest real and imaginary parts of x [count]. */
void complex_largest(const double complex *x, int count, double size[2]);
/* The end of an iteration that contracts, however slowly: each part has come to rest when
   its changes, small against `size`, have stopped falling; changes that are rounding
   errors may fall a little for long. `size` does not know of terms that cancel inside a
   row: a change that has not been undercut for many rounds is their rounding. */
struct complex_rest {
    double before[2], least[2];
    int rounds[2];              /* rounds since the least change */
    bool reached[2];
};
struct complex_rest complex_rest_begin(void);
bool complex_rest_reached(struct complex_rest *rest, const double change[2],
                          const double size[2]);

#endif
