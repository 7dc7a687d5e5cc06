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

/* The first line of a file, those of the case and of its model file, that of its
   fingerprint. */
void header_title(FILE *file, const char *title, int format);
void header_case(FILE *file, const struct model *model);
void header_formulas(FILE *file, const struct model *model);
/* The line of parameter j: its nominal value as the model states it, to be compared
   exactly, or `given`, unless that is NULL. */
void header_parameter(FILE *file, const struct model *model, int j, const char *given);
/* A whole line: `name`, value, digits agreed. */
void writer_value(const struct writer *w, const char *name, mpfr_srcptr value,
                  long agreed);

/* Writes what follows the header of a certified orbit (orbit_text.c). */
void orbit_write(const struct writer *w);

#endif
