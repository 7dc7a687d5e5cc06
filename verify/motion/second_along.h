/*
 * second_along.h - first and second derivatives of costs along one direction w: in MPFR
 * as differences of derivatives at moved parameters, and from the Hessian in double.
 *
 * The differences know nothing of second order: no second derivative of a formula, of a
 * reset or of an event time. Each side has its own events.
 */
#ifndef SALTUS_SECOND_ALONG_H
#define SALTUS_SECOND_ALONG_H

#include "motion/moved_runs.h"
#include "run.h"

/* Sets first [nz] to dpsi w and second [nz] to w' d2psi w of every cost, with two thirds
   of the digits of the runs. NOT_APPLICABLE: both sides have not as many events; statuses
   of reference_run. */
enum status second_along_mpfr(const struct moved_runs *runs, mpfr_ptr first,
                              mpfr_ptr second, struct diagnosis *diagnosis);

/* Sets *first to dpsi w and *second to w' H w of a cost, with H by tangent over adjoint
   (adjoint.h); the direction [run->parameters] is in the parameters of the run. `faults`:
   set of enum adjoint_fault (adjoint_faults.h). Statuses of adjoint_run. */
enum status second_along_double(const struct run_request *run,
                                const struct parameter_direction *direction, int cost,
                                unsigned faults, double *first, double *second,
                                struct diagnosis *diagnosis);

#endif
