/*
 * objective.h - a cost of a case with its gradient, by the adjoint methods (adjoint.h) or
 * by the direct one, as a function of some parameters.
 */
#ifndef SALTUS_OBJECTIVE_H
#define SALTUS_OBJECTIVE_H

#include "optimise/evaluation.h"

/* Names of the methods, the default first; at most `room`, returns how many. */
int objective_methods(const char **name, int room);

/* Needs all members of `run` but samples; the parameters differentiated are those that
   vary. NULL and a diagnosis, as from runner_new(). The objects that `run` points to must
   outlive the objective. */
struct objective;
struct objective *objective_new(const struct run_request *run, int cost,
                                const char *method, struct diagnosis *diagnosis);
/* Evaluates the cost at e->value; sets what evaluation.h says. A cost or a gradient that
   is no number is NOT_FINITE. */
void objective_at(struct objective *objective, struct evaluation *e,
                  struct diagnosis *diagnosis);
void objective_free(struct objective *objective);

#endif
