/*
 * main.c - `saltus COMMAND ...`: finds the command and runs it.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "commands/args.h"
#include "commands/setup.h"
#include "nearest.h"
#include "plugins/load.h"
#include "plugins/whole.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

/* In bench/, which may use everything; so the list in verify/ cannot name it. */
extern const struct command command_bench;

static void print_usage(void)
{
    puts("saltus judges sensitivities of hybrid multibody systems, and computes them.\n\n"
         "usage: saltus COMMAND [OPTION...]\n");
    for (int k = 0; commands[k]; k++)
        printf("  %-10s%s\n", commands[k]->name, commands[k]->summary);
    printf("  %-10s%s\n", command_bench.name, command_bench.summary);
    puts(
        "\n  saltus COMMAND --help says more; saltus --version\n\n"
        "Begin with: saltus verify bouncing-ball\n"
        "Exit status: 0 all held, 1 something judged fell short, 2 usage or input\n"
        "error, 3 the problem itself has no answer.");
}

static enum exit_status unknown_command(const char *name)
{
    const char *known[64];
    char offer[200];
    int count = 0;
    for (; commands[count] && count < 63; count++)
        known[count] = commands[count]->name;
    known[count++] = command_bench.name;
    offer_names(name, known, count, offer, sizeof offer);
    fprintf(stderr, "saltus: no command %s; %s\n", name, offer);
    return EXIT_USAGE;
}

/* Plug-ins first: help and every name on the command line may be theirs. */
static enum exit_status run_command(const struct args *args)
{
    const struct command *command = args->command;
    if (!plugins_load(args))
        return EXIT_USAGE;
    if (args_has(args, OPTION_HELP)) {
        print_help(command);
        return EXIT_HELD;
    }
    double timeout;             /* what is wrong is told where nobody needs it, too */
    if (!setup_environment(args) || !args_positive(args, OPTION_TIMEOUT, &timeout))
        return EXIT_USAGE;
    return plugins_loaded() > 0 && command->apart ? run_whole_apart(args)
                                                  : command->run(args);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error of the write, told there */
    if (argc < 2) {
        fputs("saltus: a command is missing; saltus --help lists them\n", stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_usage();
        return EXIT_HELD;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("saltus " SALTUS_VERSION);
        return EXIT_HELD;
    }
    const struct command *command = strcmp(argv[1], command_bench.name) == 0
                                        ? &command_bench : command_find(argv[1]);
    if (!command)
        return (int)unknown_command(argv[1]);

    struct args args;
    enum exit_status status;
    if (args_parse(&args, command, argc - 1, argv + 1, &status))
        status = run_command(&args);
    args_clear(&args);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "saltus %s: standard output cannot be written\n", command->name);
        return EXIT_USAGE;
    }
    return (int)status;
}
