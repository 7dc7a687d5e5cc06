/*
 * reader.h - lexer of files of certified values: lines, words, numbers, strictly.
 *
 * The first error is kept, with file and line. After it nothing is read any more, and the
 * values returned have no meaning.
 */
#ifndef SALTUS_READER_H
#define SALTUS_READER_H

#include <stdint.h>
#include <stdio.h>

#include "certificate.h"

/* Longest line, with its newline and a zero byte. */
enum { LINE = 4096 };

/* State of a reader. */
struct reader {
    FILE *file;
    const char *path;
    int line;                   /* number of the current line */
    uint64_t sum, sum_before;   /* FNV-1a of all bytes read, and of those before this
                                   line */
    char text[LINE];            /* the current line, without its newline */
    char *rest;                 /* the part of it that is not read yet */
    struct certificate *out;    /* the certificate being filled */
    mpfr_prec_t precision;      /* precision of the numbers in the file */
    int samples, events;
    enum status status;         /* the first error; after it nothing is read */
    struct diagnosis *diagnosis;
};

/* Sets the status to BAD_INPUT, with file, line and message, unless there is an error
   already. */
void reader_fail(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Makes the next line the current one. */
void reader_next(struct reader *r);
/* The next word of the line; "" at its end. */
const char *reader_word(struct reader *r);
/* The next word must be `want`. */
void reader_expect(struct reader *r, const char *want);
/* The line must have ended. */
void reader_end(struct reader *r);
/* The next word as a number. */
void reader_number(struct reader *r, mpfr_ptr x);
/* The next word as a whole number from `least` to `most`. */
long reader_count(struct reader *r, long least, long most);

/* A whole line: `name`, value, digits agreed. */
void reader_value(struct reader *r, const char *name, mpfr_ptr value, mpfr_ptr agreed);
/* A whole line: `name` and a whole number from `least` to `most`. */
long reader_count_line(struct reader *r, const char *name, long least, long most);
/* A whole line: `name` and a text, of which a copy is returned; NULL for "-". */
char *reader_text(struct reader *r, const char *name);
/* A whole line: `name` and a number. */
double reader_double(struct reader *r, const char *name);
/* Reads what follows the header of a certified orbit (orbit_text.c); the line `orbit` is
   the current one. */
void orbit_read(struct reader *r);
/* The lines that seal a file, and its end; `command` makes the file again. */
void reader_seal(struct reader *r, const char *command, const struct model *model);
/* The rest of the current line: `name` and 16 hexadecimal digits. */
uint64_t reader_hash(struct reader *r, const char *name);

#endif
