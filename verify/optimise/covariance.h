/*
 * covariance.h - the covariance of the parameters of a least-squares fit, from the
 * Hessian of the cost at its minimum.
 *
 * The cost is psi = sum r_i^2 over N readings, r_i their deviations with normal errors.
 * With H the matrix of all second derivatives of psi by n parameters:
 *
 *   known    r_i is divided by its standard deviation: psi is chi-square, or -2 log L but
 *            for a constant; H/2 is the observed information, C = 2 H^-1
 *   equal    the variance s^2 of all r_i is unknown: s^2 = psi/(N - n), C = 2 s^2 H^-1
 *
 * C is that of estimates from other readings of the same kind as long as the parameters
 * move by little: the next terms are smaller by the curvature of the r_i along C. H is
 * the whole second derivative, not the product of first ones (Gauss, Newton); both have
 * the same limit.
 *
 * H scaled to a unit diagonal is decided and inverted by its eigenvalues: it has then
 * about the least condition that units can give it (van der Sluis 1969).
 *
 * Sources: Bard, Nonlinear Parameter Estimation, 1974; Seber, Wild, Nonlinear Regression,
 * 1989; of the observed information Efron, Hinkley, Biometrika 65, 1978.
 */
#ifndef SALTUS_COVARIANCE_H
#define SALTUS_COVARIANCE_H

#include "base/status.h"

enum variances { VARIANCES_KNOWN, VARIANCES_EQUAL };
/* The words for them, NULL-terminated. */
extern const char *const variances_text[];

/* A fit at its minimum. The caller sets every member. */
struct fit {
    int n;                      /* number of parameters, at least 1 */
    const char *const *name;    /* [n] of the parameters, for refusals */
    const double *hessian;      /* [n][n] second derivatives of the cost, in any units;
                                   rows and columns differ by their errors */
    double error;               /* part of the Hessian that is error, at least */
    double psi;                 /* cost at the minimum */
    enum variances variances;
    long readings;              /* N; 0: unknown, which only known variances allow */
};

/* covariance_of() sets every member. */
struct covariance {
    int n;
    double *matrix;             /* [n][n] C, in the units of the parameters; symmetric */
    double *deviation;          /* [n] standard deviations, sqrt(C_jj) */
    double *correlation;        /* [n][n] C_jk / (deviation_j deviation_k) */
    double condition;           /* of the Hessian with a unit diagonal */
    double digits;              /* that the errors of the Hessian leave of C */
    long degrees;               /* of freedom, N - n; 0: N is unknown, or not above n */
    double reduced;             /* psi/(N - n); NAN: psi is no sum of squares of more
                                   readings than parameters */
    double chance;              /* probability of a larger psi where variances are known,
                                   by the distribution of chi-square; NAN: as `reduced`,
                                   or the variances are unknown */
};

/* OK; NOT_SPD: the cost does not curve upwards along all parameters, so that it has no
   minimum; NO_DIGITS: errors of the Hessian leave less than two digits of C; NOT_FINITE:
   the Hessian; BAD_INPUT: of equal variances, with N <= n or psi <= 0. The diagnosis has
   one sentence, with the names of the parameters. The caller clears in every case. */
enum status covariance_of(const struct fit *fit, struct covariance *covariance,
                          struct diagnosis *diagnosis);
void covariance_clear(struct covariance *covariance);

#endif
