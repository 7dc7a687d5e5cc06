/*
 * start.h - consistent initial state and its sensitivities.
 */
#ifndef SALTUS_START_H
#define SALTUS_START_H

#include "equations/system.h"

/* Start and end of a run by the model, with derivatives by the selected parameters. The
   caller gives the arrays, start_state fills everything. */
struct span {
    double t0, t_end;
    double *dt0, *dt_end;           /* [p] */
    double *stop;                   /* [model->stops] times of the model at which steps
                                       end, in its order */
};

struct starter;
/* Prepares starts of a system, which outlives the starter. */
struct starter *starter_new(struct system *system);
void starter_free(struct starter *starter);
/*
 * Fills x [system->dim] and the span, at the parameters that the system has at the call.
 * Coordinates and velocities that the case gives are explicit; the others solve Phi = 0
 * (Newton from the guess) and Phid = 0, and their sensitivities the linearised equations,
 * Phi_rho included: Corner et al. 2019 (86)-(87). With start rows all that is not given
 * solves Phi = 0, Phid = 0 and Gamma = 0 together, Pan et al. 2004 (2), (9). A start that
 * moves with t0(rho) is
 * brought back to a fixed time. OK, or a status of system_solve, or
 *   UNREACHABLE   no configuration, or state, is found from the guess
 *   BRANCH_CUT, POLE, DOMAIN_EDGE   a start row is at an edge of its formula
 *   INCONSISTENT  given components contradict the constraints, for these values of the
 *                 parameters or for neighbouring ones
 *   INADMISSIBLE  redundant constraints contradict each other for neighbouring ones
 *   RANK_LOSS     the dependent coordinates are not determined
 *   NOT_SPD       a mass is negative or missing (mass_check.h); or NOT_FINITE
 *   BAD_INPUT     more or fewer are left open than the constraints have rank
 */
enum status start_state(struct starter *starter, struct span *span, double *x);

/* Second derivatives by the parameters j and k of the system, after start_state gave x
   and the span: of the state at fixed time, Y [2n + ns + nz], and of t_end. Statuses of
   system_factor. */
enum status start_second(struct starter *starter, const struct span *span,
                         const double *x, int j, int k, double *Y, double *d2t_end);

#endif
