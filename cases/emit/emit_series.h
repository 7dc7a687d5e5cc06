/*
 * emit_series.h - the Taylor recurrences of a program as C: what series_run does to the
 * rows of two stages at orders k >= 1, to the bit, but for all columns of derivatives at
 * once, side by side in vector registers.
 *
 *     void (*const NAME[2])(double *v, double *d, int k)
 *
 * NAME[0] raises the rows of a stage in v, whose coefficients are where series_row has
 * them. NAME[1] raises those of the next, which is linear in its inputs, in d
 * [rows][order + 1][columns], aligned to vectors. Order 0, and the inputs, are there.
 */
#ifndef SALTUS_EMIT_SERIES_H
#define SALTUS_EMIT_SERIES_H

#include "program/program.h"

struct series_emission {
    const char *name;
    int order;              /* of the series */
    int once, columnwise;   /* stages */
    int columns;            /* side by side: 1, 2 or 4 */
};

/* malloc'ed. */
char *program_emit_series(const struct program *program,
                          const struct series_emission *emission);
/* Is the row raised, or constant in time, or an input? */
bool series_is_raised(const struct program *program, int slot);

#endif
