/*
 * start.h - the initial state and its sensitivities.
 */
#ifndef SALTUS_START_H
#define SALTUS_START_H

#include "equations/system.h"

/* When a run begins and ends by the model, with derivatives by the selected
   parameters. */
struct span {
    double t0, t_end;
    double *dt0, *dt_end;           /* [p] */
};

/*
 * Fills x [system->dim] and the span (arrays given by the caller). Coordinates and
 * velocities that the case gives are explicit; the others solve Phi = 0 (Newton from the
 * guess) and Phid = 0, and their sensitivities the linearised equations, Phi_rho
 * included: Corner et al. 2019 (86)-(87). Everything is brought back from the start that
 * moves with t0(rho).
 *   UNREACHABLE   no configuration near the guess
 *   INCONSISTENT  what is given contradicts the constraints, for these values of the
 *                 parameters or for neighbouring ones
 *   INADMISSIBLE  redundant constraints contradict each other for neighbouring ones
 *   RANK_LOSS     the dependent coordinates are not determined
 *   NOT_SPD       a mass is negative or missing (mass_check.h)
 *   BAD_INPUT     more or fewer are left open than the constraints have rank
 */
/* Uses the parameters that the system has when start_state is called. */
struct starter;
struct starter *starter_new(struct system *system);
void starter_free(struct starter *starter);
enum status start_state(struct starter *starter, struct span *span, double *x);


#endif
