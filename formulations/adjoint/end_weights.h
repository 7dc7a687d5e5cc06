/*
 * end_weights.h - the weights with which a sweep backwards begins: the gradient of a
 * terminal cost.
 */
#ifndef SALTUS_END_WEIGHTS_H
#define SALTUS_END_WEIGHTS_H

#include "events/hybrid.h"

struct end_weights;
/* Compiles the gradient of w of a cost of the model. faults: set of enum adjoint_fault
   (adjoint_faults.h). */
struct end_weights *end_weights_new(const struct model *model, int cost, int parameters,
                                    const int *parameter, unsigned faults);
void end_weights_free(struct end_weights *weights);

/* Sets mu [2n + ns] = w_y', G [parameters] = w_rho at the end of the run, and *by_time =
   g + w_t + w_y f, the weight of dt_F/drho; what solving there is refused for. */
enum status end_weights_at(struct end_weights *weights, struct hybrid *core, double *mu,
                           double *G, double *by_time);

#endif
