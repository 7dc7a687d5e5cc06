/*
 * renode.c - the orbit run once more from its nodes to new places (renode.h)
 */
#include "orbits/renode.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Nodes are placed anew when one has less than this part of the distance from events that
   it would have in its place of the arc. */
static const double nearer = 0.5;

/* The times of all events since the first node, and their indices in guess->event. */
static double *take_events(const struct shooting *s, struct orbit_guess *guess)
{
    double *t = memory_new(shooting_count_events(s), sizeof *t), begin = 0;
    guess->event = memory_new(shooting_count_events(s), sizeof *guess->event);
    for (int k = 0; k < s->nodes; begin += s->part[k++] * shooting_period(s)) {
        const struct trajectory *run = s->segment[k].run;
        for (int e = 0; e < run->events; e++) {
            guess->event[guess->events] = run->event[e].event->index;
            t[guess->events++] = begin + run->event[e].after.t;
        }
    }
    return t;
}

/* The times of nodes, ascending from 0 on: one in every arc that is long enough; that of
   the arc around the first node, moved into the period. */
static void place_nodes(struct orbit_guess *guess, const double *t)
{
    int events = guess->events;
    double least = orbit_guess_shortest_arc(events) * guess->period;
    double around = t[0] + guess->period - t[events - 1];
    double place = orbit_guess_place(t[events - 1] - guess->period, t[0]);
    guess->node = memory_new(events + 1, sizeof *guess->node);
    if (around >= least && place >= 0)
        guess->node[guess->nodes++].t = place;
    for (int e = 0; e + 1 < events; e++)
        if (t[e + 1] - t[e] >= least)
            guess->node[guess->nodes++].t = orbit_guess_place(t[e], t[e + 1]);
    if (around >= least && place < 0)
        guess->node[guess->nodes++].t = place + guess->period;
}

/* The least distance of a node from an event of its two arcs, as a part of the period. */
static double clearance_of(const struct shooting *s)
{
    double least = 1;
    for (int k = 0; k < s->nodes; k++) {
        double length = s->part[k] * shooting_period(s);
        const struct trajectory *run = s->segment[k].run;
        for (int e = 0; e < run->events; e++) {
            double t = run->event[e].after.t;
            least = fmin(least, fmin(t, length - t) / shooting_period(s));
        }
    }
    return least;
}

bool renode_is_due(const struct shooting *s)
{
    struct orbit_guess best = {.period = shooting_period(s)};
    double *t = take_events(s, &best), least = INFINITY;
    place_nodes(&best, t);
    for (int k = 0; k < best.nodes; k++)
        for (int e = 0; e < best.events; e++) {
            double off = fabs(best.node[k].t - t[e]) / best.period;
            least = fmin(least, fmin(off, 1 - off));
        }
    orbit_guess_clear(&best);
    free(t);
    return clearance_of(s) < nearer * least;
}

/* State, direction and rate [width] of a node at time t since node k. */
static enum status take_node(struct shooting *s, int k, double t, struct guess_node *node,
                             double *rate, struct diagnosis *diagnosis)
{
    struct orbit_segment *segment = &s->segment[k];
    enum status status = segment_run(segment, s->u + s->first[k], t, diagnosis);
    if (status != OK)
        return status;
    const struct run_point *end = segment_point(segment, true);
    int width = segment->width, last = s->unknowns - 1;
    double stretch = t / shooting_period(s) * s->tangent[s->period] * s->size[s->period];
    node->mode = end->mode->index;
    memory_copy(rate, segment->rate, width, sizeof *rate);
    node->x = memory_new(width, sizeof *node->x);
    node->along = memory_new(width, sizeof *node->along);
    for (int i = 0; i < width; i++) {
        node->x[i] = segment_value(segment, end, i, -1);
        node->along[i] = segment->rate[i] * stretch +
                         segment_value(segment, end, i, segment->count) *
                             s->tangent[last] * s->size[last];
        for (int c = 0; c < segment->count; c++)
            node->along[i] += segment_value(segment, end, i, c) *
                              s->tangent[s->first[k] + c] * s->size[s->first[k] + c];
    }
    return OK;
}

/* Takes a shift in time from the directions, so that the first one is across the motion,
   as the phase of the shooting has it; rate [nodes][width]. */
static void fix_phase(const struct shooting *s, struct orbit_guess *guess,
                      const double *rate)
{
    int width = s->segment[0].width;
    double product = 0, length = 0;
    for (int i = 0; i < width; i++) {
        double size = fmax(fabs(guess->node[0].x[i]), fabs(rate[i]) * guess->period);
        if (size > 0) {
            product += rate[i] * guess->node[0].along[i] / (size * size);
            length += rate[i] * rate[i] / (size * size);
        }
    }
    for (int k = 0; k < guess->nodes && length > 0; k++)
        for (int i = 0; i < width; i++)
            guess->node[k].along[i] -= product / length * rate[k * width + i];
}

enum status renode(struct shooting *s, struct orbit_guess *guess, int *turned,
                   struct diagnosis *diagnosis)
{
    int last = s->unknowns - 1;
    *guess = (struct orbit_guess){
        .period = shooting_period(s), .rho = s->u[last],
        .along_period = s->tangent[s->period] * s->size[s->period],
        .along_rho = s->tangent[last] * s->size[last]};
    guess->advance = memory_new(s->request->drifts, sizeof *guess->advance);
    memory_copy(guess->advance, s->u + s->period + 1, s->request->drifts,
                sizeof *guess->advance);
    double *t = take_events(s, guess);
    place_nodes(guess, t);
    *turned = 0;
    while (*turned < guess->events && t[*turned] < guess->node[0].t)
        ++*turned;
    int *event = memory_new(guess->events, sizeof *event);
    for (int e = 0; e < guess->events; e++)
        event[e] = guess->event[(e + *turned) % guess->events];
    memory_copy(guess->event, event, guess->events, sizeof *event);
    enum status status = OK;
    int width = s->segment[0].width;
    double begin = 0, *rate = memory_new(guess->nodes * width, sizeof *rate);
    for (int k = 0, j = 0; k < s->nodes && status == OK; k++) {
        double end = begin + s->part[k] * guess->period;
        for (; j < guess->nodes && status == OK &&
               (guess->node[j].t < end || k + 1 == s->nodes); j++)
            status = take_node(s, k, guess->node[j].t - begin, &guess->node[j],
                               rate + j * width, diagnosis);
        begin = end;
    }
    if (status == OK)
        fix_phase(s, guess, rate);
    free(rate);
    free(event);
    free(t);
    return status;
}
