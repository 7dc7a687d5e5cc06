/*
 * adjoint.c - a gradient: a run forwards, and the sweep backwards over its arcs and
 * events.
 */
#include "adjoint.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/adjoint_faults.h"
#include "adjoint/adjoint_parts.h"
#include "base/largest.h"
#include "base/memory.h"
#include "base/underflow.h"
#include "gate.h"

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

/* --- the run forwards --------------------------------------------------------------- */

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

/* --- the sweep back ----------------------------------------------------------------- */

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
    enum status status = adjoint_end_back(adjoint, start, by_time);
    double size = larger(fabs(gradient->value), largest_effect(adjoint));
    void *work = adjoint->request.method->alloc(sweep);
    for (int k = history->arcs - 1; k >= 0 && status == OK; k--) {
        const struct history_arc *arc = &history->arc[k];
        bool ends = k == history->arcs - 1 && adjoint->finished;
        if (arc->events > 0)
            status = adjoint_instant_back(adjoint, arc, ends, *by_time,
                                  &gradient->instant[--instants]);
        if (status == OK)
            status = adjoint_arc_back(adjoint, arc, work);
        if (status == OK)
            status = check_growth(adjoint, arc->t, size);
    }
    adjoint->request.method->release(work);
    return status;
}

/* --- a gradient --------------------------------------------------------------------- */

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

/* The gate of the numbers of a gradient. */
static enum status test_gradient(const struct adjoint *adjoint,
                                 const struct gradient *gradient)
{
    int p = adjoint->sweep.parameters;
    for (int k = 0; k < (gradient->hessian ? p + p * p : p); k++) {
        const double *x = k < p ? gradient->by_rho + k : gradient->hessian + k - p;
        const struct model *model = adjoint->core.model;
        const struct gate gate = {
            adjoint->core.t, *x, model->parameter[adjoint->sweep.parameter[k % p]].name,
            ""};
        if (!isfinite(*x))
            return gate_refuse(&gate, adjoint->core.diagnosis, "the %s",
                               k < p ? "cost" : "gradient of the cost");
    }
    return OK;
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
    adjoint_start_back(adjoint, start, by_time, gradient->by_rho);
    if (gradient->hessian)
        adjoint_start_second_back(adjoint, gradient->hessian);
    fill(adjoint, gradient);
    return test_gradient(adjoint, gradient);
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
