/*
 * difference.c - a gradient by central differences of whole runs, extrapolated to step
 * zero (Richardson 1911), the entry of the table chosen by its estimated error (Ridders
 * 1982).
 *
 * Each run has events of its own. Step sizes begin with a part of the parameter, because
 * the error of a run is divided by them; one more run, at a tenth of the tolerance, tells
 * about how large that is. gsl_deriv_central takes its function to be exact to rounding,
 * and ends with steps in which such errors are all that is left.
 *
 * A run with other events than the one in the middle lies beyond a place where the cost
 * may jump, or have a kink; smaller steps are tried then, as long as they leave a digit.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "gradients/cost_gradient.h"

enum { LEVELS = 6 };                    /* step sizes of a table, each half of the one
                                           before */
static const double first_step = 0x1p-4;    /* of the size of the parameter */
static const double retry = 0.25;       /* first step of a table, of the table before */
static const double finer_tolerance = 0.1;  /* of the run that tells errors */
static const double loss = 100;         /* error of a derivative that is good enough, in
                                           tolerances of the runs */

struct difference {
    const struct adjoint_request *request;
    struct cost_gradient *gradient;
    struct runner *runner;
    struct trajectory *middle;          /* run at the parameters themselves */
    double *value;                      /* [model->p] parameters of the run in hand */
    int j;                              /* number of the parameter that is moved */
    double noise;                       /* error of the cost of a run */
    double off;                         /* error of the latest difference by the noise of
                                           its two costs */
};

/* --- runs --------------------------------------------------------------------------- */

static const char *parameter_name(const struct difference *work)
{
    const struct run_request *run = &work->request->run;
    return run->model->parameter[run->parameter[work->j]].name;
}

static double *moved(struct difference *work)
{
    return &work->value[work->request->run.parameter[work->j]];
}

/* A run with other events than the middle one: names the first that differs. */
static enum status compare_events(const struct difference *work,
                                  const struct trajectory *side, double rho)
{
    const struct trajectory *middle = work->middle;
    int k = 0;
    while (k < middle->events && k < side->events &&
           middle->event[k].event == side->event[k].event)
        k++;
    if (k == middle->events && k == side->events)
        return OK;
    const char *here = k < middle->events ? middle->event[k].event->name : "none";
    const char *there = k < side->events ? side->event[k].event->name : "none";
    double t = k < side->events ? side->event[k].before.t : middle->event[k].before.t;
    double own = work->request->run.value[work->request->run.parameter[work->j]];
    return diagnose(&work->gradient->diagnosis, NO_CONVERGENCE, t,
                    "difference by %s: event %d is %s at %s = %.12g and %s at %.12g, "
                    "where the cost may jump", parameter_name(work), k + 1, here,
                    parameter_name(work), own, there, rho);
}

/* Says of a refused run whose it was. */
static void name_run(const struct difference *work, double rho)
{
    struct diagnosis *diagnosis = &work->gradient->diagnosis;
    char place[sizeof diagnosis->place];
    snprintf(place, sizeof place, "%s", diagnosis->place);
    diagnose(diagnosis, diagnosis->status, diagnosis->t, "difference at %s = %.12g: %s",
             parameter_name(work), rho, place);
}

static void add_work(struct cost_gradient *gradient, const struct trajectory *run)
{
    gradient->runs++;
    gradient->steps += run->steps;
    gradient->evaluations += run->evaluations;
}

/* The cost of a run with the parameter at rho. */
static enum status cost_at(struct difference *work, double rho, double *psi)
{
    struct cost_gradient *gradient = work->gradient;
    struct trajectory *side = NULL;
    double own = *moved(work);
    *moved(work) = rho;
    enum status status = runner_run(work->runner, work->value, &side,
                                    &gradient->diagnosis);
    *moved(work) = own;
    if (status != OK)
        name_run(work, rho);
    else
        status = compare_events(work, side, rho);
    if (side) {
        *psi = side->psi[work->request->cost];
        add_work(gradient, side);
    }
    trajectory_free(side);
    return status;
}

/* --- differences -------------------------------------------------------------------- */

static enum status central(struct difference *work, double h, double *slope)
{
    double rho = *moved(work), low = rho - h, high = rho + h, below = 0, above = 0;
    enum status status = cost_at(work, high, &above);
    if (status == OK)
        status = cost_at(work, low, &below);
    *slope = (above - below) / (high - low);
    work->off = 2 * work->noise / (high - low);
    return status;
}

/* A table of differences with step sizes h, h/2, ...: column i has errors of order
   h^(2i + 2). The entry nearest to its neighbours to the left and above is kept, if its
   error is less than that of the tables before. */
static enum status extrapolate(struct difference *work, double h)
{
    double row[LEVELS] = {0}, above[LEVELS], least = INFINITY;
    double *best = &work->gradient->by_rho[work->j];
    double *error = &work->gradient->error[work->j];
    for (int level = 0; level < LEVELS; level++, h /= 2) {
        memcpy(above, row, sizeof above);
        enum status status = central(work, h, &row[0]);
        if (status != OK)
            return status;
        double power = 4;
        for (int i = 1; i <= level; i++, power *= 4) {
            row[i] = row[i - 1] + (row[i - 1] - above[i - 1]) / (power - 1);
            double off = fmax(fabs(row[i] - row[i - 1]), fabs(row[i] - above[i - 1]));
            if (i < level)
                off = fmax(off, fabs(row[i] - above[i]));
            least = fmin(least, off + work->off);
            if (off + work->off < *error) {
                *error = off + work->off;
                *best = row[i];
            }
        }
        /* either errors of the runs outweigh what is still gained, or h is too large */
        if (level > 1 && fabs(row[level] - above[level - 1]) > 2 * least)
            break;
    }
    return OK;
}

/* Tables with smaller and smaller steps, until one is as good as runs at their tolerance
   let it be, or no better than the one before. */
static enum status differentiate(struct difference *work)
{
    const struct run_request *run = &work->request->run;
    double size = cost_gradient_size(work->request, work->j);
    double known = fmax(run->rtol, DBL_EPSILON), least = size * sqrt(known);
    double *best = &work->gradient->by_rho[work->j];
    double *error = &work->gradient->error[work->j];
    enum status status = OK, refusal = OK;
    *error = INFINITY;
    for (double h = size * first_step; h >= least; h *= retry) {
        double before = *error;
        status = extrapolate(work, h);
        refusal = status != OK ? status : refusal;
        double good = loss * known * fmax(fabs(*best), fabs(work->gradient->psi) / size);
        if (*error <= good || (*error < INFINITY && *error >= before))
            break;
    }
    return *error < INFINITY ? OK : refusal;
}

/* The run in the middle, and its error: the difference from a run at a tenth of the
   tolerance, at least rounding. */
static enum status run_middle(struct difference *work)
{
    const struct run_request *run = &work->request->run;
    struct cost_gradient *gradient = work->gradient;
    struct trajectory *finer = NULL;
    struct diagnosis ignored = {.t = NAN};
    enum status status = runner_run(work->runner, work->value, &work->middle,
                                    &gradient->diagnosis);
    if (status != OK)
        return status;
    gradient->psi = work->middle->psi[work->request->cost];
    gradient->events = work->middle->events;
    add_work(gradient, work->middle);
    runner_tolerances(work->runner, run->rtol * finer_tolerance,
                      run->atol * finer_tolerance);
    status = runner_run(work->runner, work->value, &finer, &ignored);
    double off = status == OK ? finer->psi[work->request->cost] - gradient->psi
                              : run->rtol * gradient->psi;
    work->noise = fmax(fabs(off), DBL_EPSILON * fabs(gradient->psi));
    if (finer)
        add_work(gradient, finer);
    trajectory_free(finer);
    runner_tolerances(work->runner, run->rtol, run->atol);
    return OK;
}

static enum status differentiate_all(struct difference *work)
{
    const struct run_request *run = &work->request->run;
    enum status status = OK;
    for (work->j = 0; status == OK && work->j < run->parameters; work->j++) {
        status = differentiate(work);
        double done = (work->j + 1.0) / run->parameters;
        if (status == OK && run->progress && !run->progress(run->progress_context, done))
            return diagnose(&work->gradient->diagnosis, BAD_INPUT, NAN, "stopped");
    }
    return status;
}

enum status cost_gradient_difference(const struct adjoint_request *request,
                                     struct cost_gradient *gradient)
{
    struct run_request plain = request->run;
    plain.parameters = 0;
    plain.without_unknowns = true;
    plain.progress = NULL;
    struct difference work = {.request = request, .gradient = gradient,
                              .runner = runner_new(&plain, &gradient->diagnosis)};
    if (!work.runner)
        return gradient->diagnosis.status;
    work.value = memory_new(plain.model->p, sizeof *work.value);
    memory_copy(work.value, plain.value, plain.model->p, sizeof *work.value);
    enum status status = run_middle(&work);
    if (status == OK)
        status = differentiate_all(&work);
    trajectory_free(work.middle);
    runner_free(work.runner);
    free(work.value);
    return status;
}
