/*
 * growth_runs.c - growth of runs in double with parameters, coordinates and events.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "growth/growth.h"
#include "mechanisms/catalogue.h"
#include "motion/reference_motion.h"
#include "run.h"
#include "workloads/chain.h"

/* --- one point ---------------------------------------------------------------------- */

/* A prepared run, and a run of its first step, whose time is that of the start. */
struct running {
    struct model *model;
    int *parameter;
    double *value;
    const char *option[MAX_OPTIONS];
    struct run_request request, first;
    struct runner *runner, *first_runner;
    long (*parts)(const struct trajectory *trajectory);
    bool sized;                     /* the size is the number of parts */
};

static long steps_of(const struct trajectory *trajectory)
{
    return trajectory->steps + trajectory->rejections - 1;  /* run_start() has the
                                                               first */
}

static long events_of(const struct trajectory *trajectory)
{
    return trajectory->events;
}

static void run_close(void *work)
{
    struct running *running = work;
    runner_free(running->runner);
    runner_free(running->first_runner);
    model_free(running->model);
    free(running->parameter);
    free(running->value);
    free(running);
}

static enum status run_solve(struct point *point)
{
    struct running *running = point->work;
    struct trajectory *trajectory = NULL;
    enum status status = runner_run(running->runner, running->value, &trajectory,
                                    &point->diagnosis);
    if (status == OK)
        point->parts = running->parts(trajectory);
    if (status == OK && running->sized)
        point->size = (int)point->parts;
    trajectory_free(trajectory);
    return status;
}

static enum status run_start(struct point *point)
{
    struct running *running = point->work;
    struct trajectory *trajectory = NULL;
    enum status status = runner_run(running->first_runner, running->value, &trajectory,
                                    &point->diagnosis);
    trajectory_free(trajectory);
    return status;
}

/* The run of a point. */
struct wanted {
    const struct case_desc *desc;
    const char *series;             /* name of the series; NULL: that of the case */
    int size, p;                    /* size; number of parameters differentiated by */
    double t_end;                   /* end of the run; NAN: the case's */
    const char *set;                /* parameter that is not nominal; NULL: none */
    double to;                      /* its value */
    long (*parts)(const struct trajectory *trajectory);
};

static bool prepare(struct running *running, const struct wanted *wanted,
                    const struct growing *how, struct diagnosis *diagnosis)
{
    struct model *model = running->model = model_new(wanted->desc, diagnosis);
    if (!model)
        return false;
    int p = wanted->p < model->p ? wanted->p : model->p;
    running->value = memory_new(model->p, sizeof *running->value);
    running->parameter = memory_new(p + 1, sizeof *running->parameter);
    for (int k = 0; k < p; k++)
        running->parameter[k] = k;
    running->request = (struct run_request){
        .model = model, .formulation = formulation_default(model),
        .option = running->option, .parameters = p, .parameter = running->parameter,
        .value = running->value, .rtol = how->rtol, .atol = how->rtol/1000,
        .t_end = wanted->t_end, .without_costs = true,
        .code = how->quick ? CODE_NEVER : CODE_ALWAYS,
    };
    options_nominal(running->request.formulation, running->option);
    if (model_nominal_values(model, running->value, diagnosis) != OK)
        return false;
    if (wanted->set)
        running->value[model_parameter_index(model, wanted->set)] = wanted->to;
    running->first = running->request;
    running->first.t_end = 1e-9;
    running->runner = runner_new(&running->request, diagnosis);
    if (running->runner)
        running->first_runner = runner_new(&running->first, diagnosis);
    return running->first_runner;
}

static void open_run(struct point *point, const struct wanted *wanted,
                     const struct growing *how)
{
    struct running *running = memory_new(1, sizeof *running);
    *point = (struct point){.size = wanted->size, .solve = run_solve, .start = run_start,
                            .close = run_close, .diagnosis = {.t = NAN}};
    snprintf(point->name, sizeof point->name, "%s",
             wanted->series ? wanted->series : wanted->desc->name);
    if (how->progress)              /* equations of a large model take a while */
        how->progress(point->name, 0);
    running->parts = wanted->parts;
    running->sized = wanted->size == 0 && wanted->parts == events_of;
    if (prepare(running, wanted, how, &point->diagnosis))
        point->work = running;
    else
        run_close(running);
}

/* --- parameters --------------------------------------------------------------------- */

/* Parameters of a mechanism with events, of one with many parameters, and of one with
   64. */
static int open_p(const struct growing *how, struct point *point, int room)
{
    static const int all[] = {0, 1, 2, 4, 8, 16, 32, 64};
    const struct case_desc *const desc[] = {case_find("five-bar"), case_find("andrews"),
                                            &chain_on_springs};
    int points = 0;
    for (size_t c = 0; c < sizeof desc/sizeof *desc; c++)
        for (size_t k = 0; k < sizeof all/sizeof *all && points < room; k++) {
            struct wanted wanted = {.desc = desc[c], .size = all[k], .p = all[k],
                                    .t_end = NAN, .parts = steps_of};
            open_run(&point[points], &wanted, how);
            const struct running *running = point[points].work;
            int p = running ? running->request.parameters : all[k];
            point[points++].size = p;
            if (p < all[k])
                break;              /* the model has no more parameters */
        }
    return points;
}

extern const struct growth growth_p;
const struct growth growth_p = {
    .name = "p", .axis = "parameters", .part = "step", .open = open_p,
    .title = "Parameters differentiated: whole runs of index1 by its default integrator.",
};

/* --- coordinates -------------------------------------------------------------------- */

/* Half a second of two families, before the parallelograms come to their first singular
   configuration; two parameters. */
static int open_n(const struct growing *how, struct point *point, int room)
{
    static const char *const family[] = {"four-bar", "pendulum-chain"};
    static const int size[] = {10, 40, 160, 1000};
    char name[40];
    int points = 0;
    for (size_t f = 0; f < sizeof family/sizeof *family; f++)
        for (size_t k = 0; k < sizeof size/sizeof *size && points < room; k++) {
            snprintf(name, sizeof name, "%s-%d", family[f], size[k]);
            struct wanted wanted = {.desc = case_find(name), .series = family[f],
                                    .size = size[k], .p = 2, .t_end = 0.5,
                                    .parts = steps_of};
            open_run(&point[points++], &wanted, how);
        }
    return points;
}

extern const struct growth growth_n;
const struct growth growth_n = {
    .name = "n", .axis = "bodies in a row, N", .part = "step", .compared = 40,
    .open = open_n,
    .title = "Bodies in a row (N): half a second of index1, two parameters.",
};

/* --- events ------------------------------------------------------------------------- */

/* A ball that loses nothing, dropped from 50 m with g = 9.8, and a wheel that comes into
   its cycle. `first` is the time of the first event, `each` the time from one to the
   next, in seconds. */
static int open_events(const struct growing *how, struct point *point, int room)
{
    static const struct { const char *name, *set; double to, first, each; } row[] = {
        {"bouncing-ball", "e", 1, 3.2, 6.39},
        {"rimless-wheel", NULL, 0, 0.7, 0.7},
    };
    int points = 0;
    for (size_t c = 0; c < sizeof row/sizeof *row; c++)
        for (int k = 1; k <= 256 && points < room; k *= 4) {
            struct wanted wanted = {.desc = case_find(row[c].name), .p = 2,
                                    .t_end = row[c].first + row[c].each*(k - 0.5),
                                    .set = row[c].set, .to = row[c].to,
                                    .parts = events_of};
            open_run(&point[points++], &wanted, how);
        }
    return points;
}

extern const struct growth growth_events;
const struct growth growth_events = {
    .name = "events", .axis = "events", .part = "event", .open = open_events,
    .title = "Events: longer and longer runs of ode, two parameters.",
};
