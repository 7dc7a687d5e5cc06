/*
 * orbit.c - a periodic motion from a run: guess, shooting, derivatives, multipliers
 * (orbit.h)
 */
#include "orbits/orbit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "orbits/autonomous.h"
#include "orbits/floquet.h"
#include "orbits/least_period.h"
#include "orbits/multiplier_slopes.h"

/* --- the result --------------------------------------------------------------------- */

/* The whole derivative by parameter j of the request at a point of the last run of a
   segment: by the node, which moves with the parameter by dz [count], and by itself. */
static double along_orbit(const struct orbit_segment *segment,
                          const struct run_point *point, int i, const double *dz, int j)
{
    double sum = segment_value(segment, point, i, segment->count + j);
    for (int c = 0; c < segment->count; c++)
        sum += segment_value(segment, point, i, c) * dz[c];
    return sum;
}

/* du [parameters][unknowns]; NAN by a parameter that takes the orbit away: a fold. */
static double *derivatives(const struct shooting *s, struct orbit *orbit)
{
    double *du = memory_new(orbit->parameters * s->unknowns, sizeof *du);
    for (int j = 0; j < orbit->parameters; j++) {
        double *own = du + j * s->unknowns;
        bool exists = shooting_by_parameter(s, j, own);
        for (int i = 0; i < s->unknowns && !exists; i++)
            own[i] = NAN;
        orbit->dperiod[j] = own[s->period];
    }
    return du;
}

static void take_node(const struct shooting *s, int k, double t, const double *du,
                      struct orbit *orbit)
{
    const struct orbit_segment *segment = &s->segment[k];
    const struct run_point *start = segment_point(segment, false);
    struct orbit_node *node = &orbit->node[k];
    int width = orbit->width, p = orbit->parameters;
    node->mode = s->request->run.model->mode[start->mode->index];
    node->t = t;
    node->x = memory_new((1 + p) * width, sizeof *node->x);
    node->dx = node->x + width;
    for (int i = 0; i < width; i++)
        node->x[i] = segment_value(segment, start, i, -1);
    for (int j = 0; j < p; j++)
        for (int i = 0; i < width; i++)
            node->dx[j * width + i] =
                along_orbit(segment, start, i, du + j * s->unknowns + s->first[k], j);
}

/* dt_e/drho_j, counted from the node */
static double tau_of(const struct orbit_segment *segment,
                     const struct event_record *record, const double *dz, int j)
{
    double tau = record->tau[segment->count + j];
    for (int c = 0; c < segment->count; c++)
        tau += record->tau[c] * dz[c];
    return tau;
}

static void take_event(const struct shooting *s, int k, const struct event_record *record,
                       double t, const double *du, struct orbit_event *event)
{
    struct orbit_segment *segment = &s->segment[k];
    int width = segment->width, p = segment->parameters;
    double *rate = memory_new(width, sizeof *rate);
    segment_rates(segment, &record->after, rate);
    *event = (struct orbit_event){
        .event = s->request->run.model->event[record->event->index],
        .t = t + record->after.t, .rate = record->rate,
        .after = memory_new((2 + p) * width, sizeof *event->after)};
    event->before = event->after + width;
    event->dafter = event->before + width;
    for (int i = 0; i < width; i++) {
        event->before[i] = segment_value(segment, &record->before, i, -1);
        event->after[i] = segment_value(segment, &record->after, i, -1);
    }
    for (int j = 0; j < p; j++) {
        const double *dz = du + j * s->unknowns + s->first[k];
        double tau = tau_of(segment, record, dz, j);
        for (int i = 0; i < width; i++)
            event->dafter[j * width + i] =
                along_orbit(segment, &record->after, i, dz, j) + rate[i] * tau;
    }
    free(rate);
}

/* States between the nodes, by runs of all lengths. What fails is left out. */
static void take_samples(struct shooting *s, struct orbit *orbit)
{
    struct diagnosis ignored = {.t = NAN};
    int each = s->request->samples;
    orbit->sample = memory_new(s->nodes * each, sizeof *orbit->sample);
    for (int k = 0; k < s->nodes; k++)
        for (int j = 1; j <= each; j++) {
            struct orbit_segment *segment = &s->segment[k];
            double length = s->part[k] * shooting_period(s) * j / each;
            if (segment_run(segment, s->u + s->first[k], length, &ignored) != OK)
                continue;
            struct orbit_sample *sample = &orbit->sample[orbit->samples++];
            sample->t = orbit->node[k].t + length;
            sample->x = memory_new(orbit->width, sizeof *sample->x);
            for (int i = 0; i < orbit->width; i++)
                sample->x[i] = segment_value(segment, segment_point(segment, true), i,
                                             -1);
        }
}

/* The time of the first node by which the last event of a period is at its end. */
static double first_time(const struct shooting *s)
{
    double t = 0, last = 0;
    for (int k = 0; k < s->nodes; t += s->part[k++] * shooting_period(s)) {
        const struct trajectory *run = s->segment[k].run;
        if (run->events > 0)
            last = t + run->event[run->events - 1].after.t;
    }
    return shooting_period(s) - last;
}

static struct orbit *take_orbit(struct shooting *s)
{
    struct orbit *orbit = memory_new(1, sizeof *orbit);
    *orbit = (struct orbit){
        .parameters = s->request->run.parameters, .width = s->segment[0].width,
        .period = shooting_period(s), .nodes = s->nodes,
        .events = shooting_count_events(s), .families = s->families,
        .steps = s->steps, .step = s->step};
    s->step = NULL;             /* the history is the orbit's from now on */
    s->room = 0;
    orbit->advance = memory_new(s->request->drifts, sizeof *orbit->advance);
    memory_copy(orbit->advance, s->u + s->period + 1, s->request->drifts,
                sizeof *orbit->advance);
    orbit->size = memory_new(orbit->width, sizeof *orbit->size);
    memory_copy(orbit->size, s->component_size, orbit->width, sizeof *orbit->size);
    orbit->dperiod = memory_new(orbit->parameters, sizeof *orbit->dperiod);
    orbit->node = memory_new(orbit->nodes, sizeof *orbit->node);
    orbit->event = memory_new(orbit->events, sizeof *orbit->event);
    double *du = derivatives(s, orbit), t = first_time(s);
    for (int k = 0, e = 0; k < s->nodes; t += s->part[k++] * orbit->period) {
        take_node(s, k, t, du, orbit);
        const struct trajectory *run = s->segment[k].run;
        for (int i = 0; i < run->events; i++)
            take_event(s, k, &run->event[i], t, du, &orbit->event[e++]);
    }
    struct floquet floquet;
    floquet_make(s, &floquet);
    orbit->multipliers = floquet.count;
    orbit->multiplier = floquet.value;
    orbit->trivial = floquet.trivial;
    orbit->vector = floquet.vector;
    if (s->request->samples > 0)
        take_samples(s, orbit);
    if (s->request->slopes)
        multiplier_slopes(s, du, orbit);
    free(du);
    return orbit;
}

void orbit_free(struct orbit *orbit)
{
    if (!orbit)
        return;
    for (int k = 0; k < orbit->nodes; k++)
        free(orbit->node[k].x);
    for (int e = 0; e < orbit->events; e++)
        free(orbit->event[e].after);
    for (int k = 0; k < orbit->samples; k++)
        free(orbit->sample[k].x);
    free(orbit->sample);
    free(orbit->dperiod);
    free(orbit->advance);
    free(orbit->size);
    free(orbit->node);
    free(orbit->event);
    free(orbit->multiplier);
    free(orbit->trivial);
    free(orbit->vector);
    free(orbit->dmultiplier);
    free(orbit->derror);
    free(orbit->step);
    free(orbit);
}

/* --- all ---------------------------------------------------------------------------- */

/* Solves for the orbit that goes round once where that of the guess does more often. */
static enum status go_round_once(struct shooting *shooting,
                                 const struct orbit_guess *guess, int rounds,
                                 struct diagnosis *diagnosis)
{
    const struct orbit_request *request = shooting->request;
    struct orbit_guess *one = least_period_guess(shooting, guess, rounds);
    shooting_clear(shooting);
    enum status status = shooting_init(shooting, request, one, false, diagnosis);
    if (status == OK)
        status = shooting_solve(shooting, diagnosis);
    if (status == OK)
        status = shooting_check_events(shooting, one, diagnosis);
    orbit_guess_free(one);
    return status;
}

enum status orbit_find(const struct orbit_request *request, struct orbit **out,
                       struct diagnosis *diagnosis)
{
    struct diagnosis own;
    struct orbit_guess guess = {.nodes = 0};
    struct shooting shooting = {.nodes = 0};
    struct orbit_request asked = *request;
    int rounds = 1;
    asked.run.without_costs = true;
    diagnosis = diagnosis ? diagnosis : &own;
    *out = NULL;
    enum status status = autonomous_check(request->run.model, diagnosis);
    if (status == OK)
        status = orbit_guess_make(&asked, &guess, diagnosis);
    if (status == OK)
        status = shooting_init(&shooting, &asked, &guess, false, diagnosis);
    if (status == OK)
        status = shooting_solve(&shooting, diagnosis);
    if (status == OK)
        status = shooting_check_events(&shooting, &guess, diagnosis);
    if (status == OK)
        status = least_period_rounds(&shooting, &rounds, diagnosis);
    if (status == OK && rounds > 1)
        status = go_round_once(&shooting, &guess, rounds, diagnosis);
    if (status == OK) {
        *out = take_orbit(&shooting);
        (*out)->rounds = rounds;
    }
    shooting_clear(&shooting);
    orbit_guess_clear(&guess);
    return status;
}
