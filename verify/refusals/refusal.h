/*
 * refusal.h - is a solver right that has refused?
 */
#ifndef SALTUS_REFUSAL_H
#define SALTUS_REFUSAL_H

#include "reference.h"

/* Are both the same status at the same time, to a millionth? Refusals without a time
   differ. */
bool same_refusal(const struct diagnosis *a, const struct diagnosis *b);
/* Is a refusal as it is certified: the same status and time, or both without a time? */
bool refused_as_certified(const struct diagnosis *refusal,
                          const struct certificate *certificate);

/*
 * Says something that shares nothing with the solver the same? Then the diagnosis becomes
 * what it says:
 *   NOT_APPLICABLE   is a matter of definition
 *   RANK_LOSS        the constraints are dependent on the certified motion, or at the
 *                    start where none is certified
 *   RANK_LOSS, and what a solver says that does not know the reason (SINGULAR,
 *                    NO_CONVERGENCE, NOT_FINITE, STEP_TOO_SMALL): the motion in MPFR
 *                    crosses a singular configuration there, to a thousandth of the run
 *                    (rank_check.h)
 *   GRAZING          the condition of the event in MPFR (condition.h) leaves no digit, or
 *                    hardly one, in double
 *   NO_DIGITS        on the motion in MPFR errors have grown, until that time, as far as
 *                    leaves no digit, or hardly one, in double (error_growth.h)
 *   any              the reference refuses this motion in MPFR, too, with the same status
 *                    at the same time
 */
bool refusal_is_right(const struct model *model, const struct truth *truth,
                      int parameters, const int *parameter, struct diagnosis *diagnosis);
/* All of these but the last three, which have to do with derivatives. */
bool refusal_of_equations_is_right(const struct model *model, const struct truth *truth,
                                   struct diagnosis *diagnosis);

#endif
