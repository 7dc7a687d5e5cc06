/*
 * linear.h - how linear systems with the matrix of the equations of motion are solved,
 * as a table.
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

struct linear_method {
    const char *name, *title, *source;
    /* Work space for n accelerations and m multipliers; no later call allocates. */
    void *(*alloc)(int n, int m);
    /* The same of a large sparse K with entries only where `at` says; K is then their
       values [at->count]. NULL: K is dense. */
    void *(*alloc_sparse)(int n, int m, const struct entries *at);
    void (*release)(void *work);
    /* K [(n+m)^2] by rows, or its entries. SINGULAR; RANK_LOSS when dependent constraints
       are the reason; NOT_SPD when the method needs what it has not got. */
    enum status (*factor)(void *work, const double *K);
    /* x [n+m]: K^-1 x, or K^+ x for minimum_norm */
    void (*solve)(void *work, double *x);
    /* A linear residual is solved, then corrected once with what is left of it; a method
       whose own loss of digits is to be seen does without. */
    bool corrected;
    /* Minimum norm only: the solution depends on K through more than K du = -dK u:
       du = K^+ (db - dK u) + (I - K^+ K) dK' y with y = K^+' u (Golub, Pereyra 1973). */
    void (*transposed)(void *work, const double *u, double *y);     /* y = K^+' u */
    void (*kernel_part)(void *work, double *x);                     /* (I - K^+ K) x */
    int (*rank)(const void *work);      /* of C, at the point last factorised */
};

extern const struct linear_method linear_lu;            /* LU of K */
extern const struct linear_method linear_sparse;        /* LU of a large K, klu.h */
extern const struct linear_method linear_normal;        /* (M + G D^-1 C) a = ... */
extern const struct linear_method linear_null_space;    /* Maggi: null space of C */
extern const struct linear_method linear_minimum_norm;  /* K^+, redundant constraints */

SALTUS_API_END

#endif
