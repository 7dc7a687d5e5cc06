/*
 * unanswered.h - cases that were asked for and gave nothing to judge.
 */
#ifndef SALTUS_UNANSWERED_H
#define SALTUS_UNANSWERED_H

#include "jobs/judge.h"

/* Appends a row to the last job of every case that has no answer. If all runs of a case
   are refused, and rightly so, its rows are empty and none fails; such a case has no
   answer, unless it is there to be refused (class `refused`, and the refusal certified).
   The row fails; it is skipped where no oracle that judges refusals was asked for.
   row[count]: those rows, NULL where there is none; all jobs have been judged. */
void unanswered_rows(struct job *const *job, int count, struct row **row);

#endif
