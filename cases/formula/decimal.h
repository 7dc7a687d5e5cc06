/*
 * decimal.h - exact decimal numbers as text, in a canonical form.
 */
#ifndef SALTUS_DECIMAL_H
#define SALTUS_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* A decimal number. The canonical text is: sign, digits without leading or trailing
   zeros, exponent unless 0; 9.810 is "981e-2", 100.0 is "1e2", -0.0 is "0". As it has
   no decimal point strtod and mpfr_strtofr read it alike in every locale, and equal
   numbers have equal text. */
struct decimal {
    char *text;         /* canonical text, owned */
    bool integer;       /* the number is an integer of at most 63 bits */
    int64_t value;      /* the integer */
};

/* Parses [sign] digits [. digits] [e [sign] digits], the whole of `text`;
   decimal->text is the caller's to free. False: the text is no number, and nothing is
   owned. */
bool decimal_parse(struct decimal *decimal, const char *text);

#endif
