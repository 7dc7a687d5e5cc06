/*
 * jump_adjoint.h - the transpose of the jump of sensitivities at an event.
 *
 * A jump rule (jump.h) is linear in (Y-, drho): Y+ = S Y- + P drho, and so is dt_e. Unit
 * columns show S and P, whatever the rule, so that no rule is written a second time.
 */
#ifndef SALTUS_JUMP_ADJOINT_H
#define SALTUS_JUMP_ADJOINT_H

#include "events/hybrid.h"

struct jump_adjoint;
/* faults: set of enum adjoint_fault (adjoint_faults.h). */
struct jump_adjoint *jump_adjoint_new(const struct model *model, int parameters,
                                      const int *parameter, unsigned faults);
void jump_adjoint_free(struct jump_adjoint *work);

/* Weights of Y+, of costs and of dt_e/drho. */
struct jump_weights {
    double *mu, *G;                 /* [2n + ns] [parameters] */
    const double *mu_z;             /* [nz]; NULL: zero */
    double by_time;
};

/* Carries several weights back over an event at core->x, core->t in its mode: mu becomes
   that of Y-, and G grows by that of drho. Statuses of the reset and of the
   rule. */
enum status jump_adjoint_apply(struct jump_adjoint *work, struct hybrid *core,
                               const struct event *event, struct jump_weights *weights,
                               int count);

/* Moves core->x with its columns, and the mode, over the event alone. */
enum status jump_adjoint_pass(struct hybrid *core, const struct event *event);

/* Sets rd at an event, with the rows of the guards loaded there. */
enum status jump_adjoint_rate(struct hybrid *core, const struct event *event,
                              double *rate);

#endif
