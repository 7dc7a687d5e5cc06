/*
 * never.h - events that a case declares and its motion never has. A guard of the wrong
 * sign or direction shows so, while everything else is right.
 */
#ifndef SALTUS_NEVER_H
#define SALTUS_NEVER_H

#include "reference.h"
#include "run.h"

/* "event land never happens", "events land, lift never happen"; "": all of them
   happen. */
void never_in_run(const struct trajectory *trajectory, char *text, int size);
void never_in_reference(const struct mp_trajectory *trajectory, char *text, int size);
/* The text for a case of which no event has happened. */
void never_at_all(const struct model *model, char *text, int size);

#endif
