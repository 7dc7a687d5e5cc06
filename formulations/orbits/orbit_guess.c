/*
 * orbit_guess.c - recurrence of a run at its events (orbit_guess.h)
 */
#include "orbits/orbit_guess.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* States that differ by less, as a part of the largest of each component and of how far
   the motion has gone, have come back; the nearest ones are taken up to the second
   bound. */
static const double returned = 0.01, near = 0.25;
/* Arcs that are a smaller part of the period have no node of their own: a node near a
   guard passes it in a step of Newton's method. */
static const double shortest = 0.02;
/* The part of an arc before its node. Late in an arc guards that are watched in one
   direction are on the side from which they fire; in the middle of a symmetric motion
   they are zero. */
static const double before_node = 0.65;

/* Events first + 1 .. last of a run, which begin with the event `first`. */
struct period { int first, last; double distance; };

/* --- recurrence --------------------------------------------------------------------- */

static const double *state_after(const struct trajectory *run, int e)
{
    return run->event[e].after.x + column(&run->columns, GROUP_Q, 0, -1);
}

/* The largest magnitude of each component after events, at the start and at the end; 1
   where that is zero. After an event x = 0 alone, x is rounding. */
static double *sizes_of(const struct trajectory *run, int width)
{
    double *size = memory_new(width, sizeof *size);
    int first = column(&run->columns, GROUP_Q, 0, -1);
    for (int i = 0; i < width; i++) {
        for (int e = 0; e < run->events; e++)
            size[i] = fmax(size[i], fabs(state_after(run, e)[i]));
        for (int k = 0; k < run->samples; k++)
            size[i] = fmax(size[i], fabs(run->sample[k].x[first + i]));
        size[i] = size[i] > 0 ? size[i] : 1;
    }
    return size;
}

/* The mean of what the components of a group advance between two events. */
static double mean_advance(const struct orbit_request *request,
                           const struct trajectory *run, int first, int last, int group,
                           int width)
{
    const double *a = state_after(run, first), *b = state_after(run, last);
    double sum = 0;
    int members = 0;
    for (int i = 0; i < width; i++)
        if (request->drift[i] == group) {
            sum += b[i] - a[i];
            members++;
        }
    return members > 0 ? sum / members : 0;
}

/* How far component i is from where it was; one that advances, from where the mean of its
   group is. */
static double difference(const struct orbit_request *request,
                         const struct trajectory *run, int first, int last, int i,
                         int width)
{
    const double *a = state_after(run, first), *b = state_after(run, last);
    int group = request->drift ? request->drift[i] : -1;
    return b[i] - a[i] -
           (group < 0 ? 0 : mean_advance(request, run, first, last, group, width));
}

/* How far the motion has gone meanwhile, by sizes, at most 1: by its largest velocity and
   acceleration after these events, and by what auxiliary states change by between two of
   them. Bounces of a ball that comes to rest are near each other because they are small.
   Without coordinates it is not known. */
static double excursion(const struct trajectory *run, int first, int last,
                        const double *size)
{
    int n = run->columns.model->n, ns = run->columns.model->ns;
    int s = column(&run->columns, GROUP_S, 0, -1);
    double time = run->event[last].after.t - run->event[first].after.t, most = n == 0;
    for (int e = first; e <= last; e++) {
        for (int i = 0; i < ns && e > first; i++)
            most = fmax(most, fabs(run->event[e].before.x[s + i] -
                                   run->event[e - 1].after.x[s + i]) / size[2 * n + i]);
        const double *v = state_after(run, e) + n;
        const double *a = run->event[e].after.x + column(&run->columns, GROUP_A, 0, -1);
        for (int i = 0; i < n; i++)
            most = fmax(most, (fabs(v[i]) + fabs(a[i]) * time) * time / size[i]);
    }
    return fmin(1, most);
}

/* The largest difference by sizes, as a part of how far the motion has gone. */
static double distance(const struct orbit_request *request, const struct trajectory *run,
                       int first, int last, const double *size, int width)
{
    double most = 0, gone = excursion(run, first, last, size);
    for (int i = 0; i < width; i++)
        most = fmax(most, fabs(difference(request, run, first, last, i, width)) /
                              size[i]);
    return gone > 0 ? most / gone : most;
}

/* Does the signature come round in events first + 1 .. last, at whatever event it
   begins? */
static bool fits(const struct orbit_request *request, const struct trajectory *run,
                 int first)
{
    int length = request->events;
    for (int shift = 0; shift < length; shift++) {
        int k = 0;
        while (k < length && run->event[first + 1 + k].event->index ==
                                 request->event[(shift + k) % length])
            k++;
        if (k == length)
            return true;
    }
    return length == 0;
}

/* Can a period begin at an event, and end at the other? */
static bool is_candidate(const struct trajectory *run, int first, int last)
{
    const struct event_record *a = &run->event[first], *b = &run->event[last];
    bool between = last + 1 == run->events || run->event[last + 1].after.t > b->after.t;
    return a->event == b->event && b->after.t > a->after.t && between &&
           run->event[first + 1].after.t > a->after.t;
}

/* The period of the signature that comes back best; the last of equally good ones. */
static struct period of_signature(const struct orbit_request *request,
                                  const struct trajectory *run, const double *size,
                                  int width)
{
    struct period best = {-1, -1, INFINITY};
    for (int first = 0; first + request->events < run->events; first++) {
        int last = first + request->events;
        if (!is_candidate(run, first, last) || !fits(request, run, first))
            continue;
        double d = distance(request, run, first, last, size, width);
        if (d <= best.distance)
            best = (struct period){first, last, d};
    }
    return best;
}

/* The shortest period that ends at the last event, or one just before, and has come
   back; else the nearest one. */
static struct period of_recurrence(const struct orbit_request *request,
                                   const struct trajectory *run, const double *size,
                                   int width)
{
    struct period best = {-1, -1, INFINITY};
    int end = run->events - 1;
    for (int length = 1; length <= end; length++)
        for (int last = end; last >= length && last > end - length; last--) {
            if (!is_candidate(run, last - length, last))
                continue;
            double d = distance(request, run, last - length, last, size, width);
            if (d < best.distance)
                best = (struct period){last - length, last, d};
            if (d < returned)
                return best;
        }
    return best;
}

/* --- nodes -------------------------------------------------------------------------- */

double orbit_guess_shortest_arc(int events)
{
    return fmin(shortest, 1.0 / events);
}

double orbit_guess_place(double begin, double end)
{
    return begin + before_node * (end - begin);
}

/* Takes the events, and the places of nodes: one in every arc that is long enough. */
static void take_events(struct orbit_guess *guess, const struct trajectory *run,
                        const struct period *period)
{
    double begin = run->event[period->first].after.t;
    guess->events = period->last - period->first;
    guess->event = memory_new(guess->events, sizeof *guess->event);
    guess->node = memory_new(guess->events, sizeof *guess->node);
    guess->period = run->event[period->last].after.t - begin;
    double least = orbit_guess_shortest_arc(guess->events) * guess->period;
    for (int k = 0; k < guess->events; k++) {
        const struct event_record *from = &run->event[period->first + k], *to = from + 1;
        guess->event[k] = to->event->index;
        if (to->before.t - from->after.t >= least)
            guess->node[guess->nodes++].t =
                orbit_guess_place(from->after.t, to->before.t) - begin;
    }
}

static void take_advances(const struct orbit_request *request, struct orbit_guess *guess,
                          const struct trajectory *run, const struct period *period,
                          int width)
{
    guess->advance = memory_new(request->drifts, sizeof *guess->advance);
    for (int g = 0; g < request->drifts; g++)
        guess->advance[g] = mean_advance(request, run, period->first, period->last, g,
                                         width);
}

/* Runs once more, with samples at the nodes. */
static enum status take_states(struct orbit_guess *guess, struct run_request *run,
                               double begin, int width, struct diagnosis *diagnosis)
{
    struct trajectory *again = NULL;
    double *t = memory_new(guess->nodes, sizeof *t);
    for (int k = 0; k < guess->nodes; k++)
        t[k] = begin + guess->node[k].t;
    run->samples = guess->nodes;
    run->sample = t;
    run_once(run, &again, diagnosis);
    bool reached = again && again->samples > guess->nodes;
    for (int k = 0; reached && k < guess->nodes; k++) {
        const struct run_point *point = &again->sample[1 + k];
        guess->node[k].mode = point->mode->index;
        guess->node[k].x = memory_new(width, sizeof(double));
        memory_copy(guess->node[k].x,
                    point->x + column(&again->columns, GROUP_Q, 0, -1), width,
                    sizeof(double));
    }
    trajectory_free(again);
    free(t);
    return reached ? OK : diagnosis->status;
}

/* --- all ---------------------------------------------------------------------------- */

static enum status none_found(const struct orbit_request *request,
                              const struct trajectory *run, const struct period *best,
                              struct diagnosis *diagnosis)
{
    const char *name = request->run.model->desc->name;
    if (best->first < 0 && request->events > 0)
        return diagnose(diagnosis, NO_ORBIT, NAN, "the run of %s has %d events, and the "
                        "signature never comes round; run longer, or name events that "
                        "follow each other", name, run->events);
    if (best->first < 0)
        return diagnose(diagnosis, NO_ORBIT, NAN, "the run of %s has %d events, and "
                        "none comes back; run longer", name, run->events);
    return diagnose(diagnosis, NO_ORBIT, run->event[best->last].after.t, "the run of %s "
                    "does not come back: after %s it is off by %.2g of its size; run "
                    "longer, or name the events of a period", name,
                    run->event[best->last].event->name, best->distance);
}

enum status orbit_guess_make(const struct orbit_request *request,
                             struct orbit_guess *guess, struct diagnosis *diagnosis)
{
    const struct model *model = request->run.model;
    int width = 2 * model->n + model->ns;
    struct run_request run = request->run;
    struct trajectory *found = NULL;
    struct diagnosis own = {.t = NAN};
    *guess = (struct orbit_guess){.nodes = 0};
    run.parameters = 0;
    run.samples = 0;
    run.without_costs = true;
    enum status status = run_once(&run, &found, &own);
    if (!found) {
        *diagnosis = own;
        return own.status;
    }
    double *size = sizes_of(found, width);
    struct period best = request->events > 0 ? of_signature(request, found, size, width)
                                             : of_recurrence(request, found, size, width);
    bool taken = best.first >= 0 && (request->events > 0 || best.distance < near);
    if (taken) {
        take_events(guess, found, &best);
        take_advances(request, guess, found, &best, width);
        status = OK;            /* the part that was reached is enough */
    } else if (status != OK) {
        *diagnosis = own;
    } else {
        status = none_found(request, found, &best, diagnosis);
    }
    if (status == OK)
        status = take_states(guess, &run, found->event[best.first].after.t, width,
                             diagnosis);
    trajectory_free(found);
    guess->largest = size;
    return status;
}

void orbit_guess_clear(struct orbit_guess *guess)
{
    for (int k = 0; guess->node && k < guess->nodes; k++) {
        free(guess->node[k].x);
        free(guess->node[k].along);
    }
    free(guess->node);
    free(guess->advance);
    free(guess->largest);
    free(guess->event);
    *guess = (struct orbit_guess){.nodes = 0};
}

static double *copy_of(const double *x, int count)
{
    if (!x)
        return NULL;
    double *copy = memory_new(count, sizeof *copy);
    memory_copy(copy, x, count, sizeof *copy);
    return copy;
}

struct orbit_guess *orbit_guess_copy(const struct orbit_guess *guess,
                                     const struct orbit_request *request)
{
    const struct model *model = request->run.model;
    int width = 2 * model->n + model->ns;
    struct orbit_guess *copy = memory_new(1, sizeof *copy);
    *copy = *guess;
    copy->advance = copy_of(guess->advance, request->drifts);
    copy->largest = copy_of(guess->largest, width);
    copy->event = memory_new(guess->events, sizeof *copy->event);
    copy->node = memory_new(guess->nodes, sizeof *copy->node);
    memory_copy(copy->event, guess->event, guess->events, sizeof *copy->event);
    memory_copy(copy->node, guess->node, guess->nodes, sizeof *copy->node);
    for (int k = 0; k < guess->nodes; k++) {
        copy->node[k].x = copy_of(guess->node[k].x, width);
        copy->node[k].along = copy_of(guess->node[k].along, width);
    }
    return copy;
}

void orbit_guess_free(struct orbit_guess *guess)
{
    if (guess)
        orbit_guess_clear(guess);
    free(guess);
}
