/*
 * run_notes.h - the notes of `saltus run` on standard error, where results never are.
 */
#ifndef SALTUS_RUN_NOTES_H
#define SALTUS_RUN_NOTES_H

#include "run.h"

/* Warns, in a line each, of events that nearly graze, of digits that the motion takes, of
   events that never happen, and of a start far from zero. */
void run_notes_warn(const struct run_request *request, const struct trajectory *t);
/* Prints steps, refused steps, events, right-hand sides, the largest |Phi| and the
   processor time in one line, unless the reader of standard output has gone. The time is
   the only part that differs from one run to the next. */
void run_notes_work(const struct model *model, const struct trajectory *t,
                    double seconds);

#endif
