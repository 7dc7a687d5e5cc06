/*
 * instants.c - weights carried back over the events at an instant, in the order in which
 * they were taken; other orders must give the same gradient.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/adjoint_faults.h"
#include "adjoint/adjoint_parts.h"
#include "base/largest.h"
#include "base/memory.h"

static void stand_before(struct adjoint *adjoint, const struct history_arc *arc, double t)
{
    struct hybrid *core = &adjoint->core;
    core->t = t;
    memory_copy(core->x, arc->x_end, adjoint->history.state, sizeof *core->x);
    system_enter(core->system, &core->system->mode[arc->mode]);
}

/* A trajectory has events of the model; the run has those of its branch. */
static const struct event *own(const struct hybrid *core, const struct event *event)
{
    return core->model->event[event->index];
}

/* An instant on the way back: events in this order, at the end of an arc. */
struct instant {
    const struct history_arc *arc;
    double t;
    const struct event *const *event;
    int events;
    bool ends;                      /* the run ends with the last one */
    double by_time;                 /* weight of dt_e/drho of the last one */
};

/* Second derivatives of the jump of an event, of the weights after it. */
static enum status second_of_event(struct adjoint *adjoint, const struct event *event,
                                   bool terminal)
{
    struct sweep *sweep = &adjoint->sweep;
    int N = sweep->N, p = sweep->parameters;
    memset(adjoint->mu_second, 0, (size_t)(p * N) * sizeof(double));
    memset(adjoint->G_second, 0, (size_t)(p * p) * sizeof(double));
    return jump_second_apply(adjoint->second, event, terminal, sweep->mu, sweep->mu_z,
                             adjoint->mu_second, adjoint->G_second);
}

static void add_second(struct adjoint *adjoint)
{
    struct sweep *sweep = &adjoint->sweep;
    int N = sweep->N, p = sweep->parameters;
    for (int i = 0; i < p * N; i++)
        sweep->mu_dot[i] += adjoint->mu_second[i];
    for (int j = 0; j < p * p; j++)
        sweep->G_dot[j] += adjoint->G_second[j];
}

/* Carries the weights of a sweep with their derivatives back over one event, at which the
   core stands. */
static enum status event_back(struct adjoint *adjoint, const struct event *event,
                              bool last, const struct instant *instant)
{
    struct sweep *sweep = &adjoint->sweep;
    int N = sweep->N, p = sweep->parameters, count = 1 + sweep->directions;
    enum status status = OK;
    struct jump_weights *weights = memory_new(count, sizeof *weights);
    weights[0] = (struct jump_weights){sweep->mu, sweep->G, sweep->mu_z,
                                       last ? instant->by_time : 0};
    for (int k = 0; k < sweep->directions; k++)
        weights[1 + k] = (struct jump_weights){.mu = sweep->mu_dot + k * N,
                                               .G = sweep->G_dot + k * p};
    if (adjoint->second)
        status = second_of_event(adjoint, event,
                                 last && instant->ends && adjoint->end);
    if (status == OK)
        status = jump_adjoint_apply(adjoint->jump, &adjoint->core, event, weights, count);
    if (status == OK && adjoint->second)
        add_second(adjoint);
    free(weights);
    return status;
}

/* Carries weights mu, G alone back over one event. */
static enum status weights_back(struct adjoint *adjoint, const struct event *event,
                                double by_time, double *mu, double *G)
{
    struct jump_weights weights = {mu, G, adjoint->sweep.mu_z, by_time};
    return jump_adjoint_apply(adjoint->jump, &adjoint->core, event, &weights, 1);
}

/* Carries the weights of the sweep (mu NULL), or mu and G, back over the events of an
   instant. Event k is taken at the state that the events before it make. */
static enum status jump_back(struct adjoint *adjoint, const struct instant *instant,
                             double *mu, double *G)
{
    struct hybrid *core = &adjoint->core;
    enum status status = OK;
    for (int k = instant->events - 1; k >= 0 && status == OK; k--) {
        const struct event *event = own(core, instant->event[k]);
        bool last = k == instant->events - 1;
        stand_before(adjoint, instant->arc, instant->t);
        for (int before = 0; before < k && status == OK; before++)
            status = jump_adjoint_pass(core, own(core, instant->event[before]));
        if (status == OK && !mu)
            status = event_back(adjoint, event, last, instant);
        else if (status == OK)
            status = weights_back(adjoint, event, last ? instant->by_time : 0, mu, G);
    }
    return status;
}

/* Do weights that were carried over the events in two orders agree? */
static bool agree(const struct adjoint *adjoint, const double *mu, const double *G)
{
    const struct sweep *sweep = &adjoint->sweep;
    double size_mu = largest(mu, sweep->N), size_G = largest(G, sweep->parameters);
    double allowed = run_accuracy(&adjoint->core);
    for (int i = 0; i < sweep->N; i++)
        if (!(fabs(mu[i] - adjoint->mu[i]) <= allowed * size_mu))
            return false;
    for (int j = 0; j < sweep->parameters; j++)
        if (!(fabs(G[j] - adjoint->G[j]) <= allowed * size_G))
            return false;
    return true;
}

/* The orders of simultaneous events at t, or NULL. */
static const struct together *together_at(const struct trajectory *out, double t)
{
    for (int k = 0; k < out->togethers; k++)
        if (out->together[k].t == t)
            return &out->together[k];
    return NULL;
}

/* Compares the other orders of simultaneous events with the weights before them, which
   the declared order gave; mu_after and G_after are those after all events. */
static enum status compare_orders(struct adjoint *adjoint, const struct instant *declared,
                                  const double *mu_after, const double *G_after)
{
    struct sweep *sweep = &adjoint->sweep;
    const struct together *together = together_at(adjoint->out, declared->t);
    enum status status = OK;
    for (int k = 1; together && k < together->orders && status == OK; k++) {
        const struct order_tried *order = &together->order[k];
        struct instant instant = *declared;
        instant.event = order->event;
        instant.events = order->events;
        memory_copy(adjoint->mu, mu_after, sweep->N, sizeof *mu_after);
        memory_copy(adjoint->G, G_after, sweep->parameters, sizeof *G_after);
        status = jump_back(adjoint, &instant, adjoint->mu, adjoint->G);
        if (status == OK && !agree(adjoint, sweep->mu, sweep->G))
            status = diagnose(adjoint->core.diagnosis, SIMULTANEOUS, declared->t,
                              "%s: the gradient depends on their order",
                              together->names);
    }
    return status;
}

/* ADJOINT_MISSES_EVENT: are the events that end this arc the ones that are missed? */
static bool is_missed(const struct adjoint *adjoint, const struct history_arc *arc)
{
    return (adjoint->faults & ADJOINT_MISSES_EVENT) && arc->event == 0 &&
           !adjoint->out->event[0].event->terminal;
}

enum status adjoint_instant_back(struct adjoint *adjoint, const struct history_arc *arc,
                                 bool ends, double by_time, struct adjoint_instant *kept)
{
    struct sweep *sweep = &adjoint->sweep;
    const struct trajectory *out = adjoint->out;
    int N = sweep->N, p = sweep->parameters, events = arc->events;
    const struct event **event = memory_new(events, sizeof *event);
    for (int k = 0; k < events; k++)
        event[k] = out->event[arc->event + k].event;
    const struct instant instant = {arc, out->event[arc->event].before.t, event,
                                    is_missed(adjoint, arc) ? 0 : events, ends,
                                    ends ? by_time : 0};
    double *numbers = memory_new(2 * (N + p), sizeof *numbers);
    *kept = (struct adjoint_instant){
        .t = instant.t, .event = arc->event, .events = events, .mu_before = numbers,
        .mu_after = numbers + N, .G_before = numbers + 2 * N,
        .G_after = numbers + 2 * N + p};
    memory_copy(kept->mu_after, sweep->mu, N, sizeof *numbers);
    memory_copy(kept->G_after, sweep->G, p, sizeof *numbers);
    enum status status = jump_back(adjoint, &instant, NULL, NULL);
    if (status == OK)
        status = compare_orders(adjoint, &instant, kept->mu_after, kept->G_after);
    memory_copy(kept->mu_before, sweep->mu, N, sizeof *numbers);
    memory_copy(kept->G_before, sweep->G, p, sizeof *numbers);
    free(event);
    return status;
}
