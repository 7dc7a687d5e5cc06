/*
 * statement.h - lines of exported text: templates of a language, lines that are broken,
 * comments.
 */
#ifndef SALTUS_STATEMENT_H
#define SALTUS_STATEMENT_H

#include <stdio.h>

#include "export/language.h"

enum { TEXT_COLUMNS = 100 };        /* of a line, unless it cannot be broken */

/* A text in memory that is written as a stream. */
struct text {
    FILE *stream;
    char *bytes;
    size_t size;
};
void text_open(struct text *text);
/* Returns the text, malloc'ed. */
char *text_close(struct text *text);

/* A key of a template and its value; an array of them ends with the key NULL. */
struct field {
    const char *key, *value;
};

/* The template with its fields filled in, malloc'ed. A key without a field is a slip. */
char *template_text(const char *template, const struct field *field);
/* Writes a template as it is. */
void template_write(FILE *stream, const char *template, const struct field *field);

/* Writes a statement [name = value] behind `indent` blanks, in several lines if one is
   too short. `enclosed`: the value is within brackets already. */
void statement_write(FILE *stream, const struct language *language, int indent,
                     const char *template, const char *name, const char *value,
                     bool enclosed);
/* Writes text in lines behind `indent` blanks, broken where there are blanks. */
void lines_write(FILE *stream, const struct language *language, int indent,
                 const char *text);
/* Writes a comment, in several lines if one is too short; the later ones are indented by
   `hang`. Characters that could end the comment are left out. */
void comment_write(FILE *stream, const struct language *language, int hang,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
