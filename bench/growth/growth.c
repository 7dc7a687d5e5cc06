/*
 * growth.c - scaling of times with size: points measured in interleaved rounds.
 */
#include "growth/growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define GROWTH(name) extern const struct growth growth_##name;
#include "growth/growth.def"
#undef GROWTH

const struct growth *const growths[] = {
#define GROWTH(name) &growth_##name,
#include "growth/growth.def"
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

/* Processor time of one solution, or of its start, in seconds: the mean of `repeats`. */
static double time_of(struct point *point, enum status (*solve)(struct point *point))
{
    double start = processor_time();
    for (int k = 0; k < point->repeats && point->status == OK; k++)
        point->status = solve(point);
    return (processor_time() - start)/point->repeats;
}

/* The first solution warms up, and sets `repeats` so that a time can be measured. Without
   it times mean nothing. */
static void begin(const struct growing *how, struct point *point)
{
    point->repeats = 1;
    point->status = point->work ? OK : point->diagnosis.status;
    if (how->quick)
        return;
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

static void tell(const struct growing *how, const char *what, double done)
{
    if (how->progress)
        how->progress(what, done);
}

static void measure_points(const struct growing *how, struct point *point, int points)
{
    for (int k = 0; k < points; k++) {
        tell(how, point[k].name, (double)k/points/(how->rounds + 1));
        begin(how, &point[k]);
    }
    for (int round = 0; round < how->rounds; round++)
        for (int k = 0; k < points; k++) {
            tell(how, point[k].name, (1 + round + (double)k/points)/(how->rounds + 1));
            measure_point(&point[k], round);
        }
    tell(how, NULL, 1);
}

bool growth_measure(const struct growth *growth, const struct growing *how,
                    struct grown *grown)
{
    bool solved = true;
    *grown = (struct grown){.growth = growth, .how = *how};
    grown->point = memory_new(MOST_POINTS, sizeof *grown->point);
    grown->points = growth->open(how, grown->point, MOST_POINTS);
    measure_points(how, grown->point, grown->points);
    for (int k = 0; k < grown->points; k++)
        solved = solved && grown->point[k].status == OK;
    return solved;
}

void growth_free(struct grown *grown)
{
    for (int k = 0; k < grown->points; k++)
        if (grown->point[k].work)
            grown->point[k].close(grown->point[k].work);
    free(grown->point);
    *grown = (struct grown){0};
}

/* --- what they come to -------------------------------------------------------------- */

double growth_ratio(const double *a, const double *b, int rounds)
{
    double x[MOST_ROUNDS];
    for (int k = 0; k < rounds; k++)
        x[k] = b ? a[k]/b[k] : a[k];
    return median(x, rounds);
}

bool growth_begins(const struct grown *grown, int k)
{
    const struct point *point = &grown->point[k];
    return k == 0 || strcmp(point[0].name, point[-1].name) != 0;
}

/* The point of this size in the series that begins with point k, solved; NULL: none. */
static const struct point *point_of(const struct grown *grown, int k, int size)
{
    const char *name = grown->point[k].name;
    for (; k < grown->points && strcmp(grown->point[k].name, name) == 0; k++)
        if (grown->point[k].size == size && grown->point[k].status == OK)
            return &grown->point[k];
    return NULL;
}

double growth_crossing(const struct grown *grown, int a, int b)
{
    double crossing = NAN, size_before = NAN, before = NAN;
    const char *name = grown->point[a].name;
    for (int k = a; k < grown->points && strcmp(grown->point[k].name, name) == 0; k++) {
        const struct point *x = &grown->point[k], *y = point_of(grown, b, x->size);
        if (!y || x->status != OK)
            continue;
        double gain = log(growth_ratio(x->each, y->each, grown->how.rounds));
        if (!(gain > 0))
            crossing = NAN;
        else if (isnan(before))
            crossing = x->size;
        else if (!(before > 0))
            crossing = size_before*pow(x->size/size_before, -before/(gain - before));
        size_before = x->size;
        before = gain;
    }
    return crossing;
}
