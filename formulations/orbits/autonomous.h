/*
 * autonomous.h - does anything of a motion depend on time itself?
 */
#ifndef SALTUS_AUTONOMOUS_H
#define SALTUS_AUTONOMOUS_H

#include "model.h"

/* OK, or NOT_APPLICABLE with the mode or event whose formulas depend on time; costs do
   not count. */
enum status autonomous_check(const struct model *model, struct diagnosis *diagnosis);

#endif
