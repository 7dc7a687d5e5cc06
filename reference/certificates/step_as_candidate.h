/*
 * step_as_candidate.h - steps and events of a run in MPFR, as the enclosure takes them.
 */
#ifndef SALTUS_STEP_AS_CANDIDATE_H
#define SALTUS_STEP_AS_CANDIDATE_H

#include "enclosure/enclosure.h"
#include "motion/taylor.h"

/* A step, as an observer is told of it (struct mp_observer), for enclosure_step. */
struct candidate *step_as_candidate(const struct model *model,
                                    const struct taylor *taylor, mpfr_srcptr t,
                                    mpfr_srcptr length);
/* An event that an observer is told of: enclosure_event, with a and lambda of the run
   after it. */
enum status event_of_run(struct enclosure *enclosure, const struct model *model,
                         const struct mp_event *event, struct diagnosis *diagnosis);

#endif
