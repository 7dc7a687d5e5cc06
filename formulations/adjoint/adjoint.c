/*
 * adjoint.c - a run forwards, and the sweep backwards over its arcs and events; see
 * adjoint.h.
 */
#include "adjoint.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/adjoint_faults.h"
#include "adjoint/end_weights.h"
#include "adjoint/jump_adjoint.h"
#include "adjoint/jump_second.h"
#include "adjoint/sweep.h"
#include "base/largest.h"
#include "base/memory.h"
#include "base/underflow.h"

const struct adjoint_method *const adjoint_methods[] = {&adjoint_continuous,
                                                        &adjoint_discrete, NULL};

const struct adjoint_method *adjoint_method_find(const char *name)
{
    for (int k = 0; adjoint_methods[k]; k++)
        if (strcmp(adjoint_methods[k]->name, name) == 0)
            return adjoint_methods[k];
    return NULL;
}

const char *adjoint_method_name(const struct adjoint_method *method)
{
    return method->name;
}

struct adjoint {
    struct adjoint_request request;
    unsigned faults;                /* set of enum adjoint_fault */
    int *parameter;                 /* [parameters] */
    struct run_request plain, direct;   /* the run without columns, and with all */
    struct runner *runner;          /* of `plain` */
    struct runner *columns;         /* of `direct`: for its start, or for its steps */
    struct history history;
    struct hybrid core;             /* of `plain`, for the way back */
    struct trajectory *out;         /* run forwards */
    bool finished;                  /* by a terminal event */
    struct sweep sweep;
    struct jump_adjoint *jump;
    struct jump_second *second;     /* NULL: no second derivatives are asked for */
    double *Y0_second, *d2t_end;    /* [p][p][state] [p][p] second derivatives of the
                                       start, and of t_end */
    double *mu_second, *G_second;   /* [p][N] [p][p] scratch: of an event */
    struct end_weights *end;        /* NULL: a component is asked for */
    double *Y0;                     /* [state * (1 + parameters)] the start */
    double *mu, *G;                 /* [N] [parameters] scratch: another order */
    struct gradient *gradient;      /* in the making */
};

/* --- made --------------------------------------------------------------------------- */

static enum status check(const struct adjoint_request *request,
                         struct diagnosis *diagnosis)
{
    const struct run_request *run = &request->run;
    const struct integrator *integrator = integrator_chosen(run->formulation,
                                                            run->integrator);
    const struct adjoint_method *method = request->method ? request->method
                                                          : adjoint_methods[0];
    const char *why = method->refuses(integrator);
    if (why)
        return diagnose(diagnosis, NOT_APPLICABLE, NAN,
                        "method %s does not take integrator %s: %s", method->name,
                        integrator->name, why);
    if (request->hessian && method->transposes)
        return diagnose(diagnosis, NOT_APPLICABLE, NAN,
                        "method %s has no second derivatives; take %s", method->name,
                        adjoint_methods[0]->name);
    return OK;
}

/* Makes room for second derivatives, for the core of runs with columns. */
static void open_second(struct adjoint *adjoint)
{
    const struct sweep *sweep = &adjoint->sweep;
    struct arena *arena = &adjoint->sweep.arena;
    int p = sweep->parameters, state = runner_system(adjoint->columns)->state;
    adjoint->Y0_second = arena_new(arena, p * p * state, sizeof(double));
    adjoint->d2t_end = arena_new(arena, p * p, sizeof(double));
    adjoint->mu_second = arena_new(arena, p * sweep->N, sizeof(double));
    adjoint->G_second = arena_new(arena, p * p, sizeof(double));
}

/* Is the run forwards that of the direct method, though its columns are not asked for? */
static bool takes_direct_steps(const struct adjoint *adjoint)
{
    const struct adjoint_request *request = &adjoint->request;
    return request->method->transposes || (request->steps_of_direct && !request->hessian);
}

/* The runner whose steps are kept. */
static struct runner *forwards(const struct adjoint *adjoint)
{
    bool columns = adjoint->request.hessian || takes_direct_steps(adjoint);
    return columns ? adjoint->columns : adjoint->runner;
}

struct adjoint *adjoint_new(const struct adjoint_request *request,
                            struct diagnosis *diagnosis)
{
    return adjoint_new_with_faults(request, 0, diagnosis);
}

struct adjoint *adjoint_new_with_faults(const struct adjoint_request *request,
                                        unsigned faults, struct diagnosis *diagnosis)
{
    const struct run_request *run = &request->run;
    int p = run->parameters, state = 2 * run->model->n + run->model->ns + run->model->nz;
    if (check(request, diagnosis) != OK)
        return NULL;
    struct adjoint *adjoint = memory_new(1, sizeof *adjoint);
    adjoint->request = *request;
    adjoint->faults = faults;
    if (!request->method)
        adjoint->request.method = adjoint_methods[0];
    adjoint->parameter = memory_new(p, sizeof *adjoint->parameter);
    memory_copy(adjoint->parameter, run->parameter, p, sizeof *run->parameter);
    adjoint->direct = *run;
    adjoint->direct.beside = adjoint->direct.without_costs = false;
    adjoint->direct.without_unknowns = true;
    adjoint->plain = adjoint->direct;
    adjoint->plain.parameters = 0;
    adjoint->runner = runner_new(&adjoint->plain, diagnosis);
    adjoint->columns = adjoint->runner ? runner_new(&adjoint->direct, diagnosis) : NULL;
    if (!adjoint->columns) {
        runner_free(adjoint->runner);
        free(adjoint->parameter);
        free(adjoint);
        return NULL;
    }
    history_init(&adjoint->history, request->hessian ? state * (1 + p) : state,
                 request->memory > 0 ? request->memory : (size_t)ADJOINT_MEMORY);
    runner_keep_history(forwards(adjoint), &adjoint->history);
    sweep_init(&adjoint->sweep, &adjoint->core, request, adjoint->parameter);
    adjoint->sweep.untransposed = faults & ADJOINT_MATRIX_AS_IT_IS;
    adjoint->jump = jump_adjoint_new(run->model, p, adjoint->parameter, faults);
    if (request->cost >= 0)
        adjoint->end = end_weights_new(runner_system(forwards(adjoint))->model,
                                       request->cost, p, adjoint->parameter, faults);
    if (request->hessian)
        open_second(adjoint);
    struct arena *arena = &adjoint->sweep.arena;
    adjoint->Y0 = arena_new(arena, state * (1 + p), sizeof *adjoint->Y0);
    adjoint->mu = arena_new(arena, state, sizeof *adjoint->mu);
    adjoint->G = arena_new(arena, p, sizeof *adjoint->G);
    return adjoint;
}

void adjoint_tolerances(struct adjoint *adjoint, double rtol, double atol)
{
    adjoint->plain.rtol = adjoint->direct.rtol = rtol;
    adjoint->plain.atol = adjoint->direct.atol = atol;
    runner_tolerances(adjoint->runner, rtol, atol);
    runner_tolerances(adjoint->columns, rtol, atol);
}

void adjoint_free(struct adjoint *adjoint)
{
    if (!adjoint)
        return;
    end_weights_free(adjoint->end);
    jump_second_free(adjoint->second);
    jump_adjoint_free(adjoint->jump);
    history_free(&adjoint->history);
    sweep_clear(&adjoint->sweep, adjoint->request.run.model);
    runner_free(adjoint->columns);
    runner_free(adjoint->runner);
    free(adjoint->parameter);
    free(adjoint);
}

void gradient_free(struct gradient *gradient)
{
    if (!gradient)
        return;
    trajectory_free(gradient->trajectory);
    for (int k = 0; k < gradient->instants; k++)
        free(gradient->instant[k].mu_before);
    free(gradient->instant);
    free(gradient->sample);
    free(gradient->by_rho);
    free(gradient);
}

/* --- events ------------------------------------------------------------------------- */

/* The condition of every event leaves a digit of its derivative; no run without columns
   asks. */
static enum status check_conditions(const struct adjoint *adjoint)
{
    const struct trajectory *out = adjoint->out;
    double known = fmax(adjoint->plain.rtol, least_rtol_known);
    for (int k = 0; k < out->events; k++) {
        const struct event_record *event = &out->event[k];
        if (!(event->condition * known < 1))
            return diagnose(adjoint->core.diagnosis, GRAZING, event->before.t,
                            "condition %.3g of event %s leaves no digit of its "
                            "derivative at rtol = %.3g", event->condition,
                            event->event->name, adjoint->plain.rtol);
    }
    return OK;
}

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

/* Carries the weights of the sweep back over all events that end an arc. */
static enum status instant_back(struct adjoint *adjoint, const struct history_arc *arc,
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

/* --- arcs --------------------------------------------------------------------------- */

/* Makes a step again for a checkpoint. The context is the sweep's, by way of `visit`. */
struct back {
    struct adjoint *adjoint;
    void *work;
};

/* Makes the choice of coordinates again that the run had in this step, and looks whether
   the program solved beforehand is to be trusted there. */
static enum status choose_again(struct hybrid *core, const struct history_step *step)
{
    enum status status = OK;
    if (system_projects_steps(core->system))
        status = system_choose(core->system, step->choice, step->t, step->x);
    return status == OK ? system_rhs_restart(core->system, step->t, step->x, core->dx)
                        : status;
}

static enum status make_step(void *context, const struct history_step *step,
                             double *x_new)
{
    struct back *back = context;
    struct hybrid *core = &back->adjoint->core;
    enum status status = choose_again(core, step);
    if (status == OK)
        status = sweep_step(&back->adjoint->sweep, step);
    if (status == OK && system_projects_steps(core->system))
        status = system_project(core->system, step->t + step->h, core->step.x_new);
    memory_copy(x_new, core->step.x_new, back->adjoint->history.state, sizeof *x_new);
    return status;
}

/* Keeps the weights of a sample at which a step began. */
static void keep_sample(struct adjoint *adjoint, double t)
{
    const struct sweep *sweep = &adjoint->sweep;
    struct gradient *gradient = adjoint->gradient;
    for (int k = 0; k < gradient->samples; k++) {
        struct adjoint_sample *sample = &gradient->sample[k];
        if (sample->t != t)
            continue;
        memory_copy(sample->mu, sweep->mu, sweep->N, sizeof *sweep->mu);
        memory_copy(sample->G, sweep->G, sweep->parameters, sizeof *sweep->G);
    }
}

static enum status visit_step(void *context, const struct history_step *step)
{
    struct back *back = context;
    struct adjoint *adjoint = back->adjoint;
    const struct run_request *run = &adjoint->request.run;
    const struct span *span = &adjoint->core.span;
    double done = 0.5 + 0.5 * (span->t_end - step->t) / (span->t_end - span->t0);
    if (run->progress && !run->progress(run->progress_context, done))
        return diagnose(adjoint->core.diagnosis, BAD_INPUT, step->t, "interrupted");
    enum status status = choose_again(&adjoint->core, step);
    sweep_restart(&adjoint->sweep);
    if (status == OK)
        status = adjoint->request.method->visit(back->work, step);
    keep_sample(adjoint, step->t);
    return status;
}

/* Enters an arc again, where its choices (coordinates, pivots) are those of its
   beginning. */
static enum status enter_arc(struct adjoint *adjoint, const struct history_arc *arc)
{
    struct hybrid *core = &adjoint->core;
    system_enter(core->system, &core->system->mode[arc->mode]);
    memory_copy(core->x, arc->x, adjoint->history.state, sizeof *core->x);
    core->t = arc->t;
    enum status status = system_project_restart(core->system, core->t, core->x);
    return status == OK ? system_rhs_restart(core->system, core->t, core->x, core->dx)
                        : status;
}

static enum status arc_back(struct adjoint *adjoint, const struct history_arc *arc,
                            void *work)
{
    struct back back = {adjoint, work};
    if (arc->first == arc->end)
        return OK;
    enum status status = enter_arc(adjoint, arc);
    if (status == OK)
        status = adjoint->request.method->begin(work);
    if (status == OK)
        status = history_steps_back(&adjoint->history, arc, make_step, visit_step, &back);
    return status;
}

/* --- the sweep ---------------------------------------------------------------------- */

/* The largest change of the result by a change of a group of the state by its own
   size. */
static double largest_effect(const struct adjoint *adjoint)
{
    const struct hybrid *core = &adjoint->core;
    int parts = 2 * core->subsystems + core->model->ns;
    double effect = 0;
    for (int g = 0; g < parts; g++)
        effect = larger(effect, core->control.amplitude[g] *
                                    largest(adjoint->sweep.mu + core->group[g],
                                            core->group[g + 1] - core->group[g]));
    return effect;
}

/* Relative errors of the state at t that the tolerance allows, or rounding makes, leave
   no digit of a result of this size. */
static enum status check_growth(const struct adjoint *adjoint, double t, double size)
{
    double growth = size > 0 ? largest_effect(adjoint) / size : 0;
    double error = fmax(adjoint->plain.rtol, DBL_EPSILON);
    if (!(error * growth >= 1))
        return OK;
    return diagnose(adjoint->core.diagnosis, NO_DIGITS, t,
                    "errors of rtol = %.3g made here have grown by %.1e at the end",
                    adjoint->plain.rtol, growth);
}

/* Does the end of the model move with the parameters, and no event end the run? */
static bool end_moves(const struct adjoint *adjoint)
{
    return !adjoint->finished && isnan(adjoint->plain.t_end);
}

/* The derivatives of the weights at the end; at a terminal event they come with it. */
static enum status second_of_end(struct adjoint *adjoint, const struct span *start)
{
    struct sweep *sweep = &adjoint->sweep;
    int N = sweep->N, p = sweep->parameters;
    bool moves = end_moves(adjoint);
    memset(sweep->mu_dot, 0, (size_t)(sweep->directions * N) * sizeof(double));
    memset(sweep->G_dot, 0, (size_t)(sweep->directions * p) * sizeof(double));
    if (!adjoint->second || adjoint->finished)
        return OK;
    return jump_second_end(adjoint->second, sweep->mu_z, moves ? start->dt_end : NULL,
                           moves ? adjoint->d2t_end : NULL, sweep->mu_dot, sweep->G_dot);
}

/* The weights at the end; *by_time is that of dt_F/drho. */
static enum status end_back(struct adjoint *adjoint, const struct span *start,
                            double *by_time)
{
    struct sweep *sweep = &adjoint->sweep;
    struct hybrid *core = &adjoint->core;
    memset(sweep->mu, 0, (size_t)sweep->N * sizeof *sweep->mu);
    memset(sweep->G, 0, (size_t)sweep->parameters * sizeof *sweep->G);
    for (int k = 0; k < core->model->nz; k++)
        sweep->mu_z[k] = k == adjoint->request.cost;
    *by_time = 0;
    enum status status = second_of_end(adjoint, start);
    if (status != OK)
        return status;
    if (adjoint->end)
        return end_weights_at(adjoint->end, core, sweep->mu, sweep->G, by_time);
    sweep->mu[adjoint->request.component] = 1;
    return OK;
}

/* psi_rho = mu' Y + G at the start; dt_end of the model counts where no event ended the
   run. */
static void start_back(struct adjoint *adjoint, const struct span *start, double by_time,
                       double *by_rho)
{
    const struct sweep *sweep = &adjoint->sweep;
    const struct system *system = adjoint->core.system;
    bool moves = end_moves(adjoint);
    for (int j = 0; j < sweep->parameters; j++) {
        const double *Y = adjoint->Y0 + (j + 1) * system->state;
        by_rho[j] = sweep->G[j] + (moves ? by_time * start->dt_end[j] : 0);
        for (int i = 0; i < sweep->N; i++)
            by_rho[j] += sweep->mu[i] * Y[i];
        for (int k = 0; k < system->model->nz; k++)
            by_rho[j] += sweep->mu_z[k] * Y[sweep->N + k];
    }
}

/* Second derivatives: (mu' Y + G)'_k at the start. */
static void start_second_back(const struct adjoint *adjoint, double *hessian)
{
    const struct sweep *sweep = &adjoint->sweep;
    int N = sweep->N, p = sweep->parameters, state = adjoint->core.system->state;
    for (int k = 0; k < p; k++)
        for (int j = 0; j < p; j++) {
            const double *Y = adjoint->Y0 + (j + 1) * state;
            const double *second = adjoint->Y0_second + (k * p + j) * state;
            double value = sweep->G_dot[k * p + j];
            for (int i = 0; i < N; i++)
                value += sweep->mu_dot[k * N + i] * Y[i] + sweep->mu[i] * second[i];
            for (int z = 0; z < adjoint->core.model->nz; z++)
                value += sweep->mu_z[z] * second[N + z];
            hessian[k * p + j] = value;
        }
}

static enum status sweep_back(struct adjoint *adjoint, const struct span *start,
                              double *by_time, struct gradient *gradient)
{
    const struct history *history = &adjoint->history;
    struct sweep *sweep = &adjoint->sweep;
    int instants = 0;
    for (int k = 0; k < history->arcs; k++)
        instants += history->arc[k].events > 0;
    gradient->instants = instants;
    gradient->instant = memory_new(instants, sizeof *gradient->instant);
    enum status status = end_back(adjoint, start, by_time);
    double size = larger(fabs(gradient->value), largest_effect(adjoint));
    void *work = adjoint->request.method->alloc(sweep);
    for (int k = history->arcs - 1; k >= 0 && status == OK; k--) {
        const struct history_arc *arc = &history->arc[k];
        bool ends = k == history->arcs - 1 && adjoint->finished;
        if (arc->events > 0)
            status = instant_back(adjoint, arc, ends, *by_time,
                                  &gradient->instant[--instants]);
        if (status == OK)
            status = arc_back(adjoint, arc, work);
        if (status == OK)
            status = check_growth(adjoint, arc->t, size);
    }
    adjoint->request.method->release(work);
    return status;
}

static struct gradient *gradient_new(const struct adjoint *adjoint)
{
    const struct run_request *run = &adjoint->plain;
    struct gradient *gradient = memory_new(1, sizeof *gradient);
    int N = adjoint->sweep.N, p = adjoint->sweep.parameters, samples = run->samples;
    int second = adjoint->request.hessian ? p * p : 0;
    int size = 2 * p + N + samples * (N + p) + second;
    gradient->by_rho = memory_new(size, sizeof *gradient->by_rho);
    gradient->G = gradient->by_rho + p;
    gradient->mu = gradient->G + p;
    gradient->samples = samples;
    gradient->sample = memory_new(samples, sizeof *gradient->sample);
    double *numbers = gradient->mu + N;
    for (int k = 0; k < samples; k++, numbers += N + p) {
        gradient->sample[k] = (struct adjoint_sample){run->sample[k], numbers,
                                                      numbers + N};
        for (int i = 0; i < N; i++)
            numbers[i] = NAN;
    }
    gradient->hessian = second > 0 ? numbers : NULL;
    return gradient;
}

static void fill(struct adjoint *adjoint, struct gradient *gradient)
{
    const struct sweep *sweep = &adjoint->sweep;
    memory_copy(gradient->mu, sweep->mu, sweep->N, sizeof(double));
    memory_copy(gradient->G, sweep->G, sweep->parameters, sizeof(double));
    gradient->steps = sweep->steps;
    gradient->pullbacks = sweep->pullbacks;
    gradient->repeated = adjoint->history.repeated;
}

/* A run forwards by one of the two runners; *core stands at its end. */
static enum status run_with(struct runner *runner, const double *value,
                            struct hybrid *core, struct diagnosis *diagnosis)
{
    enum status status = runner_begin(runner, value, NULL, core, diagnosis);
    return status == OK ? hybrid_run(core) : status;
}

/* Puts the core without columns where the run with columns has ended. */
static enum status take_end(struct adjoint *adjoint, const double *value,
                            const struct hybrid *run, struct diagnosis *diagnosis)
{
    struct hybrid *core = &adjoint->core;
    enum status status = runner_begin(adjoint->runner, value, NULL, core, diagnosis);
    if (status != OK)
        return status;
    core->t = run->t;
    memory_copy(core->x, run->x, core->system->state, sizeof *core->x);
    memory_copy(core->control.amplitude, run->control.amplitude, core->control.groups,
                sizeof *core->control.amplitude);
    system_enter(core->system, &core->system->mode[run->system->now->mode->index]);
    return OK;
}

/* The run forwards. */
static enum status run_forwards(struct adjoint *adjoint, const double *value,
                                struct diagnosis *diagnosis)
{
    struct hybrid direct, *run = &direct;
    history_clear(&adjoint->history);
    enum status status;
    if (takes_direct_steps(adjoint)) {
        status = run_with(adjoint->columns, value, run, diagnosis);
        if (status == OK)
            status = take_end(adjoint, value, run, diagnosis);
    } else {
        run = &adjoint->core;
        status = run_with(forwards(adjoint), value, run, diagnosis);
    }
    adjoint->out = run->out;
    adjoint->finished = run->finished;
    if (status == OK && adjoint->history.implicit)
        status = diagnose(diagnosis, NOT_APPLICABLE, run->t,
                          "the equations are stiff, and the run went on with %s: take "
                          "this integrator from the start", run->integrator->name);
    if (run == &direct)
        runner_end(run);
    return status == OK ? check_conditions(adjoint) : status;
}

/* Ends what run_forwards began. */
static void end_runs(struct adjoint *adjoint)
{
    if (adjoint->core.out != adjoint->out)
        trajectory_free(adjoint->core.out);
    if (adjoint->core.system)
        runner_end(&adjoint->core);
}

/* The start with its derivatives, of second order where these are asked for. */
static enum status find_start(struct adjoint *adjoint, const double *value,
                              struct span *start, struct diagnosis *diagnosis)
{
    int p = adjoint->sweep.parameters, state = runner_system(adjoint->columns)->state;
    enum status status = runner_start(adjoint->columns, value, adjoint->Y0, start,
                                      diagnosis);
    for (int k = 0; k < adjoint->sweep.directions; k++)
        for (int j = 0; j < p && status == OK; j++)
            status = runner_start_second(adjoint->columns, start, adjoint->Y0, j, k,
                                         adjoint->Y0_second + (k * p + j) * state,
                                         adjoint->d2t_end + j * p + k);
    return status;
}

/* The second derivatives of events are of the core in hand. */
static void begin_second(struct adjoint *adjoint)
{
    const struct sweep *sweep = &adjoint->sweep;
    if (!adjoint->request.hessian)
        return;
    if (!adjoint->second)
        adjoint->second = jump_second_new(&adjoint->core, adjoint->request.cost,
                                          sweep->parameters, sweep->parameter,
                                          adjoint->faults);
    jump_second_set(adjoint->second);
}

/* The way back, after the run forwards. */
static enum status run_back(struct adjoint *adjoint, const struct span *start,
                            struct gradient *gradient)
{
    double by_time;
    gradient->value = adjoint->end ? adjoint->out->psi[adjoint->request.cost]
                                   : adjoint->core.x[adjoint->request.component];
    begin_second(adjoint);
    enum status status = sweep_back(adjoint, start, &by_time, gradient);
    if (status != OK)
        return status;
    start_back(adjoint, start, by_time, gradient->by_rho);
    if (gradient->hessian)
        start_second_back(adjoint, gradient->hessian);
    fill(adjoint, gradient);
    return OK;
}

enum status adjoint_run(struct adjoint *adjoint, const double *value,
                        struct gradient **out, struct diagnosis *diagnosis)
{
    struct diagnosis own, *why = diagnosis ? diagnosis : &own;
    struct sweep *sweep = &adjoint->sweep;
    struct span start;
    unsigned underflow = underflow_to_zero();
    *out = NULL;
    struct gradient *gradient = gradient_new(adjoint);
    adjoint->gradient = gradient;
    memset(sweep->set, 0, (size_t)adjoint->plain.model->modes * sizeof *sweep->set);
    sweep->steps = sweep->pullbacks = 0;
    adjoint->core = (struct hybrid){.system = NULL};
    enum status status = find_start(adjoint, value, &start, why);
    if (status == OK) {
        status = run_forwards(adjoint, value, why);
        gradient->trajectory = adjoint->out;
        if (status == OK)
            status = run_back(adjoint, &start, gradient);
        end_runs(adjoint);
    }
    underflow_restore(underflow);
    if (status == OK)
        *out = gradient;
    else
        gradient_free(gradient);
    return status;
}
