/*
 * text_table.h - columns of text: alignment, width, padding and colour, in one place.
 *
 * A column begins with the gap that parts it from the one before. A cell narrower than
 * its column is padded on the side that its text does not stand on; a wider one is
 * printed whole. Widths count characters, so UTF-8 keeps its place.
 */
#ifndef SALTUS_TEXT_TABLE_H
#define SALTUS_TEXT_TABLE_H

#include <stdio.h>

/* Bold, green and red when the stream is a terminal that is not "dumb" and NO_COLOR is
   not set. */
enum colour { PLAIN, BOLD, GREEN, RED, FAINT };
const char *colour_on(FILE *stream, enum colour colour);
const char *colour_off(FILE *stream);

enum text_side { TEXT_LEFT, TEXT_RIGHT };

struct text_column {
    const char *title;          /* text in the heading */
    enum text_side side;        /* where the text of the cells stands */
    int gap;                    /* blanks before the column */
    int width;                  /* characters; 0: the last column, never padded */
};

/* Makes the column wide enough for the text. */
void text_column_fit(struct text_column *column, const char *text);

/* Prints the titles of all columns in bold, and the end of the line. */
void text_heading(FILE *stream, const struct text_column *column, int columns);
/* Prints one cell; its text is at most 600 bytes long. */
void text_cell(FILE *stream, const struct text_column *column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints one cell in a colour; gap and line stay plain. */
void text_cell_in(FILE *stream, const struct text_column *column, enum colour colour,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Prints one cell with so many decimals of x; `absent`: where x is not a number. */
void text_cell_number(FILE *stream, const struct text_column *column, int decimals,
                      double x, const char *absent);
/* Prints one cell with the digits that identify x (base/number_text.h). */
void text_cell_exact(FILE *stream, const struct text_column *column, double x);
/* Prints a text in lines of at most `width` characters behind `indent` blanks, broken at
   blanks; a word that is longer stands alone. */
void text_paragraph(FILE *stream, int indent, int width, const char *text);
/* Prints a number with decimals where there are no columns, on the right of so many
   characters. */
void text_number(FILE *stream, int width, int decimals, double x, const char *absent);

#endif
