/*
 * roff.h - text as the macros of man(7).
 */
#ifndef SALTUS_ROFF_H
#define SALTUS_ROFF_H

#include <stdio.h>

/* Prints text [length] in which no character is a request or an escape of roff. */
void roff_text(FILE *stream, const char *text, int length);
/* The same of a whole text, with the end of the line. */
void roff_line(FILE *stream, const char *text);
/* Prints paragraphs. Lines that begin with spaces are examples or rows of a table, and
   stay as they are. */
void roff_paragraphs(FILE *stream, const char *text);
/* Prints lines of text as an example, all of them as they are. */
void roff_example(FILE *stream, const char *text);

#endif
