/*
 * minimising.h - one-line optimisations for tests: a cost over some parameters.
 */
#ifndef SALTUS_MINIMISING_H
#define SALTUS_MINIMISING_H

#include "optimise/optimise.h"
#include "options/args.h"
#include "solving.h"

/* A request over some parameters of a case, everything at its default. */
struct minimising {
    struct solving s;
    double start[TEST_PARAMETERS], lower[TEST_PARAMETERS], upper[TEST_PARAMETERS];
    struct optimisation_request request;
};

static inline void minimising_of(struct minimising *m, const char *names,
                                 const char *cost)
{
    const struct model *model = m->s.model;
    char name[80];
    m->s.request.parameters = 0;
    m->s.request.samples = 0;
    m->s.request.rtol = 1e-10;
    m->s.request.atol = 1e-13;
    while (next_in_list(&names, name, sizeof name)) {
        int k = m->s.request.parameters++, index = model_parameter_index(model, name);
        cr_assert(index >= 0, "no parameter %s", name);
        m->s.parameter[k] = index;
        m->start[k] = m->s.value[index];
        m->lower[k] = -INFINITY;
        m->upper[k] = INFINITY;
    }
    m->request = (struct optimisation_request){
        .run = m->s.request, .method = "adjoint", .algorithm = algorithms,
        .start = m->start, .lower = m->lower, .upper = m->upper,
        .gradient_tolerance = 1e-8, .max_evaluations = 500};
    while (strcmp(model->cost[m->request.cost], cost) != 0)
        m->request.cost++;
}

static inline struct optimisation *minimised(struct minimising *m)
{
    struct optimisation *o = optimisation_new(&m->request, &m->s.diagnosis);
    cr_assert_not_null(o, "%s", m->s.diagnosis.place);
    optimisation_run(o);
    return o;
}

static inline void expect_arrival(const struct optimisation *o)
{
    char reason[400] = "no answer";
    if (o->best >= 0)
        optimisation_reason(o, reason, sizeof reason);
    cr_assert_eq(o->stop, STOP_GRADIENT, "%s", reason);
    cr_expect_leq(optimisation_norm(o), 1e-8);
}

#endif
