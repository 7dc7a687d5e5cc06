/*
 * series_ops.h - the Taylor recurrence of one row at one order; for series.c and
 * emit_series.c.
 */
#ifndef SALTUS_SERIES_OPS_H
#define SALTUS_SERIES_OPS_H

#include <stddef.h>

#include "program/program.h"

/* Series of the operands a, b, c of a row, of its result f and of its companions g
   (NULL: none). */
struct term {
    const double *a, *b, *c;    /* [k + 1] coefficients */
    double *f, *g;              /* [k + 1]; further companions `stride` apart */
    size_t stride;
    int k;                      /* order that is computed */
    bool twin;                  /* g is the f of another row, and computed there */
    bool steady_a, steady_b;    /* all coefficients above 0 are zero */
};

/* Coefficient 0 of f and of the companions. */
void term_start(const struct term *t, struct program_row row);
/* Coefficient k >= 1 of f and of the companions, for a row that moves. */
void term_raise(const struct term *t, struct program_row row);
/* The number of companions that a row needs. */
int term_companions(struct program_row row);

#endif
