/*
 * table.c - work-precision results as text tables and CSV.
 */
#include "tables/table.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "codegen/code_cache.h"
#include "peers/flags.h"
#include "tables/text_table.h"

static const double shown[] = {1e-6, 1e-9, 1e-12};
enum { SHOWN = sizeof shown/sizeof *shown };

double microseconds(const struct rung *rung, int rounds)
{
    double x[MOST_ROUNDS];
    memcpy(x, rung->seconds, (size_t)rounds*sizeof *x);
    return 1e6*median(x, rounds);
}

/* The width of the column of names: that of the longest. */
static int width_of(int peers, const struct ladder *ladder)
{
    size_t width = 4;
    for (int i = 0; i < peers; i++)
        if (strlen(ladder[i].peer->name) > width)
            width = strlen(ladder[i].peer->name);
    return (int)width;
}

void table_preamble(FILE *out, const struct measuring *how,
                    const struct workload *workload, int peers,
                    const struct ladder *ladder)
{
    int width = width_of(peers, ladder);
    fprintf(out, "%s\nError: the largest of ", workload->title);
    if (workload->by > 0)
        fputs("the derivatives by relative changes of parameters, in parts of the "
              "largest,\n", out);
    else if (workload->scale)
        fputs("all states and their derivatives, each by its largest magnitude,\n", out);
    else
        fprintf(out, "%s, %s, %s ", workload->answer[0], workload->answer[1],
                workload->answer[2]);
    if (workload->by > 0)
        fputs("from the certified values. ", out);
    else
        fputs("at the end, from the certified values of the motion\nthat a formulation "
              "follows. ", out);
    fprintf(out, "Time: of the processor, for one solution, median of %d "
            "interleaved\nrounds, of which half are within +-%%; varies from run to "
            "run.\n\n", how->rounds);
    for (int i = 0; i < peers; i++) {
        fprintf(out, "%-*s  %s\n", width, ladder[i].peer->name, ladder[i].peer->title);
        if (ladder[i].rungs == 0)
            fprintf(out, "%*s  not measured: %s\n", width, "",
                    ladder[i].diagnosis.place);
    }
}

static bool shown_rung(const struct measuring *how, const struct rung *rung)
{
    double decade = log10(rung->tolerance);
    return how->only > 0 || fabs(decade - rint(decade)) < 1e-6;
}

/* The time of a solution over its right-hand sides, and the part of these that ran
   compiled. */
static void print_evaluations(FILE *out, const struct measuring *how,
                              const struct rung *rung)
{
    double count = (double)rung->evaluations, compiled = (double)rung->compiled;
    text_number(out, 11, 3, count > 0 ? microseconds(rung, how->rounds)/count : NAN, "-");
    text_number(out, 8, 0, count > 0 ? 100*compiled/count : NAN, "-");
}

void table_rungs(FILE *out, const struct measuring *how, int peers,
                 const struct ladder *ladder)
{
    int width = width_of(peers, ladder);
    fprintf(out, "\n%-*s  tolerance     error  time [us]  +-%%  each [us]  code %%\n",
            width, "peer");
    for (int i = 0; i < peers; i++)
        for (int k = 0; k < ladder[i].rungs; k++) {
            const struct rung *rung = &ladder[i].rung[k];
            if (!shown_rung(how, rung))
                continue;
            fprintf(out, "%-*s  %9.1e", width, ladder[i].peer->name, rung->tolerance);
            if (rung->status == OK) {
                fprintf(out, "  %8.1e  %9.1f  %3.0f", rung->error,
                        microseconds(rung, how->rounds),
                        spread(rung->seconds, how->rounds));
                print_evaluations(out, how, rung);
                fputs("\n", out);
            } else if (rung->status == TIMED_OUT)
                fprintf(out, "  more than %.1f s\n", how->most);
            else
                fprintf(out, "  %s\n", status_text(rung->status));
        }
}

struct at_error at_error(const struct measuring *how, const struct ladder *ladder,
                         const struct ladder *first, double error)
{
    double time[MOST_ROUNDS], ratio[MOST_ROUNDS], doubt[MOST_ROUNDS];
    for (int round = 0; round < how->rounds; round++) {
        struct reading own = time_at(ladder, round, error);
        struct reading unit = time_at(first, round, error);
        time[round] = 1e6*own.seconds;
        ratio[round] = own.seconds/unit.seconds;
        doubt[round] = ladder == first ? 0 : 100*hypot(own.doubt, unit.doubt);
    }
    bool reached = !isnan(ratio[0]);
    return (struct at_error){
        .ratio = reached ? median(ratio, how->rounds) : NAN,
        .doubt = reached ? median(doubt, how->rounds) : NAN,
        .microseconds = isnan(time[0]) ? NAN : median(time, how->rounds),
    };
}

static void print_at_error(FILE *out, struct at_error at)
{
    text_number(out, 8, 2, at.ratio, "-");
    text_number(out, 4, 0, at.doubt, "-");
    text_number(out, 9, 1, at.microseconds, "-");
}

/* Prints the build of this program, if a peer belongs to it. */
static void print_own_build(FILE *out, int peers, const struct ladder *ladder)
{
    char command[400];
    bool own = false;
    for (int i = 0; i < peers; i++)
        own = own || ladder[i].peer->workload;
    code_cache_command(command, sizeof command);
    if (own)
        fprintf(out, "This program: " OWN_BUILD "; generated code:\n%s\n", command);
}

void table_errors(FILE *out, const struct measuring *how, int peers,
                  const struct ladder *ladder)
{
    int width = width_of(peers, ladder);
    fprintf(out, "\n%-*s", width, "at error");
    for (int e = 0; e < SHOWN; e++)
        fprintf(out, "%8.0e%13s", shown[e], "");
    fprintf(out, "\n%-*s", width, "peer");
    for (int e = 0; e < SHOWN; e++)
        fprintf(out, "%8s%4s%9s", "ratio", "+-%", "[us]");
    fputs("  build\n", out);
    for (int i = 0; i < peers; i++) {
        fprintf(out, "%-*s", width, ladder[i].peer->name);
        for (int e = 0; e < SHOWN; e++)
            print_at_error(out, at_error(how, &ladder[i], &ladder[0], shown[e]));
        fprintf(out, "  %s\n", ladder[i].peer->build);
    }
    fprintf(out, "Ratios to %s. Times are read from the parabola of log time against "
            "log error within\na factor of 100 of the error; +-%%: standard error of the "
            "ratio, as rungs scatter about both\ncurves; -: no rungs on both sides.\n",
            ladder[0].peer->name);
    print_own_build(out, peers, ladder);
}

void table_gaps(FILE *out, const struct workload *workload, int peers,
                const struct ladder *ladder)
{
    const double *first = ladder[0].truth.value;
    if (workload->scale)
        return;
    for (int i = 1; i < peers; i++) {
        const double *own = ladder[i].truth.value;
        if (ladder[i].rungs == 0 || memcmp(own, first, sizeof ladder[i].truth) == 0)
            continue;
        fprintf(out, "Motion of %s from that of %s:", ladder[i].peer->name,
                ladder[0].peer->name);
        for (int k = 0; k < ANSWERS; k++)
            fprintf(out, "%s %s %.1e (%.1g %%)", k > 0 ? "," : "", workload->answer[k],
                    own[k] - first[k], 100*fabs(own[k]/first[k] - 1));
        fputs("\n", out);
    }
    if (workload->claim)
        fprintf(out, "\nPublished: %s\n", workload->claim);
}

void table_csv(FILE *out, const struct measuring *how, int peers,
               const struct ladder *ladder)
{
    fputs("peer,tolerance,status,error,microseconds,spread_percent,evaluations,"
          "compiled\n", out);
    for (int i = 0; i < peers; i++)
        for (int k = 0; k < ladder[i].rungs; k++) {
            const struct rung *rung = &ladder[i].rung[k];
            fprintf(out, "%s,%.3e,%s", ladder[i].peer->name, rung->tolerance,
                    status_text(rung->status));
            if (rung->status == OK)
                fprintf(out, ",%.3e,%.4g,%.2g,%ld,%ld\n", rung->error,
                        microseconds(rung, how->rounds),
                        spread(rung->seconds, how->rounds), rung->evaluations,
                        rung->compiled);
            else
                fputs(",,,,,\n", out);
        }
}
