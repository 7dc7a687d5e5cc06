/*
 * minimiser_nlopt.c - minimisation by NLopt (Johnson), all tolerances of which are off.
 */
#include "optimise/minimiser.h"

#include <math.h>
#include <nlopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const struct algorithm algorithms[] = {
#define ALGORITHM(word, NLOPT, GSL, text) {.name = word, .method = text},
#include "optimise/algorithms.def"
#undef ALGORITHM
    {.name = NULL},
};

static const nlopt_algorithm codes[] = {
#define ALGORITHM(word, NLOPT, GSL, text) NLOPT,
#include "optimise/algorithms.def"
#undef ALGORITHM
};

bool algorithm_available(const struct algorithm *algorithm)
{
    return algorithm->name != NULL;
}

const char *minimiser_library(void)
{
    static char text[60];
    int major, minor, bugfix;
    nlopt_version(&major, &minor, &bugfix);
    snprintf(text, sizeof text, "NLopt %d.%d.%d", major, minor, bugfix);
    return text;
}

bool minimiser_takes_bounds(void)
{
    return true;
}

/* A minimisation, as the objective of NLopt sees it. */
struct call {
    const struct minimisation *m;
    nlopt_opt opt;
    double *gradient;           /* [n] where NLopt asks for the value alone */
};

static double objective(unsigned n, const double *u, double *gradient, void *context)
{
    const struct call *call = context;
    bool stop = false;
    (void)n;
    double value = call->m->f(call->m->context, u, gradient ? gradient : call->gradient,
                              &stop);
    if (stop)
        nlopt_force_stop(call->opt);
    return value;
}

void minimise(const struct minimisation *m, const double *u)
{
    struct call call = {.m = m, .gradient = memory_new(m->n, sizeof *call.gradient)};
    double value, *at = memory_new(m->n, sizeof *at);
    memory_copy(at, u, m->n, sizeof *at);
    call.opt = nlopt_create(codes[m->algorithm - algorithms], (unsigned)m->n);
    if (!call.opt)
        memory_exhausted();
    nlopt_set_lower_bounds(call.opt, m->lower);
    nlopt_set_upper_bounds(call.opt, m->upper);
    nlopt_set_min_objective(call.opt, objective, &call);
    /* each result but a want of memory means that NLopt goes no lower */
    if (nlopt_optimize(call.opt, at, &value) == NLOPT_OUT_OF_MEMORY)
        memory_exhausted();
    nlopt_destroy(call.opt);
    free(call.gradient);
    free(at);
}
