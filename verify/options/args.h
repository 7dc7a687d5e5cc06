/*
 * args.h - the command line of one command, parsed by the table options.def.
 */
#ifndef SALTUS_ARGS_H
#define SALTUS_ARGS_H

#include <stdbool.h>

#include "base/status.h"
#include "options/command.h"

struct args {
    const struct command *command;
    struct { int count; const char **value; } option[OPTIONS];
    int operands;
    const char **operand;
    struct owned_texts *owned;
};

/* Parses argv[1..]; argv[0] is the command's name. false after one line of complaint:
   status is the exit status. No value is empty, no two options write one file, none
   writes a file that another one reads, whatever the file is called. With --help operands
   may be missing. */
bool args_parse(struct args *args, const struct command *command, int argc, char **argv,
                enum exit_status *status);
void args_clear(struct args *args);

bool args_has(const struct args *args, enum option_id id);
/* The last value given, or `otherwise`. */
const char *args_text(const struct args *args, enum option_id id, const char *otherwise);
/* Reads a number, wholly; false after a complaint. *value is kept when the option is not
   given. */
bool args_number(const struct args *args, enum option_id id, double *value);
bool args_positive(const struct args *args, enum option_id id, double *value);
/* Reads --rtol, above 0 and below 1. */
bool args_rtol(const struct args *args, double *rtol);
bool args_count(const struct args *args, enum option_id id, long least, long most,
                long *value);
/* Copies the next item of a list "a,b,c" into `piece`; false at the end. */
bool next_in_list(const char **list, char *piece, int size);

/* Gives `text` to args: args_clear frees it. Returns it. */
const char *args_own(const struct args *args, char *text);

/* Prints one line on standard error: "saltus run: ..."; returns EXIT_USAGE. */
enum exit_status complain(const struct args *args, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Does the refusal concern the request, whatever the motion? */
bool is_wrong_request(const struct diagnosis *diagnosis);
/* Prints a refusal that names a place in a source, "path:line:column: ...", with that
   line and a caret below it; false: the refusal names none. */
bool complain_source(const struct args *args, const struct diagnosis *diagnosis);
/* Prints the refusal in one line, and the place in a source below it; returns the exit
   status that belongs to it. */
enum exit_status complain_refusal(const struct args *args, const char *subject,
                                  const struct diagnosis *diagnosis);
/* False after a complaint: `output` would write over the file `input`, under this or
   another name. */
bool args_keep_input(const struct args *args, enum option_id output, const char *input);

/* Does `path`, which is written beside the file of `output`, leave all files that options
   read? */
bool args_keep_inputs(const struct args *args, enum option_id output, const char *path);
/* Is standard output a file that an option writes, under this or another name? Then
   nothing else may be printed there. */
bool args_take_output(const struct args *args);
/* Does an option write another file? */
bool args_write_files(const struct args *args);

/* Reads the text as one finite number; false: it is none, or more. */
bool read_number(const char *text, double *value);

/* The names that an option knows by a table: --formulation, --integrator, --rule,
   --oracle, --method, --algorithm; defined in setup.c, which sees the tables. At most
   `room`; returns how many, 0 for other options. */
int setup_names(enum option_id id, const char **name, int room);

void print_help(const struct command *command);

#endif
