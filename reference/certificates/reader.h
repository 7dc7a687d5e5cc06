/*
 * reader.h - lines, words and numbers of a file of certified values, strictly.
 *
 * The first error is kept, with file and line; after it nothing is read any more, and
 * what the functions give has no meaning.
 */
#ifndef SALTUS_READER_H
#define SALTUS_READER_H

#include <stdint.h>
#include <stdio.h>

#include "certificate.h"

enum { LINE = 4096 };

struct reader {
    FILE *file;
    const char *path;
    int line;
    uint64_t sum, sum_before;   /* of all bytes read, and of those before this line */
    char text[LINE];            /* the current line, without its newline */
    char *rest;                 /* what of it is not read yet */
    struct certificate *out;
    mpfr_prec_t precision;
    int samples, events;
    enum status status;         /* the first error; then nothing is read any more */
    struct diagnosis *diagnosis;
};

void reader_fail(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The next line becomes the current one. */
void reader_next(struct reader *r);
/* The next word of the line, "" at its end; what it must be; that nothing is left. */
const char *reader_word(struct reader *r);
void reader_expect(struct reader *r, const char *want);
void reader_end(struct reader *r);
/* The next word as a number, as a whole number from `least` to `most`. */
void reader_number(struct reader *r, mpfr_ptr x);
long reader_count(struct reader *r, long least, long most);

/* Whole lines that begin with `name`: value and digits agreed; a whole number; text, a
   copy to be freed, NULL for "-"; a number. */
void reader_value(struct reader *r, const char *name, mpfr_ptr value, mpfr_ptr agreed);
long reader_count_line(struct reader *r, const char *name, long least, long most);
char *reader_text(struct reader *r, const char *name);
double reader_double(struct reader *r, const char *name);
/* 16 hexadecimal digits, all of the line behind `name`. */
uint64_t reader_hash(struct reader *r, const char *name);

#endif
