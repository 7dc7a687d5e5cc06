/*
 * value_sizes.h - the sizes by which digits of a motion in MPFR count (size.h).
 */
#ifndef SALTUS_VALUE_SIZES_H
#define SALTUS_VALUE_SIZES_H

#include "reference.h"

/* log2 of the size of each number of a trajectory; of a derivative at least the size of
   its value over that of the parameter: one that is zero in truth (by a mass that
   cancels) counts by that. */
struct value_sizes;

/* rho [model->p]; digits: those that the numbers are good to. Free by
   value_sizes_free. */
struct value_sizes *value_sizes_new(const struct mp_trajectory *trajectory,
                                    mpfr_srcptr rho, double digits);
/* The same with the parameters of the request that made the trajectory. Statuses of
   plan_new and run_parameters; *out is NULL then. */
enum status value_sizes_of_request(const struct reference_request *request,
                                   const struct mp_trajectory *trajectory, double digits,
                                   struct value_sizes **out, struct diagnosis *diagnosis);
void value_sizes_free(struct value_sizes *sizes);

/* [columns.count] of sample k, before event k, after it. */
const double *value_sizes_of_sample(const struct value_sizes *sizes, int k);
const double *value_sizes_before(const struct value_sizes *sizes, int event);
const double *value_sizes_after(const struct value_sizes *sizes, int event);
/* [columns.p] of tau of event k, and [nz (1 + columns.p)] of psi. */
const double *value_sizes_of_tau(const struct value_sizes *sizes, int event);
const double *value_sizes_of_psi(const struct value_sizes *sizes);

#endif
