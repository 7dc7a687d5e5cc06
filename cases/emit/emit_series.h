/*
 * emit_series.h - code generation: the Taylor recurrences of a program as C.
 *
 * The function does what series_run does to the rows of two stages at orders k >= 1, to
 * the bit, but for all columns of derivatives at once, side by side in vector registers.
 *
 *     void (*const NAME[2])(double *v, double *d, int k)
 *
 * NAME[0] raises the rows of a stage in v, whose coefficients are where series_row has
 * them. NAME[1] raises those of the next, which is linear in its inputs, in d
 * [rows][order + 1][columns], aligned to vectors. Order 0, and the inputs, are there
 * already.
 */
#ifndef SALTUS_EMIT_SERIES_H
#define SALTUS_EMIT_SERIES_H

#include "program/program.h"

/* A request for recurrences. */
struct series_emission {
    const char *name;       /* name of the array of functions */
    int order;              /* order of the series */
    int once, columnwise;   /* stages evaluated once, and for every column */
    int columns;            /* columns side by side: 1, 2 or 4 */
};

/* The C text, malloc'ed. */
char *program_emit_series(const struct program *program,
                          const struct series_emission *emission);
/* True: the row has a recurrence; it is neither constant in time nor a leaf. */
bool series_is_raised(const struct program *program, int slot);

#endif
