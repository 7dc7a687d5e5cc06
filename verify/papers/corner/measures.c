/*
 * measures.c - curves and events of section 7 of Corner, Sandu, Sandu 2019,
 * measured (corner.h)
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "papers/corner/corner.h"
#include "papers/probe.h"

/* --- measures of a curve, for one attachment ---------------------------------------- */

/* A column at a sample. */
static double value(const struct bars *bars, int sample, int column)
{
    return bars->run.trajectory->sample[sample].x[column];
}

static int name_column(const struct bars *bars, const char *name)
{
    return paper_column(bars->run.trajectory, name);
}

/* The derivative by length j of a column of the values. */
static int by_length(const struct bars *bars, int column, int j)
{
    return column + (1 + j) * bars->run.trajectory->columns.width;
}

/* Largest difference of the central difference from the analytic derivative, in per cent
   of the largest size that the derivative has had by then, away from the spikes. */
static double difference_error(const struct bars *bars, const char *name)
{
    int c = name_column(bars, name);
    double worst = 0;
    for (int j = 0; j < LENGTHS; j++) {
        double largest = 0;
        for (int k = 1; k < bars->run.trajectory->samples; k++) {
            double exact = value(bars, k, by_length(bars, c, j));
            largest = fmax(largest, fabs(exact));
            if (!corner_between_twins(bars, j, k))
                worst = fmax(worst, fabs(corner_difference(bars, j, k, c) - exact) /
                                    largest);
        }
    }
    return 100 * worst;
}

static double error_y2(const struct bars *bars)
{
    return difference_error(bars, "q.y2");
}

static double error_vy2(const struct bars *bars)
{
    return difference_error(bars, "v.y2");
}

static double error_fall(const struct bars *bars)
{
    return difference_error(bars, "z.fall");
}

static double error_jerk(const struct bars *bars)
{
    return difference_error(bars, "z.jerk");
}

/* --- measures of events ------------------------------------------------------------- */

static double reversal(const struct bars *bars)
{
    const struct trajectory *motion = bars->run.trajectory;
    int c = name_column(bars, "v.y2");
    double worst = 0;
    for (int e = 0; e < motion->events; e++) {
        double before = motion->event[e].before.x[c], after = motion->event[e].after.x[c];
        worst = fmax(worst, fabs((after + before) / before));
    }
    return worst;
}

static double kept(const struct bars *bars)
{
    const struct trajectory *motion = bars->run.trajectory;
    int c = name_column(bars, "v.x2");
    double worst = 0;
    for (int e = 0; e < motion->events; e++)
        worst = fmax(worst, fabs(motion->event[e].after.x[c] -
                                 motion->event[e].before.x[c]));
    return worst;
}

void corner_energy_changes(const struct bars *bars, double *least, double *largest)
{
    const struct trajectory *motion = bars->run.trajectory;
    const struct columns *columns = &motion->columns;
    struct probe at;
    double *still = memory_new(columns->model->n, sizeof *still);
    *least = INFINITY;
    *largest = -INFINITY;
    probe_init(&at, columns->model, motion->value, &columns->model->energy, 1);
    for (int e = 0; e < motion->events; e++) {
        double before, after, potential;
        probe_at(&at, columns, &motion->event[e].after);
        probe_evaluate(&at, &after, NULL);
        probe_at(&at, columns, &motion->event[e].before);
        probe_evaluate(&at, &before, NULL);
        at.value[BLOCK_V] = still;
        probe_evaluate(&at, &potential, NULL);
        double change = (after - before) / (before - potential);
        *least = fmin(*least, change);
        *largest = fmax(*largest, change);
    }
    probe_clear(&at);
    free(still);
}

/* The event nearest to a time. */
static const struct event_record *nearest(const struct trajectory *motion, double t)
{
    const struct event_record *best = motion->event;
    for (int e = 1; e < motion->events; e++)
        if (fabs(motion->event[e].before.t - t) < fabs(best->before.t - t))
            best = &motion->event[e];
    return best;
}

struct spikes corner_spikes(const struct bars *bars)
{
    const struct trajectory *motion = bars->run.trajectory;
    struct spikes spikes = {INFINITY, 0, 0};
    int c = name_column(bars, "v.y2");
    for (int j = 0; j < LENGTHS; j++)
        for (int k = 1; k < motion->samples; k++) {
            if (!corner_between_twins(bars, j, k))
                continue;
            const struct event_record *event = nearest(motion, motion->sample[k].t);
            double height = fabs(corner_difference(bars, j, k, c));
            double said = fabs(2 * event->before.x[c]) / corner_drho;
            spikes.least = fmin(spikes.least, height);
            spikes.largest = fmax(spikes.largest, height);
            spikes.apart = fmax(spikes.apart, fabs(height / said - 1));
        }
    return spikes;
}

static double spikes_apart(const struct bars *bars)
{
    return corner_spikes(bars).apart;
}

/* Largest relative distance of the time between events of twins from |dt_e/drho| drho. */
static double widths_apart(const struct bars *bars)
{
    double worst = 0;
    for (int j = 0; j < LENGTHS; j++)
        for (int e = 0; e < bars->run.trajectory->events; e++) {
            const struct twins *twins = &bars->twins[j];
            double width = twins->upper.trajectory->event[e].before.t -
                           twins->lower.trajectory->event[e].before.t;
            double said = bars->run.trajectory->event[e].tau[j] * corner_drho;
            worst = fmax(worst, fabs(width / said - 1));
        }
    return worst;
}

/* --- measures of quadratures -------------------------------------------------------- */

/* The largest distance of two columns at samples, less that at the start and, with
   `jumps`, less the jumps of their difference at events so far; relative to the largest
   number of the second. */
static double apart(const struct bars *bars, int z, int y, bool jumps)
{
    const struct trajectory *motion = bars->run.trajectory;
    double constant = motion->sample[0].x[z] - motion->sample[0].x[y];
    double worst = 0, largest = 0;
    int next = 0;
    for (int k = 0; k < motion->samples; k++) {
        const struct run_point *sample = &motion->sample[k];
        for (; next < motion->events && motion->event[next].before.t <= sample->t;
             next++) {
            const double *before = motion->event[next].before.x;
            const double *after = motion->event[next].after.x;
            if (jumps)
                constant += after[z] - before[z] - (after[y] - before[y]);
        }
        worst = fmax(worst, fabs(sample->x[z] - sample->x[y] - constant));
        largest = fmax(largest, fabs(sample->x[y]));
    }
    return worst / largest;
}

static double fall_apart(const struct bars *bars)
{
    return apart(bars, name_column(bars, "z.fall"), name_column(bars, "q.y2"), false);
}

static double jerk_apart(const struct bars *bars)
{
    return apart(bars, name_column(bars, "z.jerk"), name_column(bars, "v.y2"), false);
}

static double jerk_on_arcs(const struct bars *bars)
{
    return apart(bars, name_column(bars, "z.jerk"), name_column(bars, "v.y2"), true);
}

/* The larger of both lengths. */
static double derivatives_apart(const struct bars *bars, const char *z, const char *y,
                                bool jumps)
{
    double worst = 0;
    for (int j = 0; j < LENGTHS; j++)
        worst = fmax(worst, apart(bars, by_length(bars, name_column(bars, z), j),
                                  by_length(bars, name_column(bars, y), j), jumps));
    return worst;
}

static double dfall_apart(const struct bars *bars)
{
    return derivatives_apart(bars, "z.fall", "q.y2", false);
}

static double djerk_apart(const struct bars *bars)
{
    return derivatives_apart(bars, "z.jerk", "v.y2", false);
}

static double djerk_on_arcs(const struct bars *bars)
{
    return derivatives_apart(bars, "z.jerk", "v.y2", true);
}

/* --- errors ------------------------------------------------------------------------- */

struct errors corner_errors(const struct bars *bars)
{
    const char *const name[] = {"q.y2", "v.y2"};
    struct errors errors = {0};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < LENGTHS; j++) {
            int c = name_column(bars, name[i]), dc = by_length(bars, c, j);
            double largest = 0;
            for (int k = 1; k < bars->run.trajectory->samples; k++) {
                double exact = bars->exact->sample[k].x[dc];
                largest = fmax(largest, fabs(exact));
                double own = fabs(value(bars, k, dc) - exact) / largest;
                double difference = fabs(corner_difference(bars, j, k, c) - exact) /
                                    largest;
                errors.analytic = fmax(errors.analytic, own);
                errors.all = fmax(errors.all, difference);
                if (!corner_between_twins(bars, j, k))
                    errors.away = fmax(errors.away, difference);
            }
        }
    return errors;
}

/* --- the table ---------------------------------------------------------------------- */

static const char so_far[] = "Largest difference in per cent of the largest size so far";

const struct measure corner_measures[] = {
    [REVERSAL] = {reversal, EXACT, "Largest |vy2+ + vy2-| / |vy2-|"},
    [KEPT] = {kept, EXACT, "Largest |vx2+ - vx2-| in m/s"},
    [ERROR_Y2] = {error_y2, PRINTED, so_far},
    [ERROR_VY2] = {error_vy2, PRINTED,
                   "Largest difference away from spikes, in per cent of the largest size "
                   "so far"},
    [SPIKES] = {spikes_apart, ABOUT, "Largest relative difference of a height from it"},
    [WIDTHS] = {widths_apart, ABOUT, "Largest relative difference of a width from it"},
    [FALL] = {fall_apart, EXACT, "Largest |z - (y2 - y2(0))| / max |y2|"},
    [JERK] = {jerk_apart, APART, "Largest |z - vy2| / max |vy2|"},
    [JERK_ON_ARCS] = {jerk_on_arcs, EXACT,
                      "Largest |z - vy2 + sum of the jumps of vy2 so far| / max |vy2|"},
    [ERROR_FALL] = {error_fall, PRINTED, so_far},
    [ERROR_JERK] = {error_jerk, PRINTED, so_far},
    [DFALL] = {dfall_apart, EXACT, "Largest difference / largest size"},
    [DJERK] = {djerk_apart, APART, "Largest difference / largest size"},
    [DJERK_ON_ARCS] = {djerk_on_arcs, EXACT, "Largest change on an arc / largest size"},
};
