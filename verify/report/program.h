/*
 * program.h - a program that runs as long as it needs, its words kept in files.
 */
#ifndef SALTUS_REPORT_PROGRAM_H
#define SALTUS_REPORT_PROGRAM_H

/* Runs argument[0] with arguments, NULL-terminated, in a process group that a signal to
   this process ends, too. Its standard output goes to the file `out`, its standard error
   to the file `err`. Returns its exit status; -1: it could not be started, or was ended
   by a signal, and `why` says which. */
int program_run_files(const char *const *argument, const char *out, const char *err,
                      char *why, int size);

#endif
