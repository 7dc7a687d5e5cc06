/*
 * picture.h - the files of --output and --plot, there complete or not at all (outfile.h).
 */
#ifndef SALTUS_PICTURE_H
#define SALTUS_PICTURE_H

#include "drawings/gnuplot.h"
#include "options/file_print.h"

/* Can the file of --plot be written, and is there a gnuplot? true where --plot is not
   given; false after one line of complaint. To be asked before a long run. */
bool picture_possible(const struct args *args);
/* Can the files of --output and --plot be written? As of picture_possible. */
bool outputs_possible(const struct args *args);
/* Draws the file of --plot, if that is given, and with --keep-script writes its commands
   beside it. False after one line of complaint. */
bool picture_write(const struct args *args, const struct drawing *drawing);

/* The two files of a picture, which a caller publishes with others of his. */
struct picture_files {
    struct outfile picture, script;
};
/* Fills both; false: picture_error says why. Without --plot nothing is done. */
bool picture_fill(const struct args *args, const struct drawing *drawing,
                  struct picture_files *files);
/* Publishes both; false: picture_error says why. */
bool picture_publish(struct picture_files *files);
/* Removes what is not published; safe at any time. */
void picture_discard(struct picture_files *files);
/* Writes which file failed, and why. */
enum { PICTURE_ERROR = PATH_MAX + 500 };   /* bytes that take every text of it */
void picture_error(const struct picture_files *files, char *error, int size);

#endif
