/*
 * step_as_candidate.h - a step of a run in MPFR, as the enclosure takes it.
 */
#ifndef SALTUS_STEP_AS_CANDIDATE_H
#define SALTUS_STEP_AS_CANDIDATE_H

#include "enclosure/track.h"
#include "motion/taylor.h"

/* What an observer is told of a step (struct mp_observer), for enclosure_step.
   NOT_APPLICABLE: the run counts constraints as dependent. */
enum status step_as_candidate(const struct model *model, const struct taylor *taylor,
                              mpfr_srcptr t, mpfr_srcptr length, struct candidate **out,
                              struct diagnosis *diagnosis);

#endif
