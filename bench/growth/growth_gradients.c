/*
 * growth_gradients.c - growth of the gradient of a cost with the parameters, by the
 * direct method and backwards.
 */
#include <math.h>
#include <stdlib.h>

#include "adjoint/adjoint.h"
#include "base/memory.h"
#include "growth/growth.h"
#include "run.h"
#include "workloads/chain.h"
#include "workloads/workload.h"

/* The problem of all points; the last of them that is closed frees it. */
struct problem {
    struct model *model;
    int *parameter;                 /* [model->p] all of them */
    double *value;                  /* [model->p] */
    double *truth;                  /* [model->p] the gradient at a tight tolerance */
    int users;
};

/* A prepared gradient. */
struct differentiating {
    struct problem *problem;
    int parameters;
    struct runner *runner;          /* of the direct method; NULL: backwards */
    struct adjoint *adjoint;        /* NULL: the direct method */
};

/* Index of the cost. */
enum { COST = 0 };

/* rtol of the truth, as a part of that of the points. */
static const double tight = 1e-4;

/* --- the problem -------------------------------------------------------------------- */

static struct run_request request_of(const struct problem *problem, int parameters,
                                     const struct growing *how)
{
    return (struct run_request){
        .model = problem->model, .formulation = workload_formulation(problem->model),
        .parameters = parameters,
        .parameter = problem->parameter, .value = problem->value, .t_end = NAN,
        .rtol = how->rtol, .atol = how->rtol/1000, .without_unknowns = true,
        .code = how->quick ? CODE_NEVER : CODE_ALWAYS,
    };
}

/* psi_rho of a run. */
static void take_direct(const struct trajectory *trajectory, int parameters,
                        double *by_rho)
{
    int costs = trajectory->columns.model->nz;
    for (int j = 0; j < parameters; j++)
        by_rho[j] = trajectory->psi[(1 + j)*costs + COST];
}

static enum status find_truth(struct problem *problem, const struct growing *how,
                              struct diagnosis *diagnosis)
{
    struct trajectory *trajectory = NULL;
    struct run_request request = request_of(problem, problem->model->p, how);
    request.rtol *= tight;
    request.atol *= tight;
    enum status status = run_once(&request, &trajectory, diagnosis);
    if (status == OK)
        take_direct(trajectory, problem->model->p, problem->truth);
    trajectory_free(trajectory);
    return status;
}

static void leave(struct problem *problem)
{
    if (--problem->users > 0)
        return;
    model_free(problem->model);
    free(problem->parameter);
    free(problem->value);
    free(problem->truth);
    free(problem);
}

/* NULL and a diagnosis: there is no truth. */
static struct problem *problem_new(const struct case_desc *desc,
                                   const struct growing *how, struct diagnosis *diagnosis)
{
    struct problem *problem = memory_new(1, sizeof *problem);
    problem->users = 1;
    problem->model = model_new(desc, diagnosis);
    int p = problem->model ? problem->model->p : 0;
    problem->parameter = memory_new(p, sizeof *problem->parameter);
    problem->value = memory_new(p, sizeof *problem->value);
    problem->truth = memory_new(p, sizeof *problem->truth);
    for (int j = 0; j < p; j++)
        problem->parameter[j] = j;
    if (problem->model) {
        if (model_nominal_values(problem->model, problem->value, diagnosis) == OK &&
            find_truth(problem, how, diagnosis) == OK)
            return problem;
    }
    leave(problem);
    return NULL;
}

/* The largest error of the derivatives by relative changes of the parameters, as a part
   of the largest of all of these. */
static double error_of(const struct problem *problem, const double *by_rho,
                       int parameters)
{
    double worst = 0, size = 0;
    for (int j = 0; j < problem->model->p; j++)
        size = fmax(size, fabs(problem->truth[j]*problem->value[j]));
    for (int j = 0; j < parameters; j++)
        worst = fmax(worst, fabs((by_rho[j] - problem->truth[j])*problem->value[j]));
    return worst/size;
}

/* --- a point ------------------------------------------------------------------------ */

static void differentiating_close(void *work)
{
    struct differentiating *d = work;
    runner_free(d->runner);
    adjoint_free(d->adjoint);
    leave(d->problem);
    free(d);
}

static enum status solve_direct(struct point *point)
{
    const struct differentiating *d = point->work;
    double *by_rho = memory_new(d->parameters, sizeof *by_rho);
    struct trajectory *trajectory = NULL;
    enum status status = runner_run(d->runner, NULL, &trajectory, &point->diagnosis);
    if (status == OK) {
        take_direct(trajectory, d->parameters, by_rho);
        point->error = error_of(d->problem, by_rho, d->parameters);
    }
    trajectory_free(trajectory);
    free(by_rho);
    return status;
}

static enum status solve_back(struct point *point)
{
    const struct differentiating *d = point->work;
    struct gradient *gradient = NULL;
    enum status status = adjoint_run(d->adjoint, NULL, &gradient, &point->diagnosis);
    if (status == OK)
        point->error = error_of(d->problem, gradient->by_rho, d->parameters);
    gradient_free(gradient);
    return status;
}

/* The point of a method, by its name, with so many parameters. */
static void open_gradient(struct point *point, struct problem *problem,
                          const char *method, int parameters, const struct growing *how)
{
    const struct adjoint_method *back = adjoint_method_find(method);
    *point = (struct point){.size = parameters, .parts = 1, .error = NAN,
                            .solve = back ? solve_back : solve_direct,
                            .close = differentiating_close, .diagnosis = {.t = NAN}};
    snprintf(point->name, sizeof point->name, "%s", method);
    if (how->progress)              /* a program is made for each number of parameters */
        how->progress(point->name, 0);
    struct differentiating *d = memory_new(1, sizeof *d);
    struct adjoint_request request = {.run = request_of(problem, parameters, how),
                                      .method = back, .cost = COST};
    *d = (struct differentiating){.problem = problem, .parameters = parameters};
    problem->users++;
    if (back)
        d->adjoint = adjoint_new(&request, &point->diagnosis);
    else
        d->runner = runner_new(&request.run, &point->diagnosis);
    if (d->adjoint || d->runner)
        point->work = d;
    else
        differentiating_close(d);
}

static int open_gradients(const struct growing *how, struct point *point, int room)
{
    static const char *const method[] = {"direct", "adjoint"};
    static const int all[] = {1, 2, 5, 10, 20, 50, 100, 200}, few[] = {1, 10, 200};
    const int *size = how->quick ? few : all;
    size_t sizes = how->quick ? sizeof few/sizeof *few : sizeof all/sizeof *all;
    struct diagnosis diagnosis = {.t = NAN};
    int points = 0;
    struct problem *problem = problem_new(&chain_through_plate, how, &diagnosis);
    if (!problem) {
        point[0] = (struct point){.diagnosis = diagnosis, .size = 1};
        snprintf(point[0].name, sizeof point[0].name, "truth");
        return 1;
    }
    for (size_t m = 0; m < sizeof method/sizeof *method; m++)
        for (size_t k = 0; k < sizes && points < room; k++)
            open_gradient(&point[points++], problem, method[m], size[k], how);
    leave(problem);
    return points;
}

extern const struct growth growth_gradients;
const struct growth growth_gradients = {
    .name = "gradients", .axis = "parameters", .part = "gradient", .compared = 1,
    .one_problem = true, .open = open_gradients,
    .title = "Gradient of a cost: 25 bars falling through a plate, by index1.",
};
