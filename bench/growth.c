#include "growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"

#define GROWTH(name) extern const struct growth growth_##name;
#include "growth.def"
#undef GROWTH

const struct growth *const growths[] = {
#define GROWTH(name) &growth_##name,
#include "growth.def"
#undef GROWTH
    NULL,
};

const struct growth *growth_find(const char *name)
{
    for (int k = 0; growths[k]; k++)
        if (strcmp(growths[k]->name, name) == 0)
            return growths[k];
    return NULL;
}

/* --- measuring ---------------------------------------------------------------------- */

/* Seconds of one solution, or of its start. */
static double time_of(struct point *point, enum status (*solve)(struct point *point))
{
    double start = processor_time();
    for (int k = 0; k < point->repeats && point->status == OK; k++)
        point->status = solve(point);
    return (processor_time() - start)/point->repeats;
}

/* The first solution warms up, and says how many make a time that can be measured. */
static void begin(struct point *point)
{
    point->repeats = 1;
    point->status = point->work ? OK : point->diagnosis.status;
    double seconds = fmax(1e-9, time_of(point, point->solve));
    point->repeats = (int)fmax(1, ceil(0.01/seconds));
}

static void measure_point(struct point *point, int round)
{
    double start = point->start ? time_of(point, point->start) : 0;
    double whole = time_of(point, point->solve);
    point->seconds[round] = whole;
    point->each[round] = (whole - start)/(double)point->parts;
}

static void measure_points(int rounds, struct point *point, int points)
{
    for (int k = 0; k < points; k++)
        begin(&point[k]);
    for (int round = 0; round < rounds; round++)
        for (int k = 0; k < points; k++)
            measure_point(&point[k], round);
}

/* --- the table ---------------------------------------------------------------------- */

/* The point that ratios of a series refer to, of those that were solved. */
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

/* The median over the rounds of a / b, or of a alone (b NULL). */
static double ratio_of(const double *a, const double *b, int rounds)
{
    double x[MOST_ROUNDS];
    for (int k = 0; k < rounds; k++)
        x[k] = b ? a[k]/b[k] : a[k];
    return median(x, rounds);
}

static void cell(FILE *out, int width, int decimals, double x)
{
    if (isfinite(x))
        fprintf(out, " %*.*f", width, decimals, x);
    else
        fprintf(out, " %*s", width, "-");
}

/* `before`: the point of the series that was solved before this one, or NULL; the power
   is that of the size by which the time of a part has grown since. */
static void print_point(FILE *out, const struct point *at, const struct point *before,
                        const struct point *other, int rounds)
{
    double power = NAN;
    fprintf(out, "%-20s %5d", at->name, at->size);
    if (at->status != OK) {
        fprintf(out, "  %s\n", at->diagnosis.place);
        return;
    }
    if (before && before->size > 0)
        power = log(ratio_of(at->each, before->each, rounds))/
                log((double)at->size/before->size);
    cell(out, 7, 2, ratio_of(at->each, other->each, rounds));
    cell(out, 6, 2, power);
    cell(out, 10, 2, 1e6*ratio_of(at->each, NULL, rounds));
    fprintf(out, " %11ld", at->parts);
    cell(out, 7, 2, ratio_of(at->seconds, other->seconds, rounds));
    cell(out, 10, 3, 1e3*ratio_of(at->seconds, NULL, rounds));
    fputc('\n', out);
}

static void print_head(FILE *out, const struct growth *growth, const struct growing *how)
{
    char to[20] = "to least", each[40];
    if (growth->compared > 0)
        snprintf(to, sizeof to, "to %d", growth->compared);
    snprintf(each, sizeof each, "one %s", growth->part);
    fprintf(out, "%s\n%sTimes of the processor, medians of %d interleaved rounds; power: "
            "of the size, from row to row.\n\n", growth->title,
            how->quick ? "Quick: interpreted, the times mean nothing. " : "",
            how->rounds);
    fprintf(out, "%-20s %5s %-25s %-12s whole\n", "", "", each, "");
    fprintf(out, "%-20s %5s %7s %6s %10s %10ss %7s %10s\n", "case", growth->name, to,
            "power", "[us]", growth->part, to, "[ms]");
}

bool growth_table(FILE *out, const struct growth *growth, const struct growing *how)
{
    struct point *point = memory_new(MOST_POINTS, sizeof *point);
    int points = growth->open(how, point, MOST_POINTS);
    const struct point *other = NULL, *before = NULL;
    bool solved = true;
    measure_points(how->rounds, point, points);
    print_head(out, growth, how);
    for (int k = 0; k < points; k++) {
        if (k == 0 || strcmp(point[k].name, point[k - 1].name) != 0) {
            other = compared(growth, &point[k], points - k);
            before = NULL;
        }
        print_point(out, &point[k], before, other, how->rounds);
        if (point[k].status == OK)
            before = &point[k];
        solved = solved && point[k].status == OK;
    }
    for (int k = 0; k < points; k++)
        if (point[k].work)
            point[k].close(point[k].work);
    free(point);
    return solved;
}
