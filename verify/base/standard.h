/*
 * standard.h - the standard streams of the command: closed ones, a reader that goes away,
 * and results that have standard output for themselves.
 */
#ifndef SALTUS_STANDARD_H
#define SALTUS_STANDARD_H

#include <stdbool.h>

/* A standard descriptor that is closed would become that of the next file that is opened,
   which then has what is printed. It leads to /dev/null instead, the wrong way round, so
   that reading and printing are still told to be impossible; complaints are lost. To be
   called once, at the beginning. */
void standard_open(void);

/* SIGPIPE of standard output ends the process without a word, as other commands end
   (| head). With `files` the command writes files, too: it goes on without a reader, and
   standard_end ends it. Another closed pipe is an error of the write, told there. */
void standard_watch(bool files);
/* Is there a reader of standard output? A file or a device always has one. */
bool standard_is_read(void);

/* Results have standard output for themselves (-o -): whatever else is printed there is
   left out. */
void standard_take(void);
bool standard_taken(void);
/* The descriptor of standard output, also when it is taken. */
int standard_output(void);

/* The end of the command: what is printed is written. False: it cannot be. Where the
   reader has gone, the process ends here, by SIGPIPE. */
bool standard_end(void);
_Noreturn void standard_end_by_pipe(void);

#endif
