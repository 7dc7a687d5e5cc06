/*
 * gnuplot.h - pictures that gnuplot draws, in one style, as SVG and PDF.
 *
 * gnuplot runs in a child that reads no settings of the user's. The same commands give
 * the same bytes.
 */
#ifndef SALTUS_GNUPLOT_H
#define SALTUS_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/outfile.h"

enum picture_format { PICTURE_SVG, PICTURE_PDF, PICTURE_FORMATS };

/* The end of the name of a picture: ".svg". */
extern const char *const picture_suffix[PICTURE_FORMATS];

/* Widths of pictures in millimetres: a column of a journal, and its page. */
enum { COLUMN_WIDTH = 86, PAGE_WIDTH = 178 };

/* A picture. The caller sets every member. */
struct drawing {
    double width, height;       /* in millimetres */
    print_function *draw;       /* writes commands for gnuplot; those of style.gnuplot
                                   stand before them */
    const void *context;        /* second argument of `draw` */
};

/* The format that the end of the name asks for; false: it promises something else. A name
   without an end is SVG. */
bool picture_format_of(const char *path, enum picture_format *format);
/* Is there a gnuplot in $PATH? */
bool gnuplot_found(void);
/* Draws the picture into the file, which has been opened. false: file->error has the
   words of gnuplot. */
bool gnuplot_draw(struct outfile *file, enum picture_format format,
                  const struct drawing *drawing);
/* Writes text as a string of gnuplot, in which no letter is a command. A line end becomes
   a blank. */
void gnuplot_text(FILE *stream, const char *text);
/* Writes all that gnuplot was told, as a file that draws `picture` again. */
void gnuplot_script(FILE *stream, const char *picture, enum picture_format format,
                    const struct drawing *drawing);

#endif
