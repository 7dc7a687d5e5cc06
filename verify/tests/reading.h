/*
 * reading.h - a tape with names on it, and formulas of these that are read from text.
 */
#ifndef SALTUS_READING_H
#define SALTUS_READING_H

#include <criterion/criterion.h>

#include "formula/read.h"

static struct tape *tape;
static struct names *names;

static inline void begin_reading(void)
{
    tape = tape_new();
    names = names_new();
}

static inline void end_reading(void)
{
    names_free(names);
    tape_free(tape);
}

static inline formula reads(const char *text)
{
    struct read_error error;
    formula f = formula_read(tape, names, text, &error);
    cr_assert(!error.set, "%s: %s", text, error.message);
    return f;
}

#endif
