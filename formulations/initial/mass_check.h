/*
 * mass_check.h - can the mechanism be accelerated at all?
 */
#ifndef SALTUS_MASS_CHECK_H
#define SALTUS_MASS_CHECK_H

#include "consistent_level.h"

/* NOT_SPD unless M is symmetric, and positive definite on the kernel of Phi_q, where the
   constraints were evaluated last, at t, and are satisfied: negative or missing masses.
   NOT_FINITE: an entry is not a number. The message names the entry of M, its formula and
   value. */
enum status mass_check(const struct constraints *constraints, double t,
                       struct diagnosis *diagnosis);

#endif
