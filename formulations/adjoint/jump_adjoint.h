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

/* Carries weights mu [2n + ns], mu_z [nz] of Y+ and by_time of dt_e/drho back over an
   event at core->x, core->t in its mode: mu becomes that of Y-, and G [parameters] grows
   by that of drho. core->x is then the state after the event and the mode is the one
   entered. What the reset and the rule are refused for. */
enum status jump_adjoint_apply(struct jump_adjoint *work, struct hybrid *core,
                               const struct event *event, double by_time, double *mu,
                               const double *mu_z, double *G);

/* Moves core->x and the mode over the event alone. */
enum status jump_adjoint_pass(struct hybrid *core, const struct event *event);

#endif
