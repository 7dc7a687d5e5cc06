/*
 * main.c - `saltus COMMAND ...`: finds the command and runs it.
 */
#include <cjson/cJSON.h>
#include <flint/flint.h>
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/printable.h"
#include "base/standard.h"
#include "base/suggest.h"
#include "codegen/compiler.h"
#include "commands/setup.h"
#include "jobs/isolated_command.h"
#include "jobs/plugins_load.h"
#include "manual/usage.h"
#include "optimise/minimiser.h"
#include "options/args.h"

#ifndef SALTUS_VERSION
#define SALTUS_VERSION "0"
#endif

/* The command of bench/, which may use everything; the list in verify/ cannot name it. */
extern const struct command command_bench;

static enum exit_status unknown_command(const char *name)
{
    const char *known[64];
    char offer[200];
    int count = 0;
    for (; commands[count] && count < 64; count++)
        known[count] = commands[count]->name;
    offer_names(name, known, count, offer, sizeof offer);
    fputs("saltus: no command ", stderr);
    print_printable(stderr, name);
    fprintf(stderr, "; %s\n", offer);
    return EXIT_USAGE;
}

/* Loads plug-ins first: help and every name on the command line may be theirs. */
static enum exit_status run_command(const struct args *args)
{
    const struct command *command = args->command;
    if (!plugins_load(args))
        return EXIT_USAGE;
    if (args_has(args, OPTION_HELP)) {
        print_help(command);
        return EXIT_HELD;
    }
    double timeout;             /* a wrong timeout is told where nobody needs one, too */
    if (!setup_environment(args) || !args_positive(args, OPTION_TIMEOUT, &timeout))
        return EXIT_USAGE;
    if (args_take_output(args))
        standard_take();
    standard_watch(command->writes || args_write_files(args));
    return plugins_loaded() > 0 && command->apart ? isolated_command_run(args)
                                                  : command->run(args);
}

/* --- memory ------------------------------------------------------------------------- */

static void *checked(void *memory)
{
    if (!memory)
        memory_exhausted();
    return memory;
}

static void *allocate(size_t size)
{
    return checked(malloc(size > 0 ? size : 1));
}

static void *reallocate(void *old, size_t before, size_t size)
{
    (void)before;
    return checked(realloc(old, size > 0 ? size : 1));
}

static void release(void *memory, size_t size)
{
    (void)size;
    free(memory);
}

/* The type that flint asks for, with its attribute. */
__attribute__((noreturn)) static void end_library(void)
{
    memory_exhausted();
}

/* Libraries that run out of memory abort, or go on without a part of their result; here
   they end the process as we do. */
static void watch_memory(void)
{
    cJSON_Hooks hooks = {.malloc_fn = allocate, .free_fn = free};
    memory_at_exhaustion(cleanup_now);
    mp_set_memory_functions(allocate, reallocate, release);
    cJSON_InitHooks(&hooks);
    flint_set_abort(end_library);
}

/* --- the command line --------------------------------------------------------------- */

static bool is_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 ||
           strcmp(word, "-h") == 0;
}

/* Is the overview of all commands asked for, and not the help of one of them? */
static bool asks_for_usage(int argc, char **argv)
{
    return argc < 2 || (is_help(argv[1]) && (argc == 2 || is_help(argv[2]) ||
                                             strcmp(argv[1], "help") != 0));
}

/* Turns `help COMMAND ...` into `COMMAND --help ...`. */
static void ask_for_help(char **argv)
{
    static char option[] = "--help";
    argv[1] = argv[2];
    argv[2] = option;
}

/* The exit status after text that standard output may not have taken. */
static int end_of_text(void)
{
    if (standard_end())
        return EXIT_HELD;
    fputs("saltus: standard output cannot be written\n", stderr);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    standard_open();
    cleanup_watch();
    watch_memory();
    standard_watch(false);
    compiler_tell(cleanup_group, cleanup_forget_group);
    command_add(&command_bench);
    if (asks_for_usage(argc, argv)) {
        usage_print();
        return end_of_text();
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("saltus %s\noptimise: %s\n", SALTUS_VERSION, minimiser_library());
        return end_of_text();
    }
    if (strcmp(argv[1], "help") == 0)
        ask_for_help(argv);
    const struct command *command = command_find(argv[1]);
    if (!command)
        return (int)unknown_command(argv[1]);

    struct args args;
    enum exit_status status;
    if (args_parse(&args, command, argc - 1, argv + 1, &status))
        status = run_command(&args);
    args_clear(&args);
    if (!standard_end()) {
        fprintf(stderr, "saltus %s: standard output cannot be written\n", command->name);
        return EXIT_USAGE;
    }
    fflush(stderr);
    if (plugins_loaded() > 0)
        _exit((int)status);     /* no destructors of plug-ins run */
    return (int)status;
}
