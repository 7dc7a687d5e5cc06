#include "table.h"

#include <math.h>
#include <string.h>

static const double shown[] = {1e-6, 1e-9, 1e-12};
enum { SHOWN = sizeof shown/sizeof *shown };

/* Median over the rounds, in microseconds. */
static double microseconds(const struct rung *rung, int rounds)
{
    double x[MOST_ROUNDS];
    memcpy(x, rung->seconds, (size_t)rounds*sizeof *x);
    return 1e6*median(x, rounds);
}

/* Half of the rounds are within this many per cent of the median, on the average of both
   sides. */
static double spread(const struct rung *rung, int rounds)
{
    double x[MOST_ROUNDS];
    memcpy(x, rung->seconds, (size_t)rounds*sizeof *x);
    double middle = median(x, rounds);
    return 50*(x[3*(rounds - 1)/4] - x[(rounds - 1)/4])/middle;
}

void table_preamble(FILE *out, const struct measuring *how,
                    const struct workload *workload, int peers,
                    const struct ladder *ladder)
{
    fprintf(out, "%s\nError: the largest of %s, %s, %s at the end from the certified "
            "values of the motion that a formulation follows.\n"
            "Time: of the processor, for one solution, median of %d interleaved rounds; "
            "varies from run to run.\n\n", workload->title, workload->answer[0],
            workload->answer[1], workload->answer[2], how->rounds);
    for (int i = 0; i < peers; i++) {
        const struct peer *peer = ladder[i].peer;
        fprintf(out, "%-22s  %s\n%-22s  %s\n", peer->name, peer->title, "", peer->build);
        if (ladder[i].rungs == 0)
            fprintf(out, "%-22s  not measured: %s\n", "", ladder[i].diagnosis.place);
    }
}

void table_rungs(FILE *out, const struct measuring *how, int peers,
                 const struct ladder *ladder)
{
    fprintf(out, "\n%-22s  tolerance     error  time [us]  +-%%\n", "peer");
    for (int i = 0; i < peers; i++)
        for (int k = 0; k < ladder[i].rungs; k++) {
            const struct rung *rung = &ladder[i].rung[k];
            double decade = log10(rung->tolerance);
            if (fabs(decade - rint(decade)) > 1e-6 && !(how->only > 0))
                continue;
            fprintf(out, "%-22s  %9.1e", ladder[i].peer->name, rung->tolerance);
            if (rung->status == OK)
                fprintf(out, "  %8.1e  %9.1f  %3.0f\n", rung->error,
                        microseconds(rung, how->rounds), spread(rung, how->rounds));
            else
                fprintf(out, "  %s\n", status_text(rung->status));
        }
}

/* Medians over the rounds of the time at an error and of its ratio to the first peer's,
   round by round. */
static void at_error(FILE *out, const struct measuring *how, const struct ladder *ladder,
                     const struct ladder *first, double error)
{
    double time[MOST_ROUNDS], ratio[MOST_ROUNDS];
    for (int round = 0; round < how->rounds; round++) {
        time[round] = time_at(ladder, round, error);
        ratio[round] = time[round]/time_at(first, round, error);
    }
    if (isnan(time[0])) {
        fprintf(out, "  %9s %6s", "-", "");
        return;
    }
    fprintf(out, "  %9.1f", 1e6*median(time, how->rounds));
    if (isnan(ratio[0]))
        fprintf(out, " %6s", "");
    else
        fprintf(out, " %6.2f", median(ratio, how->rounds));
}

void table_errors(FILE *out, const struct measuring *how, int peers,
                  const struct ladder *ladder)
{
    fprintf(out, "\n%-22s", "time [us] at error");
    for (int e = 0; e < SHOWN; e++)
        fprintf(out, "  %9.0e ratio ", shown[e]);
    fputs("\n", out);
    for (int i = 0; i < peers; i++) {
        fprintf(out, "%-22s", ladder[i].peer->name);
        for (int e = 0; e < SHOWN; e++)
            at_error(out, how, &ladder[i], &ladder[0], shown[e]);
        fputs("\n", out);
    }
    fprintf(out, "On the straight line of log time against log error within a factor of "
            "100; -: not reached. Ratios to %s.\n", ladder[0].peer->name);
}

void table_gaps(FILE *out, const struct workload *workload, int peers,
                const struct ladder *ladder)
{
    const double *first = ladder[0].truth.value;
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
    fputs("peer,tolerance,status,error,microseconds,spread\n", out);
    for (int i = 0; i < peers; i++)
        for (int k = 0; k < ladder[i].rungs; k++) {
            const struct rung *rung = &ladder[i].rung[k];
            fprintf(out, "%s,%.3e,%s", ladder[i].peer->name, rung->tolerance,
                    status_text(rung->status));
            if (rung->status == OK)
                fprintf(out, ",%.3e,%.4g,%.2g\n", rung->error,
                        microseconds(rung, how->rounds), spread(rung, how->rounds));
            else
                fputs(",,,\n", out);
        }
}

void table_plot(FILE *gnuplot, const struct measuring *how,
                const struct workload *workload, int peers, const struct ladder *ladder,
                const char *svg)
{
    fprintf(gnuplot, "set terminal svg size 1000,640 font 'DejaVu Sans,13' "
            "background rgb 'white'\nset output \"%s\"\n"
            "set logscale xy\nset format '%%.0e'\nset xrange [*:*] reverse\n"
            "set xlabel 'true error'\nset ylabel 'time of one solution [us]'\n"
            "set grid lc rgb '#e0e0e0'\nset border lc rgb '#606060'\n"
            "set key outside right top noenhanced\n"
            "set title '%s: work and precision'\n",
            svg, workload->name);
    for (int i = 0; i < peers; i++) {
        fprintf(gnuplot, "$peer%d << EOD\n", i);
        for (int k = 0; k < ladder[i].rungs; k++)
            if (ladder[i].rung[k].status == OK && ladder[i].rung[k].error > 0)
                fprintf(gnuplot, "%.6e %.6e\n", ladder[i].rung[k].error,
                        microseconds(&ladder[i].rung[k], how->rounds));
        fputs("EOD\n", gnuplot);
    }
    fputs("plot ", gnuplot);
    for (int i = 0; i < peers; i++)
        fprintf(gnuplot, "%s$peer%d using 1:2 with linespoints pt %d ps 0.6 title \"%s\"",
                i > 0 ? ", " : "", i, 4 + i/8*3 + i%2, ladder[i].peer->name);
    fputs("\nunset output\n", gnuplot);
}
