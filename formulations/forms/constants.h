/*
 * constants.h - values of formulas in double: of options, and at the start of a run.
 */
#ifndef SALTUS_CONSTANTS_H
#define SALTUS_CONSTANTS_H

#include "model.h"

/* value[count] gets the values of f[count]. OK; BAD_INPUT if a formula uses a variable;
   NOT_FINITE with the formula that has no value. `what` names the list in the
   diagnosis. */
enum status constant_values(const struct model *model, const formula *f, int count,
                            const char *what, double *value, struct diagnosis *diagnosis);
/* value[count] gets the values of f[count] at nominal parameters and at the start: the
   time, the position (given or guessed) and the auxiliary states; v and the unknowns are
   zero. */
void values_at_start(const struct model *model, const formula *f, int count,
                     double *value);

#endif
