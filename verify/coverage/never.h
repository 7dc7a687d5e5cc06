/*
 * never.h - events that a case declares and its motion never has: a guard of the wrong
 * sign or direction looks like that, and everything else is right then.
 */
#ifndef SALTUS_NEVER_H
#define SALTUS_NEVER_H

#include "reference.h"
#include "run.h"

/* "event land never happens", "events land, lift never happen"; "" where all do. */
void never_in_run(const struct trajectory *trajectory, char *text, int size);
void never_in_reference(const struct mp_trajectory *trajectory, char *text, int size);
/* All events of a case, as if none had happened. */
void never_at_all(const struct model *model, char *text, int size);

#endif
