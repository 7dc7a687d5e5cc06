/*
 * cost_hessian.c - how each method is asked for second derivatives (cost_hessian.h)
 */
#include "gradients/cost_hessian.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "gradients/cost_gradient.h"
#include "motion/cost.h"
#include "motion/reference_motion.h"
#include "motion/reference_values.h"

/* --- in double ---------------------------------------------------------------------- */

static enum status by_adjoint(const struct hessian_request *asked,
                              struct cost_hessian *hessian)
{
    struct adjoint_request request = asked->adjoint;
    struct gradient *found = NULL;
    int p = request.run.parameters;
    request.method = NULL;
    request.hessian = true;
    struct adjoint *adjoint = adjoint_new(&request, &hessian->diagnosis);
    if (!adjoint)
        return hessian->diagnosis.status;
    enum status status = adjoint_run(adjoint, NULL, &found, &hessian->diagnosis);
    if (status == OK) {
        hessian->psi = found->value;
        memory_copy(hessian->by_rho, found->by_rho, p, sizeof *found->by_rho);
        memory_copy(hessian->by_two, found->hessian, p * p, sizeof *found->hessian);
        hessian->events = found->trajectory->events;
        hessian->runs = 1;
        hessian->steps = found->trajectory->steps;
        hessian->back_steps = found->steps;
        hessian->pullbacks = found->pullbacks;
    }
    gradient_free(found);
    adjoint_free(adjoint);
    return status;
}

/* --- in MPFR ------------------------------------------------------------------------ */

/* The request of the reference, and the texts that it points at. */
struct certifying {
    struct reference_request request;
    struct reference_motion motion;
    struct reference_values values;
    char t_end[NUMBER_TEXT_ROOM];
};

static enum status take_request(struct certifying *c, const struct run_request *run,
                                struct diagnosis *diagnosis)
{
    *c = (struct certifying){.values = {.value = NULL}};
    enum status status = reference_motion_of(run->formulation, run->model, run->option,
                                             &c->motion, diagnosis);
    if (status == OK && !is_known(&c->motion.truth))
        status = diagnose(diagnosis, NOT_APPLICABLE, NAN, "the reference does not know "
                          "the motion of %s", run->formulation->name);
    if (status == OK)
        status = reference_values_of(run->model, run->value, &c->values, diagnosis);
    number_text(c->t_end, run->t_end);
    c->request = (struct reference_request){
        .model = run->model, .truth = c->motion.truth, .parameters = run->parameters,
        .parameter = run->parameter, .value = c->values.value,
        .t_end = isnan(run->t_end) ? NULL : c->t_end, .max_events = run->max_events,
        .progress = run->progress, .progress_context = run->progress_context};
    return status;
}

static enum status certified(const struct hessian_request *asked,
                             struct cost_hessian *hessian)
{
    struct certifying c;
    int p = asked->adjoint.run.parameters;
    enum status status = take_request(&c, &asked->adjoint.run, &hessian->diagnosis);
    if (status == OK)
        status = mp_hessian_certify(&c.request, asked->adjoint.cost, asked->digits,
                                    asked->threads, &hessian->certified,
                                    &hessian->diagnosis);
    if (status == OK) {
        const struct mp_hessian *found = hessian->certified;
        hessian->psi = mpfr_get_d(found->psi, MPFR_RNDN);
        for (int j = 0; j < p; j++)
            hessian->by_rho[j] = mpfr_get_d(found->by_rho + j, MPFR_RNDN);
        for (int i = 0; i < p * p; i++)
            hessian->by_two[i] = mpfr_get_d(found->by_two + i, MPFR_RNDN);
        hessian->events = found->events;
        hessian->runs = found->runs;
    }
    reference_values_clear(&c.values);
    return status;
}

double cost_hessian_seconds(const struct hessian_request *request)
{
    const struct run_request *run = &request->adjoint.run;
    struct reference_motion motion;
    struct effort effort;
    struct diagnosis ignored;
    if (reference_motion_of(run->formulation, run->model, run->option, &motion,
                            &ignored) != OK)
        return 0;
    effort_of(run->model, &motion.truth, &effort);
    return effort_of_hessian(&effort, run->parameters,
                             mp_hessian_digits(request->digits));
}

/* --- the methods -------------------------------------------------------------------- */

const struct cost_hessian_method cost_hessian_methods[] = {
    {.name = "adjoint", .ask = by_adjoint},
    {.name = "certified", .ask = certified},
    {.name = NULL},
};

const struct cost_hessian_method *cost_hessian_find(const char *name)
{
    for (const struct cost_hessian_method *m = cost_hessian_methods; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

void cost_hessian_ask(const struct cost_hessian_method *method,
                      const struct hessian_request *request,
                      struct cost_hessian *hessian)
{
    int p = request->adjoint.run.parameters;
    *hessian = (struct cost_hessian){.diagnosis = {.t = NAN}};
    hessian->by_rho = memory_new(p, sizeof *hessian->by_rho);
    hessian->by_two = memory_new(p * p, sizeof *hessian->by_two);
    hessian->status = method->ask(request, hessian);
}

void cost_hessian_clear(struct cost_hessian *hessian)
{
    free(hessian->by_rho);
    free(hessian->by_two);
    mp_hessian_free(hessian->certified);
}

/* --- compared ----------------------------------------------------------------------- */

/* The digits of |a_jk - b_jk|; b is the transpose of a where b is NULL. */
static double digits_of(const struct adjoint_request *request, const double *a,
                        const double *b)
{
    int p = request->run.parameters;
    double size = 0, worst = 0;
    for (int j = 0; j < p; j++)
        for (int k = 0; k < p; k++) {
            double rho = cost_gradient_size(request, j) * cost_gradient_size(request, k);
            double other = b ? b[j * p + k] : a[k * p + j];
            size = fmax(size, rho * fabs(a[j * p + k]));
            if (!isfinite(a[j * p + k]) || !isfinite(other))
                return 0;
            worst = fmax(worst, rho * fabs(a[j * p + k] - other));
        }
    return cost_gradient_agreement(worst, size);
}

double cost_hessian_symmetry(const struct adjoint_request *request,
                             const struct cost_hessian *hessian)
{
    return hessian->status == OK ? digits_of(request, hessian->by_two, NULL) : NAN;
}

double cost_hessian_digits(const struct adjoint_request *request,
                           const struct cost_hessian *first,
                           const struct cost_hessian *other)
{
    bool both = first->status == OK && other->status == OK;
    return both ? digits_of(request, first->by_two, other->by_two) : NAN;
}
