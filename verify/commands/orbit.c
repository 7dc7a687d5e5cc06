/*
 * orbit.c - `saltus orbit CASE`: a periodic motion, its multipliers and derivatives.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "commands/orbit_branch.h"
#include "commands/orbit_certified.h"
#include "commands/picture.h"
#include "commands/setup.h"
#include "orbits/orbit_report.h"

/* SAMPLES: states between two nodes in a picture. */
enum { MOST_EVENTS = 256, OFFER = 400, SAMPLES = 120 };

/* All that is asked for, and the answer. */
struct orbit_job {
    const struct args *args;
    struct model *model;
    const char *option[MAX_OPTIONS];
    double *value;
    int *parameter;
    int event[MOST_EVENTS];
    int *drift;
    int x, y;                   /* components that are drawn; -1: those of the report */
    struct orbit_request request;
    struct orbit *orbit;
};

/* --- what is asked ------------------------------------------------------------------ */

static int event_index(const struct model *model, const char *name)
{
    int k = 0;
    while (k < model->events && strcmp(model->event[k]->name, name) != 0)
        k++;
    return k < model->events ? k : -1;
}

static bool unknown_event(const struct orbit_job *job, const char *name)
{
    const struct model *model = job->model;
    const char **known = memory_new(model->events, sizeof *known);
    char offer[OFFER];
    for (int k = 0; k < model->events; k++)
        known[k] = model->event[k]->name;
    offer_names(name, known, model->events, offer, sizeof offer);
    complain(job->args, "--signature: %s has no event %s; %s", model->desc->name, name,
             offer);
    free(known);
    return false;
}

/* The events of --signature, in the order of a period. */
static bool choose_signature(struct orbit_job *job)
{
    const char *list = args_text(job->args, OPTION_SIGNATURE, NULL);
    char name[80];
    job->request.event = job->event;
    while (list && next_in_list(&list, name, sizeof name)) {
        int k = event_index(job->model, name);
        if (k < 0)
            return unknown_event(job, name);
        if (job->request.events == MOST_EVENTS) {
            complain(job->args, "--signature: more than %d events", MOST_EVENTS);
            return false;
        }
        job->event[job->request.events++] = k;
    }
    return true;
}

/* The component of (q, v, s) of this name, -1: none; vx is the velocity of x. */
static int component_index(const struct model *model, const char *name)
{
    int n = model->n;
    for (int i = 0; i < n; i++) {
        if (strcmp(model->coordinate[i], name) == 0)
            return i;
        if (name[0] == 'v' && strcmp(model->coordinate[i], name + 1) == 0)
            return n + i;
    }
    for (int k = 0; k < model->ns; k++)
        if (strcmp(model->auxiliary[k], name) == 0)
            return 2 * n + k;
    return -1;
}

/* The groups of --advance. */
static bool choose_drifts(struct orbit_job *job)
{
    const struct model *model = job->model;
    int width = 2 * model->n + model->ns;
    job->drift = memory_new(width, sizeof *job->drift);
    for (int i = 0; i < width; i++)
        job->drift[i] = -1;
    job->request.drift = job->drift;
    for (int k = 0; k < job->args->option[OPTION_ADVANCE].count; k++) {
        const char *list = job->args->option[OPTION_ADVANCE].value[k];
        char name[80];
        while (next_in_list(&list, name, sizeof name)) {
            int i = component_index(model, name);
            if (i < 0 || job->drift[i] >= 0) {
                complain(job->args, i < 0 ? "--advance: %s has no coordinate or state %s"
                                          : "--advance: %s: %s is named twice",
                         model->desc->name, name);
                return false;
            }
            job->drift[i] = k;
        }
        job->request.drifts = k + 1;
    }
    return true;
}

/* The components of --components: one or two. */
static bool choose_components(struct orbit_job *job)
{
    const struct model *model = job->model;
    const char *list = args_text(job->args, OPTION_COMPONENTS, NULL);
    int *const component[] = {&job->x, &job->y};
    char name[80];
    job->x = job->y = -1;
    for (int k = 0; list && next_in_list(&list, name, sizeof name); k++) {
        int i = component_index(model, name);
        if (i < 0 || k >= 2) {
            complain(job->args, i < 0 ? "--components: %s has no coordinate or state %s"
                                      : "--components: of %s only two are drawn, not %s",
                     model->desc->name, name);
            return false;
        }
        *component[k] = i;
    }
    if (job->x >= 0 && job->y < 0)      /* the rate of a coordinate, or the next one */
        job->y = job->x < model->n ? model->n + job->x
                                   : job->x > 0 ? job->x - 1 : job->x;
    return true;
}

static bool has_events(const struct orbit_job *job)
{
    if (job->model->events > 0)
        return true;
    complain(job->args, "%s has no events, which a period is told by; add one, like the "
             "turning x' = 0, at which nothing jumps", job->model->desc->name);
    return false;
}

/* Reads all of the command line, before anything is computed or written. */
static bool prepare(struct orbit_job *job, const struct args *args)
{
    *job = (struct orbit_job){.args = args};
    job->model = setup_model(args, args->operand[0]);
    if (!job->model)
        return false;
    job->value = memory_new(job->model->p, sizeof *job->value);
    job->parameter = memory_new(job->model->p, sizeof *job->parameter);
    struct run_request *run = &job->request.run;
    run->model = job->model;
    run->value = job->value;
    run->parameter = job->parameter;
    run->t_end = NAN;
    job->request.slopes = args_has(args, OPTION_SLOPES);
    job->request.samples = args_has(args, OPTION_PLOT) ? SAMPLES : 0;
    return has_events(job) && choose_signature(job) && choose_drifts(job) &&
           choose_components(job) &&
           setup_solver(args, job->model, job->option, run) &&
           setup_values(args, job->model, job->value) &&
           setup_parameters(args, job->model, &run->parameters, job->parameter) &&
           setup_limits(args, run) && args_number(args, OPTION_T_END, &run->t_end);
}

static void clear(struct orbit_job *job)
{
    orbit_free(job->orbit);
    free(job->drift);
    free(job->value);
    free(job->parameter);
    model_free(job->model);
}

/* --- the command -------------------------------------------------------------------- */

static void print(FILE *stream, const void *context)
{
    const struct orbit_job *job = context;
    const struct orbit_report report = {&job->request, job->orbit, job->x, job->y};
    if (args_has(job->args, OPTION_JSON))
        orbit_report_json(stream, &report);
    else {
        orbit_report_table(stream, &report);
        orbit_certified_print(stream, &job->request, job->orbit);
    }
}

static void draw(FILE *gnuplot, const void *context)
{
    const struct orbit_job *job = context;
    const struct orbit_report report = {&job->request, job->orbit, job->x, job->y};
    orbit_report_plot(gnuplot, &report);
}

static enum exit_status orbit(const struct args *args)
{
    struct orbit_job job;
    const struct drawing drawing = {PAGE_WIDTH, 97, draw, &job};
    struct diagnosis diagnosis = {.t = NAN};
    enum exit_status status = EXIT_USAGE;
    if (prepare(&job, args) && branch_possible(args) &&
        orbit_certify_possible(args, job.model->desc) && outputs_possible(args)) {
        if (args_has(args, OPTION_CONTINUE))
            status = branch_answer(args, &job.request, job.value, job.x);
        else if (orbit_find(&job.request, &job.orbit, &diagnosis) != OK)
            status = complain_refusal(args, job.model->desc->name, &diagnosis);
        else if (args_has(args, OPTION_CERTIFY))
            status = orbit_certify(args, &job.request, job.orbit);
        else
            status = output_print(args, print, &job) && picture_write(args, &drawing)
                         ? EXIT_HELD : EXIT_USAGE;
    }
    clear(&job);
    return status;
}

static const enum option_id options[] = {
    OPTION_SIGNATURE,  OPTION_SLOPES,     OPTION_CONTINUE, OPTION_FROM,   OPTION_TO,
    OPTION_STEP,       OPTION_DOUBLINGS,  OPTION_SECOND,   OPTION_SECOND_TO,
    OPTION_VALUES,     OPTION_AT,         OPTION_PLOT,     OPTION_KEEP_SCRIPT,
    OPTION_COMPONENTS,
    OPTION_ADVANCE,    OPTION_CERTIFY,    OPTION_DIGITS,   OPTION_DIRECTORY,
    OPTION_FORMULATION, OPTION_OPT,     OPTION_INTEGRATOR,
    OPTION_RESET,      OPTION_RULE,       OPTION_SET,      OPTION_SENS,   OPTION_T_END,
    OPTION_RTOL,       OPTION_ATOL,       OPTION_MAX_EVENTS, OPTION_MAX_STEP,
    OPTION_MAX_STEPS,
    OPTION_JSON,       OPTION_OUT,        OPTION_PLUGIN,   OPTION_TIMEOUT, OPTIONS,
};

extern const struct command command_orbit;
const struct command command_orbit = {
    .name = "orbit",
    .synopsis = "CASE [OPTION...]",
    .summary = "A periodic motion through events, its multipliers and derivatives",
    .text =
        "The run of the case, to --t-end, is searched for a period: the last events\n"
        "that come back, or the events of --signature where they come back best. From\n"
        "there Newton's method solves the equations of multiple shooting, with nodes\n"
        "between the events, to the rounding of runs at --rtol (1e-10). An orbit may be\n"
        "unstable: the run need only pass near it.\n"
        "Printed are the states after the events, their derivatives by parameters, the\n"
        "period and its own, the multipliers of the linearised motion, of which one is\n"
        "1 in the direction of the motion, and the steps of Newton's method. Formulas\n"
        "must not depend on time: a drive has its phase as a state. Components that\n"
        "advance by some amount each period, like the places of a walker, are named by\n"
        "--advance, a group each time.\n"
        "--continue RHO --to X follows the orbit in a parameter, by pseudo-arclength,\n"
        "past folds; where multipliers leave the unit circle, and where an event\n"
        "grazes, is located, to an error beside those of runs at --rtol. --doublings N\n"
        "follows the branch of twice the period from the first period doubling, N\n"
        "times. --second SIGMA --second-to Y: the curve of these points in the plane of\n"
        "both parameters. --plot: the diagram; of one orbit its phase portrait, and its\n"
        "multipliers in the unit circle.\n"
        "With --certify the orbit is solved again in MPFR, and all derivatives come by\n"
        "several routes, on which they must agree to --digits (40); it is printed, and\n"
        "stored. Where it is, any orbit in double of these parameters and events is\n"
        "compared with it, in the last line.\n"
        "Exit status 3: there is no such orbit near the run, and why.\n\n"
        "  saltus orbit impact-oscillator --t-end 200\n"
        "  saltus orbit compass-gait-absolute --t-end 12 --advance xh,xl,xr,px \\\n"
        "      --advance yh,yl,yr,py\n"
        "  saltus orbit impact-oscillator --t-end 200 --continue A --to 0.05\n"
        "  saltus orbit impact-oscillator --t-end 200 --continue A --to 0.01 \\\n"
        "      --second w --second-to 1.2 --at grazing\n",
    .option = options,
    .least = 1,
    .most = 1,
    .apart = true,
    .run = orbit,
};
