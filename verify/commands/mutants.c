/*
 * mutants.c - `saltus mutants`: faults made on purpose, and whether they are caught.
 */
#include "mutants/mutants.h"

#include <stdio.h>
#include <stdlib.h>

#include "catalogue.h"
#include "commands/outfile.h"
#include "commands/setup.h"
#include "formula/memory.h"

static bool write_json(const struct args *args, const struct mutants *mutants)
{
    const char *path = args_text(args, OPTION_JSON_FILE, NULL);
    struct outfile file = {0};
    if (!path)
        return true;
    bool good = outfile_open(&file, path);
    if (good)
        mutants_json(file.stream, mutants);
    good = good && outfile_finish(&file) && outfile_publish(&file);
    outfile_discard(&file);
    if (!good)
        complain(args, "%s: cannot be written: %s", path, file.error);
    return good;
}

/* The cases named, or all; NULL after a complaint. */
static const struct case_desc **choose_cases(const struct args *args, int *cases)
{
    *cases = args->operands;
    while (args->operands == 0 && catalogue[*cases])
        ++*cases;
    const struct case_desc **desc = memory_new(*cases, sizeof *desc);
    for (int k = 0; k < *cases; k++) {
        desc[k] = args->operands ? setup_case(args, args->operand[k]) : catalogue[k];
        if (!desc[k]) {
            free(desc);
            return NULL;
        }
    }
    return desc;
}

static enum exit_status print_mutants(const struct args *args)
{
    char error[200];
    int cases;
    long jobs = processors(), every = 1;
    const char *path = args_text(args, OPTION_JSON_FILE, NULL);
    if (!args_count(args, OPTION_JOBS, 1, 256, &jobs) ||
        !args_count(args, OPTION_EVERY, 1, 100000, &every))
        return EXIT_USAGE;
    if (path && !outfile_possible(path, error, sizeof error))
        return complain(args, "%s: cannot be written: %s", path, error);
    const struct case_desc **desc = choose_cases(args, &cases);
    if (!desc)
        return EXIT_USAGE;

    struct mutants mutants;
    mutants_plan(&mutants, desc, cases, args->operands == 0, (int)every);
    mutants_run(&mutants, (int)jobs);
    mutants_report(stdout, &mutants);
    enum exit_status status = mutants_held(&mutants) ? EXIT_HELD : EXIT_SHORT;
    if (!write_json(args, &mutants))
        status = EXIT_USAGE;
    mutants_free(&mutants);
    free(desc);
    return status;
}

static const enum option_id options[] = {
    OPTION_EVERY, OPTION_JOBS, OPTION_JSON_FILE, OPTIONS,
};

extern const struct command command_mutants;
const struct command command_mutants = {
    .name = "mutants",
    .synopsis = "[CASE...] [OPTION...]",
    .summary = "Faults made on purpose: is every one of them caught?",
    .text =
        "Seeded faults (wrong jump terms, signs, sides, events, derivatives), each on\n"
        "every case, judged by every oracle; generated ones, every row of the\n"
        "derivatives of a few cases made wrong; and how small a fault may be and still\n"
        "be seen. All of it takes about twenty minutes on two cores; --every 20 takes\n"
        "one generated fault in twenty.\n\n"
        "  saltus mutants --every 20\n"
        "  saltus mutants five-bar --json mutants.json\n",
    .option = options,
    .least = 0,
    .most = -1,
    .run = print_mutants,
};
