/*
 * uncertainty.c - the Hessian at the answer of an optimisation, by the parameters that no
 * bound holds (uncertainty.h)
 */
#include "optimise/uncertainty.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "gradients/cost_hessian.h"

/* Errors of second derivatives by the tolerance of their run; 2 are seen. */
static const double errors_by_rtol = 10;

/* The free parameters, and all values at the answer. */
struct point {
    int n;
    int *parameter;             /* [n] indices in the model */
    const char **name;          /* [n] */
    double *value;              /* [model->p] */
};

static void point_new(struct point *point, const struct optimisation *o,
                      struct uncertainty *u)
{
    const struct model *model = o->columns.model;
    *point = (struct point){.parameter = memory_new(o->n, sizeof *point->parameter),
                            .name = memory_new(o->n, sizeof *point->name),
                            .value = memory_new(model->p, sizeof *point->value)};
    memory_copy(point->value, o->request.run.value, model->p, sizeof *point->value);
    for (int k = 0; k < o->n; k++) {
        int index = o->columns.parameter[k];
        point->value[index] = o->evaluation[o->best]->value[k];
        u->place[k] = optimisation_at_bound(o, k) ? -1 : point->n;
        if (u->place[k] < 0)
            continue;
        point->parameter[point->n] = index;
        point->name[point->n++] = model->parameter[index].name;
    }
}

static void point_clear(struct point *point)
{
    free(point->parameter);
    free(point->name);
    free(point->value);
}

static enum status find_covariance(const struct optimisation *o,
                                   const struct point *point, struct uncertainty *u)
{
    struct cost_hessian hessian;
    struct hessian_request asked = {
        .adjoint = {.run = o->request.run, .cost = o->request.cost}, .threads = 1};
    asked.adjoint.run.value = point->value;
    asked.adjoint.run.parameter = point->parameter;
    asked.adjoint.run.parameters = point->n;
    cost_hessian_ask(cost_hessian_find("adjoint"), &asked, &hessian);
    enum status status = hessian.status;
    u->diagnosis = hessian.diagnosis;
    if (status == OK) {
        const struct fit fit = {
            .n = point->n, .name = point->name, .hessian = hessian.by_two,
            .error = errors_by_rtol * o->request.run.rtol,
            .psi = o->evaluation[o->best]->psi, .variances = u->request.variances,
            .readings = u->request.readings};
        status = covariance_of(&fit, &u->covariance, &u->diagnosis);
    }
    cost_hessian_clear(&hessian);
    return status;
}

struct uncertainty *optimisation_uncertainty(const struct optimisation *o,
                                             const struct uncertainty_request *request)
{
    struct point point;
    struct uncertainty *u = memory_new(1, sizeof *u);
    *u = (struct uncertainty){.request = *request, .diagnosis = {.t = NAN},
                              .place = memory_new(o->n, sizeof *u->place)};
    point_new(&point, o, u);
    /* A saddle or a flat cost is said by its covariance, with the direction. */
    bool stationary = o->stop == STOP_GRADIENT || o->stop == STOP_NO_MINIMUM ||
                      o->stop == STOP_FLAT;
    if (!stationary)
        u->status = diagnose(&u->diagnosis, NO_CONVERGENCE, NAN,
                             "the minimum was not reached");
    else if (point.n == 0)
        u->status = diagnose(&u->diagnosis, NOT_APPLICABLE, NAN,
                             "every parameter is held at a bound");
    else
        u->status = find_covariance(o, &point, u);
    point_clear(&point);
    return u;
}

void uncertainty_free(struct uncertainty *u)
{
    if (!u)
        return;
    covariance_clear(&u->covariance);
    free(u->place);
    free(u);
}
