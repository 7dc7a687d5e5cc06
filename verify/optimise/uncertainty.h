/*
 * uncertainty.h - how uncertain the answer of an optimisation is that fits parameters to
 * readings: standard deviations and correlations (covariance.h), by the Hessian across
 * events, which is computed once, at the answer.
 *
 * A parameter at a bound is held: it has no standard deviation, and those of the others
 * are conditional on it.
 */
#ifndef SALTUS_UNCERTAINTY_H
#define SALTUS_UNCERTAINTY_H

#include "optimise/covariance.h"
#include "optimise/optimise.h"

struct uncertainty_request {
    enum variances variances;
    long readings;              /* N; 0: unknown */
};

struct uncertainty {
    struct uncertainty_request request;
    enum status status;
    struct diagnosis diagnosis; /* reason of a status that is not OK; the covariance is
                                   then unset */
    int *place;                 /* [n] of the optimisation: index of the parameter in the
                                   covariance; -1: held */
    struct covariance covariance;   /* of the parameters that are not held */
};

/* Asks for the Hessian of an optimisation that has an answer. Statuses of covariance_of()
   and of the run with second derivatives, by the diagnosis of each; NO_CONVERGENCE: the
   optimisation did not reach the minimum; NOT_APPLICABLE: every parameter is held, or the
   formulation has no second derivatives. */
struct uncertainty *optimisation_uncertainty(const struct optimisation *o,
                                             const struct uncertainty_request *request);
void uncertainty_free(struct uncertainty *u);

#endif
