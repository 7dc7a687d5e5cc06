/*
 * unanswered.h - cases that were asked for and gave nothing to judge.
 */
#ifndef SALTUS_UNANSWERED_H
#define SALTUS_UNANSWERED_H

#include "jobs/judge.h"

/* Where all runs of a case are refused, and rightly so, its rows are empty, none fails.
   Unless the case is there to be refused (class `refused`, and the refusal certified), it
   has no answer: a row that fails is appended to its last job, one that is skipped
   where no oracle that judges refusals was asked for. row[count]: those rows, NULL where
   there is none; all jobs have been judged. */
void unanswered_rows(struct job *const *job, int count, struct row **row);

#endif
