/*
 * growth_print.c - growth as a table and as CSV.
 */
#include <math.h>
#include <string.h>

#include "growth/growth.h"
#include "tables/text_table.h"

/* The point that ratios of a series refer to, among those that were solved; NULL:
   none. */
static const struct point *compared(const struct growth *growth,
                                    const struct point *series, int points)
{
    const struct point *first = NULL;
    for (int k = 0; k < points && strcmp(series[k].name, series->name) == 0; k++) {
        if (series[k].status != OK)
            continue;
        if (!first || series[k].size == growth->compared)
            first = &series[k];
    }
    return first;
}

static void cell(FILE *out, int width, int decimals, double x)
{
    fputc(' ', out);
    text_number(out, width, decimals, isfinite(x) ? x : NAN, "-");
}

/* Prints a point. `before`: the point of the series that was solved before, or NULL. The
   power is the exponent of the size by which the time of a part has grown since. */
static void print_point(FILE *out, const struct growth *growth, const struct point *at,
                        const struct point *before, const struct point *other, int rounds)
{
    double power = NAN;
    fprintf(out, "%-20s %5d", at->name, at->size);
    if (at->status != OK) {
        fprintf(out, "  %s\n", at->diagnosis.place);
        return;
    }
    if (before && before->size > 0)
        power = log(growth_ratio(at->each, before->each, rounds))/
                log((double)at->size/before->size);
    cell(out, 7, 2, growth_ratio(at->each, other->each, rounds));
    cell(out, 6, 2, power);
    cell(out, 10, 2, 1e6*growth_ratio(at->each, NULL, rounds));
    cell(out, 4, 0, spread(at->each, rounds));
    if (growth->one_problem) {
        fprintf(out, "  %8.1e\n", at->error);
        return;
    }
    fprintf(out, " %11ld", at->parts);
    cell(out, 7, 2, growth_ratio(at->seconds, other->seconds, rounds));
    cell(out, 10, 3, 1e3*growth_ratio(at->seconds, NULL, rounds));
    fputc('\n', out);
}

static void print_head(FILE *out, const struct growth *growth, const struct growing *how)
{
    char to[20] = "to least", each[40], rtol[40] = "";
    if (!growth->no_rtol)
        snprintf(rtol, sizeof rtol, "At rtol = %.0e. ", how->rtol);
    if (growth->compared > 0)
        snprintf(to, sizeof to, "to %d", growth->compared);
    snprintf(each, sizeof each, "one %s", growth->part);
    fprintf(out, "%s\n%s%sTimes of the processor, medians of %d interleaved rounds, half "
            "of which are within +-%%.\n'%s': as a multiple of that row; power: of the "
            "size, since the row before.\n\n", growth->title, rtol,
            how->quick ? "Quick: interpreted, the times mean nothing. " : "",
            how->rounds, to);
    if (growth->one_problem) {
        fprintf(out, "%-20s %5s %s\n%-20s %5s %7s %6s %10s %4s %9s\n", "", "", each,
                "method", "p", to, "power", "[us]", "+-%", "error");
        return;
    }
    fprintf(out, "%-20s %5s %-30s %-12s whole\n", "", "", each, "");
    fprintf(out, "%-20s %5s %7s %6s %10s %4s %10ss %7s %10s\n", "case", growth->name, to,
            "power", "[us]", "+-%", growth->part, to, "[ms]");
}

/* Prints from which size each further series is faster than the first. */
static void print_crossings(FILE *out, const struct grown *grown)
{
    for (int k = 1; k < grown->points; k++) {
        if (!growth_begins(grown, k))
            continue;
        double size = growth_crossing(grown, 0, k);
        fprintf(out, "\n%s is faster than %s ", grown->point[k].name,
                grown->point[0].name);
        if (isnan(size))
            fputs("nowhere.\n", out);
        else
            fprintf(out, "from %.2g %s on.\n", size, grown->growth->axis);
    }
}

void growth_print(FILE *out, const struct grown *grown)
{
    const struct point *other = NULL, *before = NULL;
    print_head(out, grown->growth, &grown->how);
    for (int k = 0; k < grown->points; k++) {
        const struct point *at = &grown->point[k];
        if (growth_begins(grown, k)) {
            other = compared(grown->growth, at, grown->points - k);
            before = NULL;
        }
        print_point(out, grown->growth, at, before, other, grown->how.rounds);
        if (at->status == OK)
            before = at;
    }
    if (grown->growth->one_problem)
        print_crossings(out, grown);
}

void growth_csv(FILE *out, const struct grown *grown)
{
    int rounds = grown->how.rounds;
    fprintf(out, "case,%s,status,microseconds_each,%ss,milliseconds\n",
            grown->growth->name, grown->growth->part);
    for (int k = 0; k < grown->points; k++) {
        const struct point *at = &grown->point[k];
        fprintf(out, "%s,%d,%s", at->name, at->size, status_text(at->status));
        if (at->status == OK)
            fprintf(out, ",%.4g,%ld,%.4g\n", 1e6*growth_ratio(at->each, NULL, rounds),
                    at->parts, 1e3*growth_ratio(at->seconds, NULL, rounds));
        else
            fputs(",,,\n", out);
    }
}
