/*
 * mass_check.h - the condition on M for accelerations to exist: positive definiteness on
 * the kernel of Phi_q.
 */
#ifndef SALTUS_MASS_CHECK_H
#define SALTUS_MASS_CHECK_H

#include "consistent_level.h"

/* Checks M where the constraints were evaluated last, at t, and are satisfied. OK;
   NOT_SPD: M is not symmetric, or not positive definite on the kernel of Phi_q, by
   negative or missing masses; NOT_FINITE: an entry is not finite. The message names the
   entry of M, its formula and value. */
enum status mass_check(const struct constraints *constraints, double t,
                       struct diagnosis *diagnosis);

#endif
