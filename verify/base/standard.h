/*
 * standard.h - the standard streams of the command: closed ones, a reader that goes away,
 * and results that have standard output for themselves.
 */
#ifndef SALTUS_STANDARD_H
#define SALTUS_STANDARD_H

#include <stdbool.h>

/* Opens /dev/null for every standard descriptor that is closed: the next file that is
   opened would get its number, and then the text that is printed. /dev/null is opened the
   wrong way round, so that reading and printing still fail; complaints are lost. To be
   called once, at the beginning. */
void standard_open(void);

/* SIGPIPE of standard output ends the process without a word, as it ends other commands
   (| head). With `files` the command writes files, too: it goes on without a reader, and
   standard_end ends the process. Any other closed pipe is an error of its write. */
void standard_watch(bool files);
/* Is there a reader of standard output? A file or a device always has one. */
bool standard_is_read(void);

/* Gives standard output to results alone (-o -): anything else that is printed there is
   left out. */
void standard_take(void);
bool standard_taken(void);
/* The descriptor of standard output, also when it is taken. */
int standard_output(void);

/* Writes out all that is printed, at the end of the command. False: the text cannot be
   written. A reader that has gone ends the process here, by SIGPIPE. */
bool standard_end(void);
_Noreturn void standard_end_by_pipe(void);

#endif
