/*
 * least_period.c - returns of an orbit to its first node after parts of its period
 * (least_period.h)
 */
#include "orbits/least_period.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* --- returns ------------------------------------------------------------------------ */

/* States that differ by less, by sizes, are one: by the error that runs leave in a
   solution of the equations, their tolerance by the least singular value. Two orbits of
   one family of doublings may be near each other; those farther apart than the second
   bound are seen to be two. */
static double bound_of(const struct shooting *s)
{
    static const double errors = 100, most = 1e-5;
    double least = gsl_vector_get(s->sigma, (size_t)(s->unknowns - s->families - 1));
    return fmin(most, errors * fmax(s->request->run.rtol, DBL_EPSILON) / least);
}

/* By how much of its size component c of the first node is off at the end of a run of
   some segment, with a part of what its group advances. */
static double off_by(const struct shooting *s, const struct orbit_segment *segment, int c,
                     int rounds)
{
    int i = s->segment[0].component[c];
    int group = s->request->drift ? s->request->drift[i] : -1;
    double advance = group < 0 ? 0 : s->u[s->period + 1 + group] / rounds;
    double end = segment_value(segment, segment_point(segment, true), i, -1);
    return (end - advance - s->u[c]) / s->size[c];
}

static double distance_of(const struct shooting *s, const struct orbit_segment *segment,
                          int rounds)
{
    const struct orbit_segment *first = &s->segment[0];
    bool same = segment_point(segment, true)->mode->index == first->restart.mode;
    double most = same ? 0 : INFINITY;
    for (int c = 0; c < first->count; c++)
        most = fmax(most, fabs(off_by(s, segment, c, rounds)));
    return most;
}

/* Runs to T/rounds, from the last node that is clearly before. */
static enum status run_part(struct shooting *s, int rounds,
                            const struct orbit_segment **out, struct diagnosis *diagnosis)
{
    static const double clearly = 1e-6;
    double t = 0, end = shooting_period(s) / rounds;
    int k = 0;
    while (k + 1 < s->nodes &&
           t + s->part[k] * shooting_period(s) < end - clearly * shooting_period(s))
        t += s->part[k++] * shooting_period(s);
    *out = &s->segment[k];
    return segment_run(&s->segment[k], s->u + s->first[k], end - t, diagnosis);
}

enum status least_period_rounds(struct shooting *s, int *rounds,
                                struct diagnosis *diagnosis)
{
    int events = shooting_count_events(s);
    double bound = bound_of(s);
    bool moved = false;
    *rounds = 1;
    for (int k = events; k > 1 && *rounds == 1; k--) {
        const struct orbit_segment *segment;
        struct diagnosis ignored = {.t = NAN};
        if (events % k != 0)
            continue;
        moved = true;
        if (run_part(s, k, &segment, &ignored) == OK &&
            distance_of(s, segment, k) <= bound)
            *rounds = k;
    }
    return moved ? shooting_evaluate(s, s->u, diagnosis) : OK;
}

double least_period_half(struct shooting *s)
{
    const struct orbit_segment *segment;
    struct diagnosis ignored = {.t = NAN};
    double sum = 0, most = NAN;
    if (run_part(s, 2, &segment, &ignored) == OK) {
        most = distance_of(s, segment, 2);
        for (int c = 0; c < s->segment[0].count; c++)
            sum += off_by(s, segment, c, 2);
    }
    return shooting_evaluate(s, s->u, &ignored) == OK ? copysign(most, sum) : NAN;
}

/* --- one round ---------------------------------------------------------------------- */

struct orbit_guess *least_period_guess(const struct shooting *s,
                                       const struct orbit_guess *guess, int rounds)
{
    struct orbit_guess *one = shooting_guess(s, guess, 1);
    double shortest = orbit_guess_shortest_arc(one->events) * one->period / 10;
    one->events /= rounds;
    one->period /= rounds;
    for (int g = 0; g < s->request->drifts; g++)
        one->advance[g] /= rounds;
    int nodes = 1;
    while (nodes < one->nodes && one->node[nodes].t < one->period - shortest)
        nodes++;
    for (int k = nodes; k < one->nodes; k++)
        free(one->node[k].x);
    one->nodes = nodes;
    return one;
}
