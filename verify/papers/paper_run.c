/*
 * paper_run.c - one run of a case (paper_run.h)
 */
#include "papers/paper_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mechanisms/catalogue.h"
#include "motion/samples.h"
#include "options/args.h"
#include "oracles/oracle.h"
#include "plugins/registry.h"
#include "quantity/quantity.h"

/* A name of the table of a paper that the catalogue does not have is a slip of ours. */
_Noreturn static void no_such(const char *kind, const char *name)
{
    slip("papers: no %s '%s'", kind, name);
}

static enum status refuse(struct paper_run *run, enum status status)
{
    if (run->status == OK)
        run->status = status;
    return run->status;
}

static void spread(struct paper_run *run, double t0, double t_end)
{
    even_times(t0, t_end, run->request.samples, run->sample);
    run->request.t_end = t_end;
}

static void choose_parameters(struct paper_run *run, const char *sens)
{
    char name[64];
    run->parameter = memory_new(run->model->p + 1, sizeof *run->parameter);
    run->request.parameter = run->parameter;
    if (!sens) {
        run->request.parameters = model_sensitivities(run->model, run->parameter);
        return;
    }
    while (next_in_list(&sens, name, sizeof name)) {
        int j = model_parameter_index(run->model, name);
        if (j < 0)
            no_such("parameter", name);
        run->parameter[run->request.parameters++] = j;
    }
}

enum status paper_run_init(struct paper_run *run, const char *name,
                           const char *formulation, int points, const char *sens)
{
    const struct case_desc *desc = case_find(name);
    if (!desc)
        no_such("case", name);
    return paper_run_of(run, desc, formulation, points, sens);
}

enum status paper_run_of(struct paper_run *run, const struct case_desc *desc,
                         const char *formulation, int points, const char *sens)
{
    double t0, t_end;
    *run = (struct paper_run){.diagnosis = {.t = NAN}};
    run->request = (struct run_request){
        .formulation = formulation_find(formulation), .option = run->option,
        .rtol = 1e-12, .atol = 1e-15, .samples = points};
    if (!run->request.formulation)
        no_such("formulation", formulation);
    run->model = model_new(desc, &run->diagnosis);
    if (!run->model)
        return refuse(run, run->diagnosis.status);
    run->request.model = run->model;
    options_nominal(run->request.formulation, run->option);
    choose_parameters(run, sens);
    run->value = memory_new(run->model->p + 1, sizeof *run->value);
    run->sample = memory_new(points + 1, sizeof *run->sample);
    run->request.value = run->value;
    run->request.sample = run->sample;
    refuse(run, model_nominal_values(run->model, run->value, &run->diagnosis));
    if (run->status == OK)
        refuse(run, model_times(run->model, run->value, &t0, &t_end, &run->diagnosis));
    if (run->status == OK)
        spread(run, t0, t_end);
    return run->status;
}

void paper_run_option(struct paper_run *run, const char *name, const char *value)
{
    int k = option_index(run->request.formulation, name);
    if (k < 0)
        no_such("option", name);
    run->option[k] = value;
}

/* The place of a parameter in run->value. */
static double *value_of(const struct paper_run *run, const char *parameter)
{
    int j = run->model ? model_parameter_index(run->model, parameter) : -1;
    if (j < 0)
        no_such("parameter", parameter);
    return &run->value[j];
}

void paper_run_set(struct paper_run *run, const char *parameter, double value)
{
    *value_of(run, parameter) = value;
}

void paper_run_tolerance(struct paper_run *run, double rtol)
{
    run->request.rtol = rtol;
    run->request.atol = rtol / 1000;
}

void paper_run_until(struct paper_run *run, double t_end)
{
    double t0, usual;
    if (run->status == OK &&
        refuse(run, model_times(run->model, run->value, &t0, &usual, &run->diagnosis)) ==
            OK)
        spread(run, t0, t_end);
}

void paper_run_times(struct paper_run *run, const double *time, int count)
{
    free(run->sample);
    run->sample = memory_new(count + 1, sizeof *run->sample);
    memory_copy(run->sample, time, count, sizeof *time);
    run->request.sample = run->sample;
    run->request.samples = count;
}

enum status paper_run_reset(struct paper_run *run, enum reset_policy reset)
{
    struct model *model = run->model;
    if (run->status != OK)
        return run->status;
    run->model = model_new_with(model->desc, reset, &run->diagnosis);
    model_free(model);
    run->request.model = run->model;
    return run->model ? OK : refuse(run, run->diagnosis.status);
}

enum status paper_run_go(struct paper_run *run)
{
    if (run->status != OK)
        return run->status;
    return refuse(run, run_once(&run->request, &run->trajectory, &run->diagnosis));
}

enum status paper_run_complex(struct paper_run *run, struct trajectory **out)
{
    *out = NULL;
    if (run->status != OK)
        return run->status;
    return refuse(run, complex_step_run(&run->request, out, &run->diagnosis));
}

enum status paper_run_back(struct paper_run *run, const char *cost,
                           struct gradient **out)
{
    *out = NULL;
    if (run->status != OK)
        return run->status;
    const struct adjoint_request request = {.run = run->request,
                                            .cost = paper_cost(run->model, cost)};
    struct adjoint *adjoint = adjoint_new(&request, &run->diagnosis);
    if (!adjoint)
        return refuse(run, run->diagnosis.status);
    refuse(run, adjoint_run(adjoint, NULL, out, &run->diagnosis));
    adjoint_free(adjoint);
    return run->status;
}

void paper_run_clear(struct paper_run *run)
{
    trajectory_free(run->trajectory);
    free(run->value);
    free(run->parameter);
    free(run->sample);
    if (run->model)
        model_free(run->model);
}

enum status paper_run_why(const struct paper_run *run, char *why, int size)
{
    const struct diagnosis *d = &run->diagnosis;
    snprintf(why, (size_t)size, "%s, %s: %s at t = %.9g: %s",
             run->model ? run->model->desc->name : "?", run->request.formulation->name,
             status_text(run->status), d->t, d->place);
    return run->status;
}

double paper_value(const struct paper_run *run, const char *parameter)
{
    return *value_of(run, parameter);
}

const struct run_point *paper_end(const struct trajectory *trajectory)
{
    return &trajectory->sample[trajectory->samples - 1];
}

int paper_column(const struct trajectory *trajectory, const char *name)
{
    int c = quantity_column(&trajectory->columns, name);
    if (c < 0)
        no_such("column", name);
    return c;
}

int paper_cost(const struct model *model, const char *cost)
{
    for (int i = 0; i < model->nz; i++)
        if (strcmp(model->cost[i], cost) == 0)
            return i;
    no_such("cost", cost);
}

double paper_psi(const struct trajectory *trajectory, const char *cost, const char *by)
{
    const struct columns *columns = &trajectory->columns;
    const int nz = columns->model->nz, i = paper_cost(columns->model, cost);
    for (int j = -1; j < columns->p; j++)
        if (j < 0 ? !by : by && strcmp(by, column_parameter(columns, j)) == 0)
            return trajectory->psi[i + nz * (j + 1)];
    no_such("parameter", by ? by : cost);
}

/* --- comparing ---------------------------------------------------------------------- */

/* All comparisons of two trajectories; the caller frees the array and both results. */
struct side_by_side {
    struct results *got, *want;
    struct comparison *comparison;
    int count;
};

static struct side_by_side compare(const struct trajectory *got,
                                   const struct trajectory *want)
{
    const struct comparing how = {.cap = 16, .floor = 1e-3};
    struct side_by_side both = {results_of_trajectory(got), results_of_trajectory(want),
                                NULL, 0};
    int missing;
    both.comparison = results_compare(both.got, both.want, &how, &both.count, &missing);
    return both;
}

static void both_clear(struct side_by_side *both)
{
    free(both->comparison);
    results_free(both->got);
    results_free(both->want);
}

double paper_digits(const struct trajectory *got, const struct trajectory *want,
                    char *worst, int size)
{
    return paper_digits_like(got, want, "", worst, size);
}

double paper_digits_like(const struct trajectory *got, const struct trajectory *want,
                         const char *begins, char *worst, int size)
{
    struct side_by_side both = compare(got, want);
    double least = NAN;
    for (int k = 0; k < both.count; k++)
        if (strncmp(both.comparison[k].want->name, begins, strlen(begins)) == 0 &&
            !isnan(both.comparison[k].digits) && !(both.comparison[k].digits >= least)) {
            least = both.comparison[k].digits;
            snprintf(worst, (size_t)size, "%s at t = %.4g",
                     both.comparison[k].want->name, both.comparison[k].want->t);
        }
    both_clear(&both);
    return least;
}
