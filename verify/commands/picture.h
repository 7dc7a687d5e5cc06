/*
 * picture.h - pictures that gnuplot draws, there complete or not at all (outfile.h).
 */
#ifndef SALTUS_PICTURE_H
#define SALTUS_PICTURE_H

#include "base/outfile.h"
#include "options/args.h"

/* Can the file of --plot be written, and is there a gnuplot? true where --plot is not
   given; false after one line of complaint. To be asked before a long run. */
bool picture_possible(const struct args *args);
/* Can the files of --output and --plot be written? As of picture_possible. */
bool outputs_possible(const struct args *args);
/* Writes text to a stream. */
typedef void draw_function(FILE *stream, const void *context);
/* Prints to the file of --output, or to standard output. False after one line of
   complaint. */
bool output_print(const struct args *args, draw_function *print, const void *context);
/* Lets `draw` write commands for gnuplot, whose output becomes that of the file, which
   has been opened. false: file->error has the words of gnuplot. */
bool picture_draw(struct outfile *file, draw_function *draw, const void *context);
/* Lets `draw` write commands for gnuplot, whose output becomes the file of --plot, if
   that is given. False after one line of complaint. */
bool picture_write(const struct args *args, draw_function *draw, const void *context);

#endif
