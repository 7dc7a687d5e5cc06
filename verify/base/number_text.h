/*
 * number_text.h - a double as decimal text that identifies it.
 */
#ifndef SALTUS_NUMBER_TEXT_H
#define SALTUS_NUMBER_TEXT_H

#include <stdio.h>

/* Room for any double and the zero byte behind it. */
enum { NUMBER_TEXT_ROOM = 32 };

/* Writes x with 17 significant digits, the bytes that "%.17g" gives where the decimal
   point is a point. Returns the length. */
int number_text(char text[NUMBER_TEXT_ROOM], double x);

/* Prints what stands before the number, and x as number_text writes it. */
void number_print(FILE *stream, const char *before, double x);

#endif
