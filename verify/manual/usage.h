/*
 * usage.h - the overview of all commands.
 */
#ifndef SALTUS_USAGE_H
#define SALTUS_USAGE_H

/* The purpose of the program in one sentence, without its name in front. */
extern const char usage_purpose[];
/* The meaning of every exit status, as lines of text. */
extern const char usage_exit_status[];

/* Prints the overview on standard output: every command with its summary. */
void usage_print(void);

#endif
