/*
 * refusal.h - a solver has refused; is it right?
 */
#ifndef SALTUS_REFUSAL_H
#define SALTUS_REFUSAL_H

#include "reference.h"

/* The same status at the same time, to a millionth; refusals without a time differ. */
bool same_refusal(const struct diagnosis *a, const struct diagnosis *b);

/*
 * Says something that shares nothing with the solver the same? Then the diagnosis becomes
 * what it says:
 *   NOT_APPLICABLE   is a matter of definition
 *   RANK_LOSS        the constraints are dependent on the certified motion (dependent.h)
 *   any other        the reference refuses this motion in MPFR, too, with the same status
 *                    at the same time
 */
bool refusal_is_right(const struct model *model, const struct truth *truth,
                      int parameters, const int *parameter, struct diagnosis *diagnosis);

#endif
