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
/* Lets `draw` write commands for gnuplot, whose output becomes that of the file, which
   has been opened. false: file->error has the words of gnuplot. */
typedef void draw_function(FILE *gnuplot, const void *context);
bool picture_draw(struct outfile *file, draw_function *draw, const void *context);

#endif
