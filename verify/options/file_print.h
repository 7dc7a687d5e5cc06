/*
 * file_print.h - the files that options name: written whole, or one line of complaint.
 */
#ifndef SALTUS_FILE_PRINT_H
#define SALTUS_FILE_PRINT_H

#include "base/outfile.h"
#include "options/args.h"

/* Could the file be written (outfile_possible)? true where path is NULL. False after one
   line of complaint. */
bool file_possible(const struct args *args, const char *path);
/* Prints to a file, which is there complete or not at all. False after one line of
   complaint. */
bool file_print(const struct args *args, const char *path, print_function *print,
                const void *context);
/* Prints to the file of --output, or to standard output. False after one line of
   complaint. */
bool output_print(const struct args *args, print_function *print, const void *context);

#endif
