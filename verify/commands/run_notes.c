/*
 * run_notes.c - warnings of a run, and what it has taken (run_notes.h)
 */
#include "commands/run_notes.h"

#include <math.h>
#include <stdio.h>

#include "base/standard.h"
#include "condition.h"
#include "coverage/never.h"

/* Digits that are lost are said, not only written down. */
static void warn_of_grazing(const struct run_request *request,
                            const struct trajectory *t)
{
    for (int k = 0; k < t->events; k++) {
        const struct event_record *event = &t->event[k];
        if (event->condition >= near_grazing && request->parameters > 0)
            fprintf(
                stderr,
                "saltus run: %s: near-grazing: event %d (%s) at t = %.9g, "
                "condition %.1e: %.0f digits of dt_e/drho and of what comes after are "
                "lost\n",
                request->model->desc->name, k + 1, event->event->name, event->before.t,
                event->condition, log10(event->condition));
    }
}

/* The time reached: a terminal event ends the run between two samples. */
static double reached(const struct trajectory *t)
{
    double sample = t->sample[t->samples - 1].t;
    return t->events > 0 ? fmax(sample, t->event[t->events - 1].after.t) : sample;
}

static void warn_of_absence(const struct model *model, const struct trajectory *t)
{
    char never[400];
    never_in_run(t, never, sizeof never);
    if (never[0])
        fprintf(stderr, "saltus run: %s: %s up to t = %.9g\n", model->desc->name, never,
                reached(t));
}

/* Warns of a late start: a double has 16 digits of t, and the run has those behind its
   length. */
static void warn_of_late_start(const struct model *model, const struct trajectory *t)
{
    double begin = t->sample[0].t, end = reached(t);
    double times = fmax(fabs(begin), fabs(end)) / (end - begin);
    if (times >= 1000 && end > begin)
        fprintf(stderr, "saltus run: %s: times are %.1e of the length of the run: %.0f "
                "digits of them, and of what depends on them, are lost; begin nearer "
                "to 0\n", model->desc->name, times, log10(times));
}

/* Warns of digits that the motion itself takes. */
static void warn_of_growth(const struct run_request *request, const struct trajectory *t)
{
    const struct error_growth *growth = &t->growth;
    bool none = growth->none_at < INFINITY;
    if (growth->worn_at < INFINITY)
        fprintf(stderr,
                "saltus run: %s: no-digits: %s left from t = %.9g on: errors grow by "
                "%.1e until the end (as by %s), at rtol = %g\n",
                request->model->desc->name,
                none ? "no digit may be" : "fewer than 2 digits may be",
                none ? growth->none_at : growth->worn_at, growth->factor,
                request->model->parameter[growth->parameter].name, request->rtol);
}

/* A parameter that is differentiated by and that nothing depends on is a slip. */
static void warn_of_unused(const struct run_request *request)
{
    for (int k = 0; k < request->parameters; k++) {
        const struct parameter *parameter =
            &request->model->parameter[request->parameter[k]];
        if (!parameter->used)
            fprintf(stderr, "saltus run: %s: no formula depends on parameter %s: its "
                    "derivatives are zero\n", request->model->desc->name,
                    parameter->name);
    }
}

void run_notes_warn(const struct run_request *request, const struct trajectory *t)
{
    warn_of_grazing(request, t);
    warn_of_growth(request, t);
    warn_of_absence(request->model, t);
    warn_of_late_start(request->model, t);
    warn_of_unused(request);
}

void run_notes_work(const struct model *model, const struct trajectory *t, double seconds)
{
    char Phi[40] = "n/a";
    for (int k = 0; k < model->modes; k++)
        if (model->mode[k]->m > 0)
            snprintf(Phi, sizeof Phi, "%.1e", t->worst_Phi);
    if (fflush(stdout) != 0 || !standard_is_read())
        return;
    fprintf(stderr, "saltus run: %s: %ld step%s, %ld refused, %d event%s, "
            "%ld right-hand sides, largest |Phi| %s, %.3g s of CPU\n",
            model->desc->name, t->steps, t->steps == 1 ? "" : "s", t->rejections,
            t->events, t->events == 1 ? "" : "s", t->evaluations, Phi, seconds);
}
