/*
 * print.h - formulas as expressions of a programming language.
 */
#ifndef SALTUS_PRINT_H
#define SALTUS_PRINT_H

#include "formula/formula.h"

/* How a language writes what languages do not write alike. All of them have infix signs
   + - * / and calls f(a, b), and take digits with a decimal point for a double. */
struct spelling {
    const char *function[OPS];  /* name of a function; NULL: as in ops.def */
    const char *power;          /* sign of a power, which binds more than a sign before
                                   it; NULL: pow(a, b) */
    const char *pi;
};

/* The text of a formula, malloc'ed; a row other than a itself that has a name in
   given [tape rows] stands by that name. No operation has two integers: an integer that
   is an operand of a division, a power or a function, or the whole formula, is written
   2.0 and not 2. */
char *formula_text_spelled(formula a, const char *const *given,
                           const struct spelling *spelling);

#endif
