/*
 * gradients.h - gradients in tests: a case in a formulation, by the direct method and
 * backwards, and the digits in which they agree.
 */
#ifndef SALTUS_GRADIENTS_H
#define SALTUS_GRADIENTS_H

#include "adjoint/adjoint_faults.h"
#include "sampling.h"
#include "solving.h"

/* In make test the formulations take turns, each with a third of the catalogue; make
   test-all has every case in each, as saltus verify has (adjoint-identity). */
static inline bool has_turn(int number, const struct formulation *formulation)
{
    int f = 0;
    while (formulations[f] != formulation)
        f++;
    return in_test_all() || (number + f) % 3 == 0;
}

/* How many cases must be reached, of those that the whole catalogue has at least. */
static inline int least_of_turn(int least)
{
    return in_test_all() ? least : least / 5;
}

/* The result that is differentiated: the first cost, or the first component of the state
   at the end where there is no cost. */
static inline int cost_of(const struct model *model)
{
    return model->nz > 0 ? 0 : -1;
}

/* The end of a run, by a terminal event or at its time. */
static inline const struct run_point *end_of(const struct trajectory *direct)
{
    int last = direct->events - 1;
    bool ended = last >= 0 && direct->event[last].event->terminal;
    return ended ? &direct->event[last].after : &direct->sample[direct->samples - 1];
}

static inline double wanted(const struct trajectory *direct, int j)
{
    const struct model *model = direct->columns.model;
    if (model->nz > 0)
        return direct->psi[(1 + j) * model->nz];
    enum column_group group = model->n > 0 ? GROUP_Q : GROUP_S;
    return end_of(direct)->x[column(&direct->columns, group, 0, j)];
}

/* A request at this tolerance with a sample at the end alone, whose steps are those of a
   run without samples. */
static inline void gradients_of(struct solving *s, const struct case_desc *desc,
                                const char *formulation, double rtol)
{
    solving_of_desc(s, desc, formulation);
    s->request.rtol = rtol;
    s->request.atol = rtol / 1000;
    s->request.samples = 1;
    s->request.sample = s->sample + TEST_SAMPLES - 1;
}

/* The gradient backwards, by this request with the run and the result of the test, at
   `value` (NULL: the model's own); NULL and *status on a refusal. */
static inline struct gradient *gradient_with(struct solving *s,
                                             struct adjoint_request request,
                                             unsigned faults, const double *value,
                                             enum status *status)
{
    struct gradient *gradient = NULL;
    request.run = s->request;
    request.cost = cost_of(s->model);
    struct adjoint *adjoint = adjoint_new_with_faults(&request, faults, &s->diagnosis);
    *status = adjoint ? adjoint_run(adjoint, value, &gradient, &s->diagnosis)
                      : s->diagnosis.status;
    adjoint_free(adjoint);
    return gradient;
}

/* By a method of adjoint_method_find. `memory`: of checkpoints, 0: as usual. */
static inline struct gradient *gradient_by(struct solving *s, const char *method,
                                           size_t memory, enum status *status)
{
    struct adjoint_request request = {.memory = memory,
                                      .method = adjoint_method_find(method)};
    return gradient_with(s, request, 0, NULL, status);
}

/* The size of a parameter, by which its derivative counts. */
static inline double size_of_parameter(const struct solving *s, int j)
{
    double rho = fabs(s->value[s->parameter[j]]);
    return rho > 0 ? rho : 1;
}

static inline double size_of_gradient(const struct solving *s,
                                      const struct trajectory *direct)
{
    double size = 0;
    for (int j = 0; j < s->request.parameters; j++)
        size = fmax(size, fabs(wanted(direct, j)) * size_of_parameter(s, j));
    return size;
}

/* Digits of the gradient, against the largest of its components. */
static inline double digits_of_gradient(const struct solving *s,
                                        const struct trajectory *direct,
                                        const struct gradient *gradient)
{
    double worst = 0, size = size_of_gradient(s, direct);
    for (int j = 0; j < s->request.parameters; j++)
        worst = fmax(worst, fabs(gradient->by_rho[j] - wanted(direct, j)) *
                                size_of_parameter(s, j));
    return size > 0 ? -log10(worst / size + 1e-17) : 17;
}

#endif
