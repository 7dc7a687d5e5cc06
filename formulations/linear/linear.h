/*
 * linear.h - solvers of linear systems with the saddle point matrix of the equations of
 * motion, as a table.
 *
 *     K = R_u = [ M   G ]      n rows      a             G = Phi_q' - F_lambda
 *               [ C  -D ]      m rows      lambda        C = Phid_v, D = alpha^-1 or 0
 *
 * The unknowns are always ordered (a, lambda). A matrix is factorised once at a point;
 * the factors serve the unknowns, all tangents, u' and all Taylor coefficients.
 */
#ifndef SALTUS_LINEAR_H
#define SALTUS_LINEAR_H

#include <stdbool.h>

#include "base/api.h"
#include "base/status.h"
#include "model.h"

SALTUS_API_BEGIN

/* A solver. Its file sets every member. */
struct linear_method {
    const char *name, *title, *source;
    /* Work space for n accelerations and m multipliers; no later call allocates. */
    void *(*alloc)(int n, int m);
    /* Work space for a large sparse K with entries at the places `at`; K is then the
       values [at->count] of these. NULL: K is dense. */
    void *(*alloc_sparse)(int n, int m, const struct entries *at);
    void (*release)(void *work);
    /* Factorises K [(n+m)^2], by rows, or its entries. OK; SINGULAR; RANK_LOSS: dependent
       constraints make K singular; NOT_SPD: the method needs a positive definite
       matrix. */
    enum status (*factor)(void *work, const double *K);
    /* x [n+m] becomes K^-1 x, or K^+ x for minimum_norm. */
    void (*solve)(void *work, double *x);
    bool corrected;     /* a linear residual is solved, then corrected once (iterative
                           refinement); false where the method's own loss of digits is to
                           be seen */
    /* y [n+m] = K'^-1 u, or K^+' u for minimum_norm. NULL: a user of transposed solutions
       factorises K by LU. */
    void (*transposed)(void *work, const double *u, double *y);
    /* Minimum norm only: x [n+m] becomes (I - K^+ K) x. The solution depends on K through
       more than K du = -dK u: du = K^+ (db - dK u) + (I - K^+ K) dK' y, where y = K^+' u
       (Golub, Pereyra 1973). */
    void (*kernel_part)(void *work, double *x);
    /* Minimum norm only: rank of C at the point last factorised. */
    int (*rank)(const void *work);
};

extern const struct linear_method linear_lu;            /* LU of K */
extern const struct linear_method linear_sparse;        /* LU of a large K, klu.h */
extern const struct linear_method linear_normal;        /* (M + G D^-1 C) a = ... */
extern const struct linear_method linear_null_space;    /* Maggi: null space of C */
extern const struct linear_method linear_minimum_norm;  /* K^+, redundant constraints */

SALTUS_API_END

#endif
