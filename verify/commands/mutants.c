/*
 * mutants.c - `saltus mutants`: faults made on purpose, and whether they are caught.
 */
#include "mutants/mutants.h"
#include "mutants/source_report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/setup.h"
#include "options/file_print.h"

static void print_json(FILE *stream, const void *mutants)
{
    mutants_json(stream, mutants);
}

static bool is_fault(const char *name)
{
    for (int k = 0; k < source_fault_count; k++)
        if (strcmp(source_faults[k].name, name) == 0)
            return true;
    return false;
}

/* Judges faults of the source (--source TREE): the operands are names of faults. The copy
   is made below $TMPDIR. */
static enum exit_status print_source(const struct args *args, int threads)
{
    char folder[SOURCE_TEXT], tree[PATH_MAX];
    const char *given = args_text(args, OPTION_SOURCE, NULL), *base = getenv("TMPDIR");
    for (int k = 0; k < args->operands; k++)
        if (!is_fault(args->operand[k]))
            return complain(args, "no fault %s in source.def", args->operand[k]);
    if (args_has(args, OPTION_JSON_FILE))
        return complain(args, "--json is not for --source");
    if (!realpath(given, tree))
        return complain(args, "%s: %s", given, strerror(errno));
    snprintf(folder, sizeof folder, "%.300s/saltus-source-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(folder))
        return complain(args, "%s: %s", folder, strerror(errno));
    return source_report(stdout, tree, folder, args->operand, args->operands, threads)
               ? EXIT_HELD : EXIT_SHORT;
}

static enum exit_status print_mutants(const struct args *args)
{
    int cases;
    long threads = processors(), every = 1;
    const char *path = args_text(args, OPTION_JSON_FILE, NULL);
    if (!args_count(args, OPTION_JOBS, 1, 256, &threads) ||
        !args_count(args, OPTION_EVERY, 1, 100000, &every))
        return EXIT_USAGE;
    if (args_has(args, OPTION_SOURCE))
        return print_source(args, (int)threads);
    if (!file_possible(args, path))
        return EXIT_USAGE;
    const struct case_desc **desc = setup_cases(args, &cases);
    if (!desc)
        return EXIT_USAGE;

    struct mutants mutants;
    mutants_schedule(&mutants, desc, cases, args->operands == 0, (int)every);
    mutants_run(&mutants, (int)threads);
    mutants_report(stdout, &mutants);
    enum exit_status status = mutants_held(&mutants) ? EXIT_HELD : EXIT_SHORT;
    if (path && !file_print(args, path, print_json, &mutants))
        status = EXIT_USAGE;
    mutants_free(&mutants);
    free(desc);
    return status;
}

static const enum option_id options[] = {
    OPTION_EVERY, OPTION_SOURCE, OPTION_JOBS, OPTION_JSON_FILE, OPTIONS,
};

extern const struct command command_mutants;
const struct command command_mutants = {
    .name = "mutants",
    .synopsis = "[CASE... | FAULT...] [OPTION...]",
    .summary = "Faults made on purpose: is every one of them caught?",
    .text =
        "Seeded faults (wrong jump terms, signs, sides, events, derivatives), each on\n"
        "every case, judged by every oracle; generated ones, every row of the\n"
        "derivatives of a few cases made wrong; and how small a fault may be and still\n"
        "be seen. All of it takes about twenty minutes on two cores; --every 20 takes\n"
        "one generated fault in twenty. --source makes the faults of source.def (or\n"
        "those named) in a copy of the source tree, compiles it, and asks who sees\n"
        "them.\n\n"
        "  saltus mutants --every 20\n"
        "  saltus mutants five-bar --json mutants.json\n"
        "  saltus mutants --source . rename-after\n",
    .option = options,
    .least = 0,
    .most = -1,
    .run = print_mutants,
};
