/*
 * complex_step.c - derivatives of a whole trajectory, events included, by complex step.
 *
 * One run per parameter (complex_run.c), each with rho_j + i eps; all must meet the same
 * events. Values come from the first run, derivatives by rho_j from the imaginary parts
 * of run j.
 *
 * An event happens at a complex time. To bring a state back to the real part of that time
 * it is moved along its own motion by -i eps tau, which is exact to first order, hence
 * exact: q + v dt, v + a dt, ... with dt imaginary. Accelerations and multipliers are
 * then solved for at the real time: the imaginary parts are Q = Im q(t_e)/eps - v tau,
 * and likewise for all columns, on either side of the event.
 */
#include "oracles/oracle.h"

#include <math.h>
#include <stdlib.h>

#include "accumulation.h"
#include "base/memory.h"
#include "gate.h"
#include "oracles/complex_run.h"

enum { MOST_TIES = 32 };

/* The trajectory that is being filled, and the run that fills it. */
struct recorder {
    const struct run_request *request;
    struct trajectory *trajectory;
    int run;                    /* number of the run: 0 makes the points and fills values;
                                   all fill derivatives */
    int samples, events;        /* samples and events so far, in this run */
    bool reversed;              /* order of events that are together */
    int ties, tie[MOST_TIES];   /* numbers of the first events of those that are
                                   together */
    struct complex_run *at;
    double *fixed;              /* a state at a fixed time */
    struct accumulation accumulation;   /* rhythm of events, in this run */
    double t_end;
    double *stop;               /* [stops] real parts of the stops of model and request */
    int stops;
};

/* --- filling points ----------------------------------------------------------------- */

static void fill(struct recorder *recorder, struct run_point *point,
                 enum column_group group, int i, double complex value)
{
    const struct columns *columns = &recorder->trajectory->columns;
    if (recorder->run == 0)
        point->x[column(columns, group, i, -1)] = creal(value);
    if (columns->p > 0)
        point->x[column(columns, group, i, recorder->run)] = cimag(value)
                                                             / recorder->at->eps;
}

/* Moves the state of the run to the real part of its time, into recorder->fixed. */
static enum status to_real_time(struct recorder *recorder)
{
    struct complex_run *run = recorder->at;
    const struct model *model = run->cm->model;
    int n = model->n, dim = run->dim;
    for (int i = 0; i < 2 * dim; i++)
        recorder->fixed[i] = run->x[i];
    if (cimag(run->t) == 0)
        return OK;
    enum status status = complex_run_load(run, run->t, run->x);
    complex_outputs_eval(&run->cm->mode[run->mode].rates, run->values, run->z);
    double tau = cimag(run->t) / run->eps;
    double *moved = recorder->fixed + dim;
    for (int i = 0; i < n; i++) {
        moved[i] -= tau * creal(run->values->x[BLOCK_V][i]);
        moved[n + i] -= tau * creal(run->values->x[BLOCK_A][i]);
    }
    for (int i = 0; i < model->ns + model->nz; i++)
        moved[2 * n + i] -= tau * creal(run->z[i]);
    return status;
}

/* Records all columns at the present place of the run. */
static enum status record(struct recorder *recorder, struct run_point *point)
{
    struct complex_run *run = recorder->at;
    const struct model *model = run->cm->model;
    const struct mode *mode = model->mode[run->mode];
    int n = model->n;
    if (recorder->run == 0) {
        int count = recorder->trajectory->columns.count;
        double *x = point->x;
        *point = (struct run_point){.mode = mode, .t = creal(run->t), .x = x};
        for (int c = 0; c < count; c++)
            x[c] = NAN;
    }
    enum status status = to_real_time(recorder);
    if (status == OK)
        status = complex_run_load(run, creal(run->t), recorder->fixed);
    if (status != OK)
        return diagnose(run->diagnosis, status, creal(run->t), "complex step: mode %s",
                        mode->name);
    for (int i = 0; i < n; i++) {
        fill(recorder, point, GROUP_Q, i, run->values->x[BLOCK_Q][i]);
        fill(recorder, point, GROUP_V, i, run->values->x[BLOCK_V][i]);
        fill(recorder, point, GROUP_A, i, run->values->x[BLOCK_A][i]);
    }
    for (int i = 0; i < model->ns; i++)
        fill(recorder, point, GROUP_S, i, run->values->x[BLOCK_S][i]);
    for (int i = 0; i < mode->m; i++)
        fill(recorder, point, GROUP_LAMBDA, i, run->values->x[BLOCK_LAMBDA][i]);
    const double *z = recorder->fixed + 2 * n + model->ns;
    for (int k = 0; k < model->nz; k++)
        fill(recorder, point, GROUP_Z, k,
             z[k] + _Complex_I * run->eps * z[run->dim + k]);
    return OK;
}

/* --- events ------------------------------------------------------------------------- */

static enum status disagree(const struct recorder *recorder, const char *what)
{
    const struct model *model = recorder->request->model;
    int j = recorder->request->parameter[recorder->run];
    return diagnose(recorder->at->diagnosis, NO_CONVERGENCE, creal(recorder->at->t),
                    "complex step: the run for %s has other %s than the first",
                    model->parameter[j].name, what);
}

static struct event_record *next_event(struct recorder *recorder,
                                       const struct event *event)
{
    struct trajectory *trajectory = recorder->trajectory;
    int k = recorder->events++;
    if (!recorder->at->chained)
        accumulation_note(&recorder->accumulation, event, creal(recorder->at->t));
    if (recorder->run > 0)
        return k < trajectory->events && trajectory->event[k].event == event
            ? &trajectory->event[k] : NULL;
    return trajectory_add_event(trajectory, event);
}

static enum status pass_event(struct recorder *recorder, const struct event *event)
{
    struct complex_run *run = recorder->at;
    struct event_record *entry = next_event(recorder, event);
    if (!entry)
        return disagree(recorder, "events");
    if (recorder->run == 0)
        entry->rate = run->rate;
    if (run->tie && recorder->run == 0 && recorder->ties == MOST_TIES)
        return diagnose(run->diagnosis, SIMULTANEOUS, creal(run->t),
                        "complex step: events together more than %d times", MOST_TIES);
    if (run->tie && recorder->run == 0)
        recorder->tie[recorder->ties++] = recorder->events - 1;
    if (recorder->trajectory->columns.p > 0)
        entry->tau[recorder->run] = cimag(run->t) / run->eps;
    enum status status = record(recorder, &entry->before);
    if (status == OK)
        status = complex_run_reset(run, event);
    for (int i = 0; status == OK && recorder->run == 0 && i < event->impulses; i++)
        entry->impulse[i] = creal(run->values->x[BLOCK_IMPULSE][i]);
    return status == OK ? record(recorder, &entry->after) : status;
}

/* The time at which events accumulate, if before the end; else NAN. */
static double accumulates(const struct recorder *recorder)
{
    double t = accumulation_time(&recorder->accumulation);
    return t < recorder->t_end ? t : NAN;
}

/* Near an accumulation of events a guard at last no longer leaves zero: what looks like
   sliding after events in ever shorter time has its own name. Its time is the limit, as
   in double and in MPFR: how many events are seen before it depends on rounding. Where
   they may end by themselves, this oracle alone cannot tell them apart. */
static enum status name_accumulation(const struct recorder *recorder, enum status status)
{
    if (status != SLIDING || recorder->run > 0 || isnan(accumulates(recorder)))
        return status;
    const struct event_record *last = &recorder->trajectory->event[recorder->events - 1];
    if (accumulation_may_end(&recorder->accumulation, recorder->request->model))
        return diagnose(recorder->at->diagnosis, NOT_APPLICABLE, accumulates(recorder),
                        "complex step does not tell the events %s apart any more",
                        last->event->name);
    return diagnose(recorder->at->diagnosis, ZENO, accumulates(recorder),
                    "complex step: event %s", last->event->name);
}

/* Checks the rhythm: events in ever shorter time, or too many of them. Events that one
   sets off at once are no rhythm. */
static enum status check_rhythm(const struct recorder *recorder)
{
    const struct complex_run *run = recorder->at;
    long asked = recorder->request->max_events, limit = asked ? asked : RUN_MAX_EVENTS;
    double t = creal(run->t);
    int k = recorder->events;
    bool may_end = accumulation_may_end(&recorder->accumulation, run->cm->model);
    double least = (may_end ? 16 : 1e3) * complex_run_instant(run);
    if (!isnan(accumulates(recorder)) && !run->chained &&
        recorder->accumulation.interval < least)
        return diagnose(run->diagnosis, ZENO, accumulates(recorder), "complex step");
    if (k > limit)
        return diagnose(run->diagnosis, TOO_MANY_EVENTS, t, "complex step");
    return OK;
}

/* --- one run ------------------------------------------------------------------------ */

/* Travels to the complex time `target`, through all events on the way; *over: a terminal
   one. */
static enum status travel(struct recorder *recorder, double complex target, bool *over)
{
    struct complex_run *run = recorder->at;
    const struct event *fired = NULL;
    do {
        enum status status = complex_run_advance(run, target, &fired);
        if (status == OK && fired)
            status = pass_event(recorder, fired);
        if (status == OK && fired)
            status = check_rhythm(recorder);
        if (status != OK)
            return name_accumulation(recorder, status);
        *over = fired && fired->terminal;
    } while (fired && !*over);
    return OK;
}

/* The first stop after the time of the run that can be told from it; else INFINITY. */
static double stop_ahead(const struct recorder *recorder)
{
    double t = creal(recorder->at->t), first = INFINITY;
    for (int k = 0; k < recorder->stops; k++)
        if (recorder->stop[k] > t + complex_run_instant(recorder->at))
            first = fmin(first, recorder->stop[k]);
    return first;
}

/* Travels to the complex time `target` by way of the stops before it. */
static enum status travel_by_stops(struct recorder *recorder, double complex target,
                                   bool *over)
{
    enum status status = OK;
    double stop = stop_ahead(recorder);
    for (; status == OK && !*over && stop < creal(target); stop = stop_ahead(recorder))
        status = travel(recorder, stop, over);
    return status == OK && !*over ? travel(recorder, target, over) : status;
}

/* Sets the stops of a run at its parameters. */
static void take_stops(struct recorder *recorder)
{
    struct complex_run *run = recorder->at;
    const struct run_request *request = recorder->request;
    int own = request->model->stops;
    double complex *stop = memory_new(own, sizeof *stop);
    complex_outputs_eval(&run->cm->stops, run->values, stop);
    recorder->stops = own + request->stops;
    for (int k = 0; k < recorder->stops; k++)
        recorder->stop[k] = k < own ? creal(stop[k]) : request->stop[k - own];
    free(stop);
}

static enum status sample(struct recorder *recorder)
{
    int k = recorder->samples++;
    if (recorder->run > 0 && k >= recorder->trajectory->samples)
        return disagree(recorder, "samples");
    recorder->trajectory->samples = recorder->run == 0 ? k + 1
                                                       : recorder->trajectory->samples;
    return record(recorder, &recorder->trajectory->sample[k]);
}

/* Sets psi = z + w where the run ends, at its own complex time: the whole derivative. */
static enum status finish(struct recorder *recorder)
{
    struct complex_run *run = recorder->at;
    const struct model *model = run->cm->model;
    struct trajectory *trajectory = recorder->trajectory;
    enum status status = complex_run_load(run, run->t, run->x);
    enum status edges = complex_edges_at(run, &run->cm->end_edges, run->request->rtol,
                                         "");
    if (edges != OK)
        return edges;
    complex_outputs_eval(&run->cm->terminal, run->values, run->z);
    const double *z = run->x + 2 * model->n + model->ns;
    for (int k = 0; k < model->nz; k++) {
        if (recorder->run == 0)
            trajectory->psi[k] = z[k] + creal(run->z[k]);
        if (trajectory->columns.p > 0)
            trajectory->psi[model->nz * (1 + recorder->run) + k]
                = z[run->dim + k] + cimag(run->z[k]) / run->eps;
        if (status == OK)
            status = complex_gate(run, run->z[k], "terminal cost ", model->cost[k]);
    }
    trajectory->steps += run->steps;
    trajectory->rejections += run->control.rejections;
    trajectory->evaluations += run->evaluations;
    return status;
}

/* Says that so much of this run is done. */
static enum status tell(const struct recorder *recorder, double part)
{
    const struct run_request *request = recorder->request;
    double done = (recorder->run + part) / fmax(request->parameters, 1);
    if (request->progress && !request->progress(request->progress_context, done))
        return diagnose(recorder->at->diagnosis, BAD_INPUT, NAN, "stopped");
    return OK;
}

static enum status travel_all(struct recorder *recorder, double complex t_end)
{
    const struct run_request *request = recorder->request;
    bool over = false;
    enum status status = sample(recorder);      /* the start */
    for (int k = 0; status == OK && !over && k < request->samples; k++) {
        if (request->sample[k] > creal(t_end))
            break;
        status = travel_by_stops(recorder, request->sample[k], &over);
        if (status == OK && !over)
            status = sample(recorder);
        enum status told = tell(recorder, (k + 1.0) / request->samples);
        if (told != OK)
            return told;
    }
    if (status == OK && !over)
        status = travel_by_stops(recorder, t_end, &over);
    if (status == OK)
        status = finish(recorder);
    return status == OK ? tell(recorder, 1) : status;
}

static enum status one_run(struct recorder *recorder, struct complex_model *cm,
                           struct diagnosis *diagnosis)
{
    const struct run_request *request = recorder->request;
    struct complex_run run;
    double complex t_end;
    recorder->samples = recorder->events = 0;
    recorder->accumulation = (struct accumulation){0};
    recorder->at = &run;
    int parameter = request->parameters > 0 ? request->parameter[recorder->run] : -1;
    enum status status = complex_run_init(&run, request, cm, parameter, &t_end,
                                          diagnosis);
    run.reversed = recorder->reversed;
    recorder->fixed = memory_new(2 * run.dim, sizeof *recorder->fixed);
    if (!isnan(request->t_end))
        t_end = request->t_end;
    recorder->t_end = creal(t_end);
    recorder->stop = memory_new(request->model->stops + request->stops,
                                sizeof *recorder->stop);
    if (status == OK)
        take_stops(recorder);
    if (status == OK)
        status = travel_all(recorder, t_end);
    if (status != OK && diagnosis->status == OK)
        diagnose(diagnosis, status, creal(run.t), "complex step: mode %s",
                 request->model->mode[run.mode]->name);
    const struct trajectory *trajectory = recorder->trajectory;
    if (status == OK && (recorder->events != trajectory->events
                         || recorder->samples != trajectory->samples))
        status = disagree(recorder, "events");
    free(recorder->stop);
    free(recorder->fixed);
    complex_run_clear(&run);
    return status;
}

/* --- all runs ----------------------------------------------------------------------- */

/* A blank trajectory: every sample has its numbers from the first run on, to which later
   runs add. */
static struct trajectory *blank(const struct run_request *request)
{
    struct trajectory *trajectory = trajectory_blank(request, NULL);
    for (int k = 0; k <= request->samples; k++)
        trajectory->sample[k].x =
            trajectory->room + (size_t)k * (size_t)trajectory->columns.count;
    return trajectory;
}

/* One run for each parameter. */
static enum status all_runs(struct recorder *recorder, struct complex_model *cm,
                            struct diagnosis *diagnosis)
{
    int runs = recorder->request->parameters > 0 ? recorder->request->parameters : 1;
    enum status status = OK;
    recorder->trajectory = blank(recorder->request);
    recorder->ties = 0;
    for (recorder->run = 0; status == OK && recorder->run < runs; recorder->run++)
        status = one_run(recorder, cm, diagnosis);
    return status;
}

/* Runs once more in the other order where events were together; both orders must lead to
   one result. */
static enum status other_order(struct recorder *recorder, struct complex_model *cm,
                               struct diagnosis *diagnosis)
{
    struct recorder other = {.request = recorder->request, .reversed = true};
    enum status status = all_runs(&other, cm, diagnosis);
    for (int k = 0; k < recorder->ties; k++)
        complex_together_join(recorder->trajectory, recorder->tie[k]);
    for (int k = 0; status == OK && k < other.ties; k++)
        complex_together_join(other.trajectory, other.tie[k]);
    if (status == OK)
        status = complex_together_compare(recorder->trajectory, other.trajectory,
                                          recorder->tie[0], diagnosis);
    else
        diagnose(diagnosis, SIMULTANEOUS,
                 recorder->trajectory->event[recorder->tie[0]].before.t,
                 "complex step: in the order opposite to the declared one: %s",
                 status_text(status));
    trajectory_free(other.trajectory);
    return status == OK ? OK : SIMULTANEOUS;
}

enum status complex_step_run(const struct run_request *request, struct trajectory **out,
                             struct diagnosis *diagnosis)
{
    struct diagnosis ignored = {.status = OK};
    diagnosis = diagnosis ? diagnosis : &ignored;
    diagnosis->status = OK;
    *out = NULL;
    struct complex_model *cm;
    enum status status = gate_constants(request->model, diagnosis);
    if (status == OK)
        status = complex_model_new(request, &cm, diagnosis);
    if (status != OK)
        return status;
    struct recorder recorder = {.request = request};
    status = all_runs(&recorder, cm, diagnosis);
    if (status == OK && recorder.ties > 0)
        status = other_order(&recorder, cm, diagnosis);
    complex_model_free(cm);
    if (status == OK)
        *out = recorder.trajectory;
    else
        trajectory_free(recorder.trajectory);
    return status;
}
