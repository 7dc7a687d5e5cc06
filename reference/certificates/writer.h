/*
 * writer.h - parts of the writer of certified values: numbers and lines as text.
 */
#ifndef SALTUS_WRITER_H
#define SALTUS_WRITER_H

#include "certificate.h"

struct writer {
    FILE *file;
    const struct certificate *certificate;
    int digits;             /* decimal digits of a value */
};

/* A whole line: `name`, value, digits agreed. */
void writer_value(const struct writer *w, const char *name, mpfr_srcptr value,
                  long agreed);

/* Writes what follows the header of a certified orbit (orbit_text.c). */
void orbit_write(const struct writer *w);

#endif
