/*
 * command.h - a word after `saltus`: its options, its help, its function.
 *
 * A new command is a file with a `const struct command` and a line in commands.def.
 */
#ifndef SALTUS_COMMAND_H
#define SALTUS_COMMAND_H

#include <stdbool.h>

/* Exit status. */
enum exit_status {
    EXIT_HELD = 0,          /* done; everything that was judged held */
    EXIT_SHORT = 1,         /* something was judged and fell short */
    EXIT_USAGE = 2,         /* usage or input error */
    EXIT_NO_ANSWER = 3,     /* the problem itself has no answer */
    EXIT_MEMORY = 4,        /* no memory was left: memory_exhausted */
    EXIT_INTERRUPTED = 130  /* ended by Ctrl-C or SIGTERM; shells give that number, too */
};

enum option_id {
#define OPTION(ID, ...) OPTION_##ID,
#include "options/options.def"
#undef OPTION
    OPTIONS
};

struct args;

struct command {
    const char *name;
    const char *synopsis;           /* operands and options in the usage line: "CASE
                                       [OPTION...]" */
    const char *summary;            /* what the command does, in one line */
    const char *text;               /* the rest of --help */
    const enum option_id *option;   /* options that are accepted, OPTIONS at the end;
                                       --help is implied */
    int least, most;                /* number of operands; most -1: any number */
    bool apart;                     /* with plug-ins the command runs in a process of its
                                       own */
    bool writes;                    /* the command writes files that no option names */
    enum exit_status (*run)(const struct args *args);
};

extern const struct command *commands[];    /* NULL-terminated */
/* Adds the command of bench/, which the list in verify/ cannot name, behind the others;
   to be called once at most. */
void command_add(const struct command *command);
const struct command *command_find(const char *name);

#endif
