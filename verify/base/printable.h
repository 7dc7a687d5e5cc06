/*
 * printable.h - text of others for a terminal: nothing in it moves the cursor, colours a
 * line or ends it.
 */
#ifndef SALTUS_PRINTABLE_H
#define SALTUS_PRINTABLE_H

#include <stdio.h>

/* Prints the text with every control character (C0, DEL, C1) and every byte that is not
   UTF-8 as \xHH. */
void print_printable(FILE *stream, const char *text);
/* Writes it into out[size], as far as whole characters of it have room. */
void printable_text(const char *text, char *out, size_t size);

#endif
