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

/* State of a reader. */
struct reader {
    FILE *file;
    const char *path;
    char again[200];            /* the command that makes the file again */
    int line;                   /* number of the current line */
    uint64_t sum, sum_before;   /* FNV-1a of all bytes read, and of those before this
                                   line */
    char *text;                 /* the current line, without its newline */
    size_t room;                /* of `text` */
    char *rest;                 /* the part of it that is not read yet */
    struct certificate *out;    /* the certificate being filled */
    mpfr_prec_t precision;      /* precision of the numbers in the file */
    int samples, events;
    enum status status;         /* the first error; after it nothing is read */
    struct diagnosis *diagnosis;
};

/* A reader of the file, which `command` makes for the model, a format with one %s:
   "saltus certify %s". BAD_INPUT: there is no such file, *out is NULL. */
enum status reader_open(const char *path, const struct model *model, const char *command,
                        struct reader **out, struct diagnosis *diagnosis);
/* Closes the file and frees the reader. */
void reader_close(struct reader *r);
/* The first line: `title` and `format`, the number of the format. A file of another
   format is refused by name. */
void reader_title(struct reader *r, const char *title, int format);
/* The lines of the case, which must be that of the model, and of its model file. */
void reader_case(struct reader *r, const struct model *model);
/* The line `formulas`, which must be the fingerprint of the model. */
void reader_formulas(struct reader *r, const struct model *model);
/* The line of parameter j (header_parameter): its nominal value must be stated as the
   model states it. Returns the text of a value that was given instead, to be freed;
   NULL: it is the nominal one. */
char *reader_parameter(struct reader *r, const struct model *model, int j);

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
/* The lines that seal a file, and its end. */
void reader_seal(struct reader *r);
/* The rest of the current line: `name` and 16 hexadecimal digits. */
uint64_t reader_hash(struct reader *r, const char *name);

#endif
