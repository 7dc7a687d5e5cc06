/*
 * jump_second.h - second derivatives of the jump at an event, of the end and of the start
 * of a run, the moving event time included.
 *
 * A state at the fixed time t of the event goes along the motion before it for a time
 * tau, through the reset, and back along the motion after it. To second order
 *
 *     w = x + f- tau + fd- tau^2/2          r(t + tau, w, u, rho) = 0
 *     J(z; t + tau, w, u, rho) = 0
 *     D = z - f+(t + tau, z) tau + fd+ tau^2/2
 *
 * where fd is d/dt of f along the motion. D' is the saltation (jump.h); the coefficient
 * of e1 e2 along x + A e1 + B e2 is, with subscripts for coefficients and w_0 for w at
 * tau_C = 0,
 *
 *     w_0 = f-_A tau_B + f-_B tau_A + fd- tau_A tau_B
 *     tau_C = -(r'' [A, B] + r' w_0) / rd,        w_C = w_0 + f- tau_C
 *     J_z z_C = -(J'' [A, B] + J' [tau_C, w_C])
 *     D_C = z_C - f+ tau_C - f+_A tau_B - f+_B tau_A + fd+ tau_A tau_B
 *
 * and likewise for costs. tau_C is t_e'' (Rozenvasser 1967; second order: Saccon, van de
 * Wouw, Nijmeijer 2014). Everything but the second derivatives of r, J, w is of first
 * order and comes from the services of the jump.
 */
#ifndef SALTUS_JUMP_SECOND_H
#define SALTUS_JUMP_SECOND_H

#include "equations/second_order.h"
#include "events/hybrid.h"

struct jump_second;
/* For parameters parameter [parameters] of the model; `cost`: the terminal cost with
   which a run ends, -1: a component of the state. The core has these columns. faults:
   set of enum adjoint_fault (adjoint_faults.h). */
struct jump_second *jump_second_new(struct hybrid *core, int cost, int parameters,
                                    const int *parameter, unsigned faults);
void jump_second_free(struct jump_second *second);
/* The parameters of a run, before the way back. */
void jump_second_set(struct jump_second *second);

/* Adds to the derivatives of the weights before an event by parameter k, mu_dot
   [parameters][2n + ns] and G_dot [parameters][parameters], the second derivatives of the
   jump in the direction of column k of core->x, weighed by mu [2n + ns] and mu_z [nz]
   after it. core stands before the event, at core->x with its columns. With `terminal`
   the end follows at once, and the weights are those of the cost there, mu not used.
   NOT_APPLICABLE: redundant impulses; what the reset and the rule are refused for. */
enum status jump_second_apply(struct jump_second *second, const struct event *event,
                              bool terminal, const double *mu, const double *mu_z,
                              double *mu_dot, double *G_dot);
/* Adds the second derivatives of an end that no event makes, at core->x, core->t, which
   moves by dt [parameters] and d2t [parameters][parameters] with the parameters (NULL:
   not at all). Statuses of system_factor. */
enum status jump_second_end(struct jump_second *second, const double *mu_z,
                            const double *dt, const double *d2t, double *mu_dot,
                            double *G_dot);

#endif
