/*
 * motion_series.h - Taylor series of the motion of a mode: of the state, of the unknowns,
 * and of their derivatives by parameters (Griewank, Walther 2008).
 *
 * Coefficient k of the unknowns solves the equations of motion with everything below it
 * known, with the one factorisation of R_u at the point (Griewank, Walther 2008, ch. 13);
 * so does coefficient k of their derivative along a direction,
 *
 *     R_u0 u'_k = -(R'_k + sum_(i = 1..k) R_u,i u'_(k-i)),
 *
 * where R' is the derivative of R at fixed u. The next coefficient of the state follows
 * by integration.
 */
#ifndef SALTUS_MOTION_SERIES_H
#define SALTUS_MOTION_SERIES_H

#include "system.h"

struct motion_series;

/* Integrates: order k + 1 of a column of a state (q, v, s, z) [state] follows from its
   order k, x, and from its rates of order k, which are in `next` except for q, whose
   rates are v [n]. */
void series_integrate(int n, int state, int k, const double *x, double *next);

/* Allocates for orders up to `order`. */
struct motion_series *motion_series_new(struct mode_system *ms, const struct model *model,
                                        int order);
void motion_series_free(struct motion_series *series);
/* Evaluates rows that depend on parameters alone; rho [p]. */
void motion_series_set(struct motion_series *series, const double *rho);

/* Raises all rows to order k, after a point has just been factorised (system_factor): x =
   (q, v, s) of order k is given; a, lambda of order k are found, or for k = 0 given as
   those of the point. */
void motion_series_raise(struct motion_series *series, double t, int k, const double *x,
                         double *a, double *lambda);
/* Gives s' [ns], then z' [nz] of order k. */
void motion_series_rates(const struct motion_series *series, int k, double *rates);
/* Gives the derivatives of s' [ns], then z' [nz] of order k along the last direction. */
void motion_series_direction_rates(const struct motion_series *series, int k,
                                   double *rates);
/* Raises all rows to order k along a direction, for k from 0 on: Y = (Q, V, S) of order k
   is given, da and dlambda by the parameter of that index are found. All values up to
   order k must be there. */
void motion_series_raise_direction(struct motion_series *series, int k, const double *Y,
                                   int parameter, double *da, double *dlambda);

#endif
