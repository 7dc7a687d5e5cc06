/*
 * command.c - `saltus bench`: work-precision measurement of workload W by this solver, by
 * hand-written code and by other libraries.
 */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "asked.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "bvp/versus.h"
#include "commands/picture.h"
#include "growth/growth.h"
#include "integrators/methods.h"
#include "survey/survey.h"

/* Wall-clock time. */
static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9*(double)time.tv_nsec;
}

/* --- the measurement ---------------------------------------------------------------- */

/* Shows progress on stderr after two seconds: on a terminal in a line that goes when all
   is done, elsewhere in one line every ten seconds. `what` NULL: the end. */
static void progress(const char *what, double done)
{
    static double began = NAN, next;
    bool terminal = isatty(STDERR_FILENO);
    double now = seconds();
    char left[40] = "";
    if (isnan(began)) {
        began = now;
        next = now + 2;
    }
    if (what && now < next)
        return;
    if (done > 0.03)
        snprintf(left, sizeof left, ", about %.0f s left", (now - began)*(1 - done)/done);
    if (what)
        fprintf(stderr, "%sbench: %.0f %%, %.0f s%s: %.60s%s", terminal ? "\r\033[K" : "",
                100*done, now - began, left, what, terminal ? "" : "\n");
    else if (terminal)
        fputs("\r\033[K", stderr);
    next = now + (terminal ? 0.2 : 10);
    began = what ? began : NAN;
}

/* Sets the measurement; --quick shows whether everything works, not times. */
static bool choose_how(struct bench *bench)
{
    const struct args *args = bench->args;
    bool quick = args_has(args, OPTION_QUICK);
    bool counts = args_has(args, OPTION_EVALUATIONS);
    long rounds = quick || counts ? 1 : 7;
    bench->how = (struct measuring){
        .per_decade = quick ? 1 : 4, .tightest = 1e-14,
        .least = quick || counts ? 0 : 4e-3, .slow = counts ? INFINITY : 5e-3,
        .most = quick ? 0.2 : counts ? INFINITY : 0.3, .counts = counts,
        .progress = progress,
    };
    if (!args_count(args, OPTION_ROUNDS, 1, MOST_ROUNDS, &rounds) ||
        !args_rtol(args, &bench->how.only))
        return false;
    bench->how.rounds = (int)rounds;
    return true;
}

/* --- results ------------------------------------------------------------------------ */

/* A measurement that is to be written to files. */
struct result {
    const struct bench *bench;
    const struct grown *grown;      /* growth; NULL: ladders */
    const struct survey *survey;    /* survey; NULL: none */
    const struct versus *versus;    /* [versuses] periodic motions; NULL: none */
    int versuses;
};

static void draw(FILE *gnuplot, const void *context)
{
    const struct result *result = context;
    const struct bench *bench = result->bench;
    if (result->grown)
        growth_plot(gnuplot, result->grown);
    else
        table_plot(gnuplot, &bench->how, bench->workload, bench->peers, bench->ladder);
}

static void print_csv(FILE *out, const void *context)
{
    const struct result *result = context;
    const struct bench *bench = result->bench;
    if (result->versus)
        versus_csv(out, result->versus, result->versuses);
    else if (result->survey)
        survey_csv(out, result->survey);
    else if (result->grown)
        growth_csv(out, result->grown);
    else
        table_csv(out, &bench->how, bench->peers, bench->ladder);
}

/* Writes the file of --output, complete or not at all. */
static bool write_table(const struct result *result)
{
    const struct args *args = result->bench->args;
    const char *path = args_text(args, OPTION_OUT, NULL);
    return !path || file_print(args, path, print_csv, result);
}

static bool write_files(const struct result *result)
{
    printf("\nIt took %.0f s, %.0f s of them of the processor.\n",
           seconds() - result->bench->began, processor_time());
    const struct drawing drawing = {PAGE_WIDTH, 114, draw, result};
    return write_table(result) && picture_write(result->bench->args, &drawing);
}

static void print(const struct bench *bench)
{
    table_preamble(stdout, &bench->how, bench->workload, bench->peers, bench->ladder);
    if (!(bench->how.only > 0))
        table_errors(stdout, &bench->how, bench->peers, bench->ladder);
    table_gaps(stdout, bench->workload, bench->peers, bench->ladder);
    table_rungs(stdout, &bench->how, bench->peers, bench->ladder);
}

/* Pins the process to one processor; a refusal is ignored. */
static void pin(void)
{
    cpu_set_t here;
    int processor = sched_getcpu();
    CPU_ZERO(&here);
    if (processor >= 0) {
        CPU_SET((size_t)processor, &here);
        (void)sched_setaffinity(0, sizeof here, &here);
    }
}

static enum exit_status unknown_growth(const struct args *args, const char *what)
{
    const char *known[MOST_GROWTHS];
    char offer[300];
    int count = 0;
    for (; growths[count]; count++)
        known[count] = growths[count]->name;
    offer_names(what, known, count, offer, sizeof offer);
    return complain(args, "no growth in %s; %s", what, offer);
}

static enum exit_status grow(const struct bench *bench, const char *what)
{
    const struct growth *growth = growth_find(what);
    if (!growth)
        return unknown_growth(bench->args, what);
    const struct growing how = {
        .rounds = bench->how.rounds, .quick = args_has(bench->args, OPTION_QUICK),
        .rtol = bench->how.only > 0 ? bench->how.only : 1e-8, .progress = progress,
    };
    struct grown grown;
    pin();
    bool solved = growth_measure(growth, &how, &grown);
    growth_print(stdout, &grown);
    bool written = write_files(&(struct result){.bench = bench, .grown = &grown});
    growth_free(&grown);
    return !written ? EXIT_USAGE : solved ? EXIT_HELD : EXIT_SHORT;
}

static enum exit_status climb(struct bench *bench)
{
    if (!asked_workload(bench) || !asked_peers(bench))
        return EXIT_USAGE;
    pin();
    bench->ladder = memory_new(bench->peers, sizeof *bench->ladder);
    measure(&bench->how, bench->peers, bench->peer, bench->ladder);
    print(bench);
    bool written = write_files(&(struct result){.bench = bench}), begun = true;
    for (int k = 0; k < bench->peers; k++)
        begun = begun && bench->ladder[k].rungs > 0;
    free(bench->ladder);
    return !written ? EXIT_USAGE : begun ? EXIT_HELD : EXIT_SHORT;
}

/* Operands are integrators; the others are compared with the first. */
static enum exit_status survey(const struct bench *bench)
{
    static const char *const usual[] = {"dop853", "automatic"};
    const struct args *args = bench->args;
    int count = args->operands > 0 ? args->operands : 2;
    struct survey survey = {.integrators = count};
    if (count > MOST_SURVEYED)
        return complain(args, "--catalogue compares at most %d integrators",
                        MOST_SURVEYED);
    for (int i = 0; i < count; i++) {
        const char *name = args->operands > 0 ? args->operand[i] : usual[i];
        survey.integrator[i] = integrator_find(name);
        char offer[300] = "saltus list has their names";
        if (!survey.integrator[i])
            integrator_offer(name, offer, sizeof offer);
        if (!survey.integrator[i] || !survey.integrator[i]->alloc)
            return complain(args, "no explicit integrator %s; %s", name, offer);
    }
    pin();
    survey_measure(&bench->how, &survey);
    survey_print(stdout, &bench->how, &survey);
    bool written = write_files(&(struct result){.bench = bench, .survey = &survey});
    free(survey.line);
    free(survey.gap);
    return !written ? EXIT_USAGE : survey.lines > 0 ? EXIT_HELD : EXIT_SHORT;
}

/* The problems of the cases that operands name, or all. False: there is none of this
   name. */
static bool choose_versus(const struct args *args, const struct versus_problem **chosen,
                          int *count)
{
    const char *known[MOST_VERSUS];
    char offer[300];
    int names = 0;
    for (const struct versus_problem *p = versus_problems; p->name; p++)
        if (names == 0 || strcmp(known[names - 1], p->name) != 0)
            known[names++] = p->name;
    for (int k = 0; k < args->operands || k == 0; k++) {
        const char *name = args->operands > 0 ? args->operand[k] : NULL;
        int before = *count;
        for (const struct versus_problem *p = versus_problems; p->name; p++)
            if ((!name || strcmp(name, p->name) == 0) && *count < MOST_VERSUS)
                chosen[(*count)++] = p;
        if (*count == before) {
            offer_names(name, known, names, offer, sizeof offer);
            complain(args, "no periodic motion of %s is compared; %s", name, offer);
            return false;
        }
    }
    return true;
}

/* Periodic motions beside those of AUTO. */
static enum exit_status orbits(const struct bench *bench)
{
    const struct args *args = bench->args;
    const struct versus_problem *problem[MOST_VERSUS];
    struct versus versus[MOST_VERSUS];
    struct versus_request request = {
        .rtol = bench->how.only > 0 ? bench->how.only : 1e-12, .timeout = 60,
        .rounds = bench->how.rounds};
    int count = 0;
    bool holds = true;
    if (!choose_versus(args, problem, &count) ||
        !args_positive(args, OPTION_TIMEOUT, &request.timeout))
        return EXIT_USAGE;
    pin();
    for (int k = 0; k < count; k++) {
        progress(problem[k]->name, (double)k/count);
        versus_open(&versus[k], problem[k], &request);
        holds = versus_holds(&versus[k]) && holds;
    }
    progress(NULL, 1);
    versus_print(stdout, versus, count, request.rtol);
    bool written = write_files(&(struct result){.bench = bench, .versus = versus,
                                                .versuses = count});
    for (int k = 0; k < count; k++)
        versus_close(&versus[k]);
    return !written ? EXIT_USAGE : holds ? EXIT_HELD : EXIT_SHORT;
}

/* False and a complaint if options contradict each other: --growth, --catalogue and
   --orbits have workloads and solvers of their own. */
static bool options_agree(const struct args *args)
{
    bool all = args_has(args, OPTION_CATALOGUE);
    if (!all && args_has(args, OPTION_EVALUATIONS)) {
        complain(args, "--evaluations goes with --catalogue");
        return false;
    }
    if (args_has(args, OPTION_ORBITS) &&
        (all || args_has(args, OPTION_GROWTH) || args_has(args, OPTION_WORKLOAD) ||
         args_has(args, OPTION_PLOT))) {
        complain(args, "--orbits has no --catalogue, --growth, --workload or --plot; "
                 "leave them out");
        return false;
    }
    if (all && (args_has(args, OPTION_GROWTH) || args_has(args, OPTION_WORKLOAD) ||
                args_has(args, OPTION_PLOT) || args_has(args, OPTION_RTOL))) {
        complain(args, "--catalogue has no --growth, --workload, --plot or --rtol; leave "
                 "them out");
        return false;
    }
    if (asked_case(args) && args_has(args, OPTION_WORKLOAD)) {
        complain(args, "%s and --workload are two workloads; leave one out",
                 args->operand[0]);
        return false;
    }
    if (!args_has(args, OPTION_GROWTH))
        return true;
    if (args->operands > 0)
        complain(args, "--growth has no peers; leave out %s", args->operand[0]);
    else if (args_has(args, OPTION_WORKLOAD))
        complain(args, "--growth and --workload are two tables; ask for one");
    else
        return true;
    return false;
}

static enum exit_status bench_run(const struct args *args)
{
    struct bench bench = {.args = args, .began = seconds()};
    const char *what = args_text(args, OPTION_GROWTH, NULL);
    if (!options_agree(args) || !choose_how(&bench) || !outputs_possible(args))
        return EXIT_USAGE;
    if (args_has(args, OPTION_CATALOGUE))
        return survey(&bench);
    if (args_has(args, OPTION_ORBITS))
        return orbits(&bench);
    enum exit_status status = what ? grow(&bench, what) : climb(&bench);
    workload_free(bench.made_workload);
    return status;
}

static const enum option_id options[] = {
    OPTION_RTOL, OPTION_ROUNDS, OPTION_WORKLOAD, OPTION_GROWTH, OPTION_CATALOGUE,
    OPTION_EVALUATIONS, OPTION_ORBITS, OPTION_QUICK,
    OPTION_OUT, OPTION_PLOT, OPTION_KEEP_SCRIPT, OPTION_SOLVER, OPTION_NAME,
    OPTION_PLUGIN, OPTION_TIMEOUT, OPTIONS,
};

extern const struct command command_bench;
const struct command command_bench = {
    .name = "bench",
    .synopsis = "[CASE] [PEER...] [OPTION...]",
    .summary = "What it costs: time against true error, beside other solvers",
    .text =
        "CASE, a name or a model file, or without it workload W, the five-bar\n"
        "mechanism with two sensitivities, at a ladder of tolerances; times and true\n"
        "errors in one table, peers in turn in each round. Errors are against certified\n"
        "values.\n"
        "Peers: hand-rk87, hand-dop853 (written by hand for this mechanism), gsl-rk8pd,\n"
        "and in a build that found SUNDIALS cvodes-adams, -bdf, -staggered,\n"
        "-simultaneous, idas-plain, -staggered, each -rebuilt, too (make bench), and\n"
        "idas-formulas, for any case without events; NAME? where it may be missing;\n"
        "FORMULATION[:OPTION=VALUE][/INTEGRATOR] of saltus, prepared, or with /run\n"
        "from scratch; formulations; integrators. Without names: those of others, and\n"
        "penalty. --rtol: this tolerance alone. --catalogue: names are explicit\n"
        "integrators, timed over all cases, or with --evaluations compared by their\n"
        "right-hand sides. --workload CASE/gradient: the gradient of\n"
        "its first cost by direct, adjoint, discrete-adjoint and cvodes-adjoint.\n"
        "--solver: a program of one's own, which `saltus problem` asks for two times\n"
        "at the tolerance of each rung; its processor time from start to end.\n"
        "--orbits: names are cases whose periodic motions AUTO-07p solves, too, as\n"
        "boundary value problems; exit status 1 where it disagrees.\n\n"
        "  saltus bench hand-rk87 penalty --plot bench.svg\n"
        "  saltus bench mine.yaml formulations --plot mine.svg\n"
        "  saltus bench --workload slider-crank-friction\n"
        "  saltus bench --catalogue dop853 automatic -o catalogue.csv\n",
    .option = options,
    .least = 0,
    .most = -1,
    .apart = true,
    .run = bench_run,
};
