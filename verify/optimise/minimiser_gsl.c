/*
 * minimiser_gsl.c - minimisation by GSL's multimin, for a build without NLopt: the
 * vector BFGS method with Fletcher's line search (Fletcher 1987), without bounds.
 */
#include "optimise/minimiser.h"

#include <gsl/gsl_multimin.h>
#include <gsl/gsl_version.h>
#include <stdlib.h>

#include "base/memory.h"

const struct algorithm algorithms[] = {
#define ALGORITHM(word, NLOPT, GSL, text) {.name = word, .method = text},
#include "optimise/algorithms.def"
#undef ALGORITHM
    {.name = NULL},
};

static const gsl_multimin_fdfminimizer_type *NONE = NULL;

static const gsl_multimin_fdfminimizer_type **const types[] = {
#define ALGORITHM(word, NLOPT, GSL, text) &GSL,
#include "optimise/algorithms.def"
#undef ALGORITHM
};

static const gsl_multimin_fdfminimizer_type *type_of(const struct algorithm *algorithm)
{
    return algorithm->name ? *types[algorithm - algorithms] : NULL;
}

bool algorithm_available(const struct algorithm *algorithm)
{
    return type_of(algorithm) != NULL;
}

const char *minimiser_library(void)
{
    return "GSL " GSL_VERSION;
}

bool minimiser_takes_bounds(void)
{
    return false;
}

/* A minimisation, as the functions of GSL see it. */
struct call {
    const struct minimisation *m;
    bool stop;                  /* no further value is wanted */
    double *at;                 /* [n] */
    double *gradient;           /* [n] */
};

static void both(const gsl_vector *u, void *context, double *value, gsl_vector *gradient)
{
    struct call *call = context;
    for (int k = 0; k < call->m->n; k++)
        call->at[k] = gsl_vector_get(u, (size_t)k);
    *value = call->m->f(call->m->context, call->at, call->gradient, &call->stop);
    for (int k = 0; gradient && k < call->m->n; k++)
        gsl_vector_set(gradient, (size_t)k, call->gradient[k]);
}

static double value_alone(const gsl_vector *u, void *context)
{
    double value;
    both(u, context, &value, NULL);
    return value;
}

static void gradient_alone(const gsl_vector *u, void *context, gsl_vector *gradient)
{
    double value;
    both(u, context, &value, gradient);
}

void minimise(const struct minimisation *m, const double *u)
{
    static const double first_step = 1, line_search = 0.1;
    size_t n = (size_t)m->n;
    struct call call = {.m = m, .at = memory_new(m->n, sizeof(double)),
                        .gradient = memory_new(m->n, sizeof(double))};
    gsl_multimin_function_fdf function = {.f = value_alone, .df = gradient_alone,
                                          .fdf = both, .n = n, .params = &call};
    gsl_multimin_fdfminimizer *state =
        gsl_multimin_fdfminimizer_alloc(type_of(m->algorithm), n);
    gsl_vector_const_view start = gsl_vector_const_view_array(u, n);
    if (!state)
        memory_exhausted();
    gsl_multimin_fdfminimizer_set(state, &function, &start.vector, first_step,
                                  line_search);
    while (!call.stop && gsl_multimin_fdfminimizer_iterate(state) == GSL_SUCCESS)
        continue;
    gsl_multimin_fdfminimizer_free(state);
    free(call.at);
    free(call.gradient);
}
