/*
 * spd.h - options that must be symmetric positive definite matrices.
 */
#ifndef SALTUS_SPD_H
#define SALTUS_SPD_H

#include "model.h"

/* NOT_SPD unless the matrix [m*m] of an option, constant formulas, is symmetric and
   positive definite in double: says which entries differ, or the least eigenvalue;
   BAD_INPUT where one is not finite. `text` is what was given. */
enum status require_spd(const struct model *model, const char *name, const char *text,
                        const formula *matrix, int m, struct diagnosis *diagnosis);

#endif
