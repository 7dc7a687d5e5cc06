/*
 * cost_gradient.c - the table of the methods, and how each is asked (cost_gradient.h)
 */
#include "gradients/cost_gradient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "oracles/oracle.h"
#include "size.h"

/* --- the methods -------------------------------------------------------------------- */

static void count_run(struct cost_gradient *gradient, const struct trajectory *run)
{
    gradient->events = run->events;
    gradient->steps = run->steps;
    gradient->evaluations = run->evaluations;
}

/* Takes the value and the gradient that a run with derivatives has. */
static void take_costs(const struct adjoint_request *request,
                       const struct trajectory *run, struct cost_gradient *gradient)
{
    int nz = request->run.model->nz;
    gradient->psi = run->psi[request->cost];
    for (int j = 0; j < request->run.parameters; j++)
        gradient->by_rho[j] = run->psi[(1 + j) * nz + request->cost];
    count_run(gradient, run);
}

static enum status by_adjoint(const char *method, const struct adjoint_request *asked,
                              struct cost_gradient *gradient)
{
    struct adjoint_request request = *asked;
    struct gradient *found = NULL;
    request.method = adjoint_method_find(method);
    struct adjoint *adjoint = adjoint_new(&request, &gradient->diagnosis);
    if (!adjoint)
        return gradient->diagnosis.status;
    enum status status = adjoint_run(adjoint, NULL, &found, &gradient->diagnosis);
    if (status == OK) {
        gradient->psi = found->value;
        memory_copy(gradient->by_rho, found->by_rho, request.run.parameters,
                    sizeof *found->by_rho);
        count_run(gradient, found->trajectory);
        gradient->runs = 1;
        gradient->back_steps = found->steps;
        gradient->pullbacks = found->pullbacks;
        gradient->repeated = found->repeated;
    }
    gradient_free(found);
    adjoint_free(adjoint);
    return status;
}

static enum status continuous(const struct adjoint_request *request,
                              struct cost_gradient *gradient)
{
    return by_adjoint("adjoint", request, gradient);
}

static enum status discrete(const struct adjoint_request *request,
                            struct cost_gradient *gradient)
{
    return by_adjoint("discrete-adjoint", request, gradient);
}

static enum status direct(const struct adjoint_request *request,
                          struct cost_gradient *gradient)
{
    struct trajectory *run = NULL;
    enum status status = run_once(&request->run, &run, &gradient->diagnosis);
    if (status == OK)
        take_costs(request, run, gradient);
    gradient->runs = 1;
    trajectory_free(run);
    return status;
}

/* The oracle says which motion it runs, and how. */
static enum status complex_step(const struct adjoint_request *request,
                                struct cost_gradient *gradient)
{
    const char *nominal[MAX_OPTIONS];
    const struct run_request run = complex_step_request(&request->run, nominal);
    struct trajectory *trajectory = NULL;
    gradient->formulation = run.formulation;
    gradient->integrator = run.integrator;
    gradient->rtol = run.rtol;
    enum status status = complex_step_run(&run, &trajectory, &gradient->diagnosis);
    if (status == OK)
        take_costs(request, trajectory, gradient);
    gradient->runs = request->run.parameters;
    trajectory_free(trajectory);
    return status;
}

const struct cost_gradient_method cost_gradient_methods[] = {
    {.name = "adjoint", .backwards = true, .ask = continuous},
    {.name = "discrete-adjoint", .backwards = true, .ask = discrete},
    {.name = "direct", .ask = direct},
    {.name = "complex-step", .ask = complex_step},
    {.name = "difference", .estimates = true, .ask = cost_gradient_difference},
    {.name = NULL},
};

const struct cost_gradient_method *cost_gradient_find(const char *name)
{
    for (const struct cost_gradient_method *m = cost_gradient_methods; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

/* --- asked -------------------------------------------------------------------------- */

void cost_gradient_ask(const struct cost_gradient_method *method,
                       const struct adjoint_request *request,
                       struct cost_gradient *gradient)
{
    const struct run_request *run = &request->run;
    *gradient = (struct cost_gradient){
        .diagnosis = {.t = NAN}, .formulation = run->formulation,
        .integrator = integrator_chosen(run->formulation, run->integrator),
        .rtol = run->rtol};
    gradient->by_rho = memory_new(run->parameters, sizeof *gradient->by_rho);
    if (method->estimates)
        gradient->error = memory_new(run->parameters, sizeof *gradient->error);
    double begun = thread_seconds();
    gradient->status = method->ask(request, gradient);
    gradient->seconds = thread_seconds() - begun;
    if (gradient->status != OK && gradient->diagnosis.status == OK)
        diagnose(&gradient->diagnosis, gradient->status, NAN, "no reason is given");
}

void cost_gradient_clear(struct cost_gradient *gradient)
{
    free(gradient->by_rho);
    free(gradient->error);
}

/* --- compared ----------------------------------------------------------------------- */

double cost_gradient_size(const struct adjoint_request *request, int j)
{
    return parameter_size(request->run.value[request->run.parameter[j]]);
}

double cost_gradient_agreement(double worst, double size)
{
    if (worst == 0)
        return double_digits;
    return size > 0 ? fmin(double_digits, fmax(0, -log10(worst / size))) : 0;
}

double cost_gradient_digits(const struct adjoint_request *request,
                            const struct cost_gradient *first,
                            const struct cost_gradient *other)
{
    double size = 0, worst = 0;
    if (first->status != OK || other->status != OK)
        return NAN;
    for (int j = 0; j < request->run.parameters; j++) {
        double rho = cost_gradient_size(request, j);
        size = fmax(size, rho * fabs(first->by_rho[j]));
        worst = fmax(worst, rho * fabs(other->by_rho[j] - first->by_rho[j]));
    }
    return cost_gradient_agreement(worst, size);
}
