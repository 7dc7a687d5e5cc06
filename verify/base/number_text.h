/*
 * number_text.h - a double as decimal text that identifies it.
 */
#ifndef SALTUS_NUMBER_TEXT_H
#define SALTUS_NUMBER_TEXT_H

#include <stdio.h>

/* Room for any double and the zero byte behind it. */
enum { NUMBER_TEXT_ROOM = 32 };

/* Writes the fewest digits that are read back as x, of several texts the nearest to x,
   laid out as by "%.17g" where the decimal point is a point: with a power of ten below
   1e-4 and from 1e17 on. Returns the length. */
int number_text(char text[NUMBER_TEXT_ROOM], double x);

/* Prints what stands before the number, and x as number_text writes it. */
void number_print(FILE *stream, const char *before, double x);

#endif
