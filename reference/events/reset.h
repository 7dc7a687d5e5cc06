/*
 * reset.h - the reset of an event: the residual J = 0 for (q+, v+, s+, impulse), and its
 * derivative along the moving event.
 */
#ifndef SALTUS_EVENTS_RESET_H
#define SALTUS_EVENTS_RESET_H

#include "motion/taylor.h"

struct reset;

/* A workspace for one event. rho [model->p], unit [parameters][model->p]: directions.
   Free by reset_free. */
struct reset *reset_new(const struct model *model, const struct event_plan *plan,
                        mpfr_srcptr rho, int parameters, mpfr_srcptr unit,
                        mpfr_prec_t precision);
void reset_free(struct reset *reset);

/*
 * Solves the reset. `before` is expanded to order 1 at the event (order 0 of the lanes
 * suffices), tau [parameters]. Fills moving [lanes][width]: lane 0 is (q+, v+, s+, z+),
 * lane 1 + j its derivative along the moving event, dq+ = d[q+(t_e)]/drho_j and so on.
 *
 * Statuses: NOT_FINITE; SINGULAR, J_w has no full rank; NO_CONVERGENCE of Newton's
 * method; INCONSISTENT, redundant rows contradict each other; INADMISSIBLE, they do along
 * a direction.
 */
enum status reset_apply(struct reset *reset, const struct taylor *before, mpfr_srcptr tau,
                        mpfr_ptr moving, struct diagnosis *diagnosis);

/* After reset_apply: the energy gained at the event less the work of the impulse,
   relative to the larger of energy and work. 0 if the case states no energy, or if
   more than v jumps. */
double reset_imbalance(const struct reset *reset);

#endif
