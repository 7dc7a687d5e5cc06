/*
 * spd.h - options that must be symmetric positive definite matrices.
 */
#ifndef SALTUS_SPD_H
#define SALTUS_SPD_H

#include "model.h"

/* Requires that the matrix [m*m] of an option, of constant formulas, is symmetric and
   positive definite in double; `text` is the user's. OK; NOT_SPD names the entries that
   differ or the least eigenvalue; BAD_INPUT: an entry is not finite, or depends on a
   variable. */
enum status require_spd(const struct model *model, const char *name, const char *text,
                        const formula *matrix, int m, struct diagnosis *diagnosis);

#endif
