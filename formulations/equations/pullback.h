/*
 * pullback.h - the right-hand side of a mode pulled back: gradients of a weighted sum of
 * rates, by the state and by the parameters, which adjoint equations are made of.
 *
 * With rates f = (v, a, s', z') and weights mu = (mu_q, mu_v, mu_s, mu_z) the pullback is
 * f_y' mu and f_rho' mu. The accelerations solve R(u) = 0, u = (a, lambda), so
 *
 *     R_u' eta = (mu_v, 0) + (f_s)_u' mu_s + g_u' mu_z
 *     L = mu_s' f_s + mu_z' g - eta' R
 *     f_y' mu = (0, mu_q, 0) + L_y,  f_rho' mu = L_rho
 *
 * by one transposed solution with the factors of R_u that gave u, and one reverse sweep
 * of L as a formula: the cost does not grow with the number of parameters but for their
 * own rows (Griewank, Walther 2008, ch. 3). Nothing is derived by hand.
 *
 * If no force depends on a multiplier and constraints are independent, u and eta are
 * solved beforehand by elimination in formulas (explicit/explicit_pullback.h), and a
 * pullback is one straight-line program.
 *
 * Redundant constraints: the multipliers of least norm move with the kernel of R_u as
 * well, du = -K^+ R' + (I - K^+ K) dK' y with y = K^+' (0, lambda) (Golub, Pereyra 1973).
 * With kappa = (I - K^+ K) c the term c'du gives y' R_u kappa to L, at fixed y, kappa.
 *
 * A pullback is differentiated along a direction with R_u' eta' = c' - (R_u)'' eta and
 * the tangents of L_y and L_rho (pullback_along), for second derivatives by tangent over
 * adjoint (Griewank, Walther 2008, ch. 5).
 *
 * Iterated multipliers (augmented): where mu = lambda has been reached the derivative of
 * the last iterate obeys (R_u + R_mu) du = -R', and eta is iterated likewise.
 */
#ifndef SALTUS_PULLBACK_H
#define SALTUS_PULLBACK_H

#include "equations/system.h"

struct pullback;

/* Compiles the pullback of a mode, by parameters parameter [parameters] of the model; the
   system outlives it. */
struct pullback *pullback_new(const struct system *system, struct mode_system *ms,
                              int parameters, const int *parameter);
void pullback_free(struct pullback *pullback);
/* Loads other values of the parameters, rho [p] of the model. */
void pullback_set(struct pullback *pullback, const double *rho);
/* Fault injection: solves with R_u where R_u' is meant. */
void pullback_leave_untransposed(struct pullback *pullback);
/* Says when its program is compiled to code. */
void pullback_use_code(struct pullback *pullback, enum code_use use);

/* A step begins: the program in which the equations are solved beforehand is compared
   with the pivoting solver again before it is used. */
void pullback_restart(struct pullback *pullback);
/* No such program is used: factors and eta of the pivoting solver are needed, by
   pullback_along. */
void pullback_pivots(struct pullback *pullback);

/* Solves the equations of the mode at x = (q, v, s), and prepares the pullback there.
   Each status of system_factor; SINGULAR: the transposed matrix has no factors. */
enum status pullback_at(struct pullback *pullback, struct system *system, double t,
                        const double *x);
/* by_x [2n + ns] = f_y' mu and by_rho [parameters] = f_rho' mu at that point, for weights
   mu [2n + ns] of (q', v', s') and mu_z [nz] of z'. NO_CONVERGENCE: iterated multipliers;
   NOT_FINITE. */
enum status pullback_weights(struct pullback *pullback, const double *mu,
                             const double *mu_z, double *by_x, double *by_rho);

/* The derivatives by_x_dot [2n + ns] and by_rho_dot [parameters] of the gradients that
   pullback_weights gave last, where the state moves by Y [2n + ns], parameter (of the
   model) by 1 and mu by mu_dot [2n + ns]. NOT_APPLICABLE: redundant or iterated
   multipliers; NOT_FINITE. */
enum status pullback_along(struct pullback *pullback, struct system *system,
                           const double *Y, int parameter, const double *mu_dot,
                           double *by_x_dot, double *by_rho_dot);

#endif
