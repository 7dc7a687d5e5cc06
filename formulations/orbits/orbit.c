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
#include "orbits/floquet.h"
#include "program/program.h"

/* --- autonomy ----------------------------------------------------------------------- */

static bool uses_time(const struct model *model, const formula *f, int count)
{
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    if (!f || count == 0)
        return false;
    struct program *program = program_seal(model->tape, f, count, stage);
    bool uses = program_uses(program, BLOCK_T);
    program_free(program);
    return uses;
}

static enum status check_autonomy(const struct model *model, struct diagnosis *diagnosis)
{
    int n = model->n, ns = model->ns;
    const char *what = NULL, *of = "";
    for (int k = 0; k < model->modes && !what; k++) {
        const struct mode *mode = model->mode[k];
        bool uses = uses_time(model, mode->F, n) || uses_time(model, mode->f_s, ns) ||
                    uses_time(model, mode->Phi, mode->m);
        for (int i = 0; i < n; i++)
            uses = uses || uses_time(model, mode->M[i], n);
        if (uses) {
            what = "mode";
            of = mode->name;
        }
    }
    for (int k = 0; k < model->events && !what; k++) {
        const struct event *event = model->event[k];
        if (uses_time(model, &event->guard, 1) ||
            uses_time(model, event->J, event->rows) ||
            uses_time(model, event->condition, event->conditions)) {
            what = "event";
            of = event->name;
        }
    }
    return what ? diagnose(diagnosis, NOT_APPLICABLE, NAN, "%s %s of %s depends on time, "
                           "which does not repeat; make the phase of a drive an "
                           "auxiliary state, phase' = w, with an event that takes 2 pi "
                           "off", what, of, model->desc->name)
                : OK;
}

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
        .after = memory_new((1 + p) * width, sizeof *event->after)};
    event->dafter = event->after + width;
    for (int i = 0; i < width; i++)
        event->after[i] = segment_value(segment, &record->after, i, -1);
    for (int j = 0; j < p; j++) {
        const double *dz = du + j * s->unknowns + s->first[k];
        double tau = tau_of(segment, record, dz, j);
        for (int i = 0; i < width; i++)
            event->dafter[j * width + i] =
                along_orbit(segment, &record->after, i, dz, j) + rate[i] * tau;
    }
    free(rate);
}

static int count_events(const struct shooting *s)
{
    int events = 0;
    for (int k = 0; k < s->nodes; k++)
        events += s->segment[k].run->events;
    return events;
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
        .period = shooting_period(s), .nodes = s->nodes, .events = count_events(s),
        .families = s->families, .steps = s->steps, .step = s->step};
    s->step = NULL;
    orbit->advance = memory_new(s->request->drifts, sizeof *orbit->advance);
    memory_copy(orbit->advance, s->u + s->period + 1, s->request->drifts,
                sizeof *orbit->advance);
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
    floquet_multipliers(s, orbit);
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
    free(orbit->dperiod);
    free(orbit->advance);
    free(orbit->node);
    free(orbit->event);
    free(orbit->multiplier);
    free(orbit->trivial);
    free(orbit->step);
    free(orbit);
}

/* --- all ---------------------------------------------------------------------------- */

/* Appends the name of an event: "impact, phase". */
static void append_name(char *text, int size, const struct event *event)
{
    size_t used = strlen(text);
    snprintf(text + used, (size_t)size - used, "%s%s", used > 0 ? ", " : "", event->name);
}

/* Is b [count] a turned round? */
static bool same_round(const int *a, const int *b, int count)
{
    for (int shift = 0; shift < count; shift++) {
        int k = 0;
        while (k < count && a[(k + shift) % count] == b[k])
            k++;
        if (k == count)
            return true;
    }
    return count == 0;
}

/* Refuses an orbit that has other events than the guess. Nodes may have moved past an
   event, so that another one is the first. */
static enum status check_signature(const struct shooting *s,
                                   const struct orbit_guess *guess,
                                   struct diagnosis *diagnosis)
{
    const struct model *model = s->request->run.model;
    char wanted[160] = "", found[160] = "";
    int e = 0, events = count_events(s);
    int *index = memory_new(events, sizeof *index);
    for (int i = 0; i < guess->events; i++)
        append_name(wanted, sizeof wanted, model->event[guess->event[i]]);
    for (int k = 0; k < s->nodes; k++)
        for (int i = 0; i < s->segment[k].run->events; i++, e++) {
            const struct event *event = s->segment[k].run->event[i].event;
            append_name(found, sizeof found, event);
            index[e] = event->index;
        }
    bool same = events == guess->events && same_round(guess->event, index, events);
    free(index);
    return same ? OK : diagnose(diagnosis, NO_ORBIT, NAN, "the orbit that was found has "
                               "the events %s, not %s", found, wanted);
}

enum status orbit_find(const struct orbit_request *request, struct orbit **out,
                       struct diagnosis *diagnosis)
{
    struct diagnosis own;
    struct orbit_guess guess = {.nodes = 0};
    struct shooting shooting = {.nodes = 0};
    struct orbit_request asked = *request;
    asked.run.without_costs = true;
    diagnosis = diagnosis ? diagnosis : &own;
    *out = NULL;
    enum status status = check_autonomy(request->run.model, diagnosis);
    if (status == OK)
        status = orbit_guess_make(&asked, &guess, diagnosis);
    if (status == OK)
        status = shooting_init(&shooting, &asked, &guess, diagnosis);
    if (status == OK)
        status = shooting_solve(&shooting, diagnosis);
    if (status == OK)
        status = check_signature(&shooting, &guess, diagnosis);
    if (status == OK)
        *out = take_orbit(&shooting);
    shooting_clear(&shooting);
    orbit_guess_clear(&guess);
    return status;
}
