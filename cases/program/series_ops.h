/*
 * series_ops.h - one row at one order; for series.c and emit_series.c only.
 */
#ifndef SALTUS_SERIES_OPS_H
#define SALTUS_SERIES_OPS_H

#include <stddef.h>

#include "program/program.h"

/* Series of the operands a, b, c, of the result f and of its companions g (NULL:
   none). */
struct term {
    const double *a, *b, *c;
    double *f, *g;
    size_t stride;              /* from one companion to the next */
    int k;
    bool twin;                  /* g is another row's f and computed there */
    bool steady_a, steady_b;    /* only coefficient 0 is not zero */
};

void term_start(const struct term *t, struct program_row row);  /* coefficient 0 */
void term_raise(const struct term *t, struct program_row row);  /* coefficient k >= 1 */
int term_companions(struct program_row row);    /* how many g the row needs */

#endif
