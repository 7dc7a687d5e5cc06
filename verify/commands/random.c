/*
 * random.c - `saltus random`: mechanisms that nobody thought of.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "commands/setup.h"
#include "jobs/pool.h"
#include "random/generate.h"
#include "random/shrink.h"
#include "random/survey.h"

/* Most findings that are shrunk: one of each kind. */
enum { MOST_SHRUNK = 8 };

static bool read_kinds(const struct args *args, unsigned *kinds)
{
    const char *list = args_text(args, OPTION_KINDS, NULL);
    char name[40];
    *kinds = list ? 0 : ALL_KINDS;
    while (list && next_in_list(&list, name, sizeof name)) {
        int kind = kind_find(name);
        if (kind < 0) {
            char known[1000] = "";
            for (int k = 0; k < KINDS; k++) {
                strcat(known, k > 0 ? ", " : "");
                strcat(known, kind_info[k].name);
            }
            complain(args, "--kinds: no kind %s; known: %s", name, known);
            return false;
        }
        *kinds |= 1u << kind;
    }
    return true;
}

/* Is it the first finding of this solution and kind of disagreement? Only that one is
   shrunk. */
static bool is_new(const struct survey_draw *draw, int k)
{
    const struct disagreement *d = &draw[k].finding;
    for (int e = 0; e < k; e++) {
        const struct disagreement *other = &draw[e].finding;
        if (draw[e].found && other->kind == d->kind && other->status == d->status &&
            strcmp(other->who, d->who) == 0)
            return false;
    }
    return draw[k].found;
}

static void show_findings(const struct survey_request *request,
                          const struct survey_draw *draw)
{
    struct draw *small = memory_new(1, sizeof *small);
    int shrunk = 0;
    for (int k = 0; k < request->count && shrunk < MOST_SHRUNK; k++) {
        if (!is_new(draw, k))
            continue;
        struct draw_request judges = survey_judges(request, draw[k].seed);
        struct disagreement disagreement = draw[k].finding;
        generate(small, draw[k].seed, request->kinds);
        int tried = shrink(small, &judges, &disagreement);
        printf("\nseed %llu, the smallest of %d mechanisms:\n\n",
               (unsigned long long)draw[k].seed, tried);
        survey_show(stdout, small, &disagreement);
        fflush(stdout);
        shrunk++;
    }
    free(small);
}

static enum exit_status random_mechanisms(const struct args *args)
{
    long seed = 1, count = 100, threads = processors();
    struct survey_request request = {.verb = "random"};
    if (!args_count(args, OPTION_SEED, 0, 1000000000000000, &seed) ||
        !args_count(args, OPTION_COUNT, 1, 1000000, &count) ||
        !args_count(args, OPTION_JOBS, 1, 256, &threads) ||
        !read_kinds(args, &request.kinds) ||
        !setup_formulation(args, &request.only) || !setup_rule(args, &request.rule))
        return EXIT_USAGE;
    request.seed = (uint64_t)seed;
    request.count = (int)count;
    request.threads = (int)threads;

    struct survey_draw *draw = memory_new(request.count, sizeof *draw);
    bool found = false;
    survey_run(&request, draw);
    survey_report(stdout, &request, draw);
    fflush(stdout);
    if (args_has(args, OPTION_SHOW))
        show_findings(&request, draw);
    for (int k = 0; k < request.count; k++)
        found = found || draw[k].found;
    free(draw);
    return found ? EXIT_SHORT : EXIT_HELD;
}

static const enum option_id options[] = {
    OPTION_FORMULATION, OPTION_RULE, OPTION_SEED, OPTION_COUNT, OPTION_KINDS,
    OPTION_SHOW, OPTION_JOBS, OPTIONS,
};

extern const struct command command_random;
const struct command command_random = {
    .name = "random",
    .synopsis = "[OPTION...]",
    .summary = "Random hybrid mechanisms: does everything agree on them?",
    .text =
        "Draws mechanisms with constraints, auxiliary states, events and resets of all\n"
        "kinds, from the seed on, and solves each in every formulation that applies, by\n"
        "complex step, some also in MPFR. Numbers must agree to within what a hundred-\n"
        "fold tolerance changes; refusals by reason and time. --show shrinks one\n"
        "disagreement of each kind to the smallest mechanism, printed as a case file.\n"
        "With --rule one formulation jumps by a rule that may be wrong, and must be\n"
        "found. Exit status 1: there is a disagreement without a known cause.\n\n"
        "  saltus random --count 1000\n"
        "  saltus random --seed 21 --count 1 --show\n"
        "  saltus random --kinds constraint,impulse,units\n"
        "  saltus random --rule no-tau --show\n",
    .option = options,
    .least = 0,
    .most = 0,
    .run = random_mechanisms,
};
