/*
 * constants.h - formulas as doubles: options; at the start; nominal values and times, see
 * run.h.
 */
#ifndef SALTUS_CONSTANTS_H
#define SALTUS_CONSTANTS_H

#include "model.h"

/* value[i] = f[i], which may use no variable. BAD_INPUT if one does, NOT_FINITE with the
   row if one has no value; `what` names the list in the diagnosis. */
enum status constant_values(const struct model *model, const formula *f, int count,
                            const char *what, double *value, struct diagnosis *diagnosis);
/* value[i] = f[i] at nominal parameters, at the time, the position (given, or guessed)
   and the auxiliary states of the start; v and unknowns are zero. */
void values_at_start(const struct model *model, const formula *f, int count,
                     double *value);

#endif
