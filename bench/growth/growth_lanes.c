/*
 * growth_lanes.c - growth of a batch (run.h) with the number of lanes: workload W with
 * many values of its two parameters.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "growth/growth.h"
#include "motion/reference_motion.h"
#include "run.h"
#include "simd/lanes.h"
#include "workloads/workload.h"

enum { RUNS = 64 };             /* number of runs; with --quick LANES */

/* Runs of one batch. */
struct many {
    struct model *model;
    int runs, parameter[WORKLOAD_PARAMETERS];   /* number of runs; indices in the model */
    double *nominal, *value;        /* [model->p] [RUNS][model->p] parameters */
    const char *option[MAX_OPTIONS];
    struct run_request request;
    struct batch *batch;
    struct batch_run run[RUNS];
};

static void many_close(void *work)
{
    struct many *many = work;
    batch_free(many->batch);
    model_free(many->model);
    free(many->nominal);
    free(many->value);
    free(many);
}

static enum status many_solve(struct point *point)
{
    struct many *many = point->work;
    enum status status = OK;
    batch_run(many->batch, many->run, many->runs);
    for (int k = 0; k < many->runs; k++) {
        trajectory_free(many->run[k].trajectory);
        if (many->run[k].status != OK)
            point->diagnosis = many->run[k].diagnosis;
        status = many->run[k].status != OK ? many->run[k].status : status;
    }
    point->parts = many->runs;
    return status;
}

/* Varies parameters within one per cent of the nominal values, which is near enough for
   impacts in the same order. */
static void vary(struct many *many, int parameters)
{
    int p = many->model->p;
    for (int k = 0; k < RUNS; k++) {
        double *value = many->value + k*p;
        memory_copy(value, many->nominal, p, sizeof *value);
        for (int j = 0; j < parameters; j++)
            value[many->parameter[j]] *= 1 + 0.01*sin(7.0*k + j);
        many->run[k].value = value;
    }
}

static bool prepare(struct many *many, const struct workload *workload, double rtol,
                    int lanes, const struct growing *how, struct diagnosis *diagnosis)
{
    struct model *model = many->model = workload_model(workload, diagnosis);
    if (!model)
        return false;
    many->runs = how->quick ? LANES : RUNS;
    int p = workload_parameters(workload, model, many->parameter);
    many->nominal = memory_new(model->p, sizeof *many->nominal);
    many->value = memory_new(RUNS*model->p, sizeof *many->value);
    many->request = (struct run_request){
        .model = model, .formulation = formulation_find("penalty"),
        .option = many->option, .integrator = integrator_find("rk87"), .parameters = p,
        .parameter = many->parameter, .value = many->nominal, .t_end = workload->t_end,
        .without_costs = true, .without_unknowns = true, .beside = lanes > 1,
        .code = how->quick ? CODE_NEVER : CODE_ALWAYS,
        .rtol = rtol, .atol = rtol/1000,
    };
    options_nominal(many->request.formulation, many->option);
    if (model_nominal_values(model, many->nominal, diagnosis) != OK)
        return false;
    vary(many, p);
    many->batch = batch_new(&many->request, lanes);
    return true;
}

static int open_lanes(const struct growing *how, struct point *point, int room)
{
    const struct workload *workload = workloads[0];
    const double rtol[] = {how->rtol, how->rtol/1000};
    int points = 0;
    for (size_t k = 0; k < sizeof rtol/sizeof *rtol; k++)
        for (int lanes = 1; lanes <= LANES && points < room; lanes *= 2) {
            struct point *at = &point[points++];
            struct many *many = memory_new(1, sizeof *many);
            *at = (struct point){.size = lanes, .solve = many_solve, .close = many_close,
                                 .diagnosis = {.t = NAN}};
            snprintf(at->name, sizeof at->name, "%s %.0e", workload->name, rtol[k]);
            if (prepare(many, workload, rtol[k], lanes, how, &at->diagnosis))
                at->work = many;
            else
                many_close(many);
        }
    return points;
}

extern const struct growth growth_lanes;
const struct growth growth_lanes = {
    .name = "lanes", .axis = "runs beside each other", .part = "run", .open = open_lanes,
    .no_rtol = true,
    .title = "Lanes: 64 runs of workload W by penalty and rk87, so many beside "
             "each other.",
};
