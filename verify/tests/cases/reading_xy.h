/*
 * reading_xy.h - formulas of x, y and a parameter, length.
 */
#ifndef SALTUS_READING_XY_H
#define SALTUS_READING_XY_H

#include "reading.h"

static formula x, y, length;

static inline void open_tape(void)
{
    begin_reading();
    x = variable(tape, BLOCK_Q, 0);
    y = variable(tape, BLOCK_Q, 1);
    length = variable(tape, BLOCK_RHO, 0);
    names_bind(names, "x", x);
    names_bind(names, "y", y);
    names_bind(names, "length", length);
}

static inline void prints(formula f, const char *expected)
{
    char text[300];
    formula_print(f, names, text, sizeof text);
    cr_assert_str_eq(text, expected);
}

#endif
