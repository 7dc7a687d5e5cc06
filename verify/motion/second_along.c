/*
 * second_along.c - central differences of derivatives, and w' H w (second_along.h)
 */
#include "motion/second_along.h"

#include <stdlib.h>

#include "adjoint/adjoint_faults.h"
#include "base/memory.h"

enum status second_along_mpfr(const struct moved_runs *runs, mpfr_ptr first,
                              mpfr_ptr second, struct diagnosis *diagnosis)
{
    int nz = runs->request.model->nz;
    double h = moved_runs_step(runs->request.digits / 3.0);
    struct mp_trajectory *side[2] = {NULL, NULL};
    enum status status = OK;
    for (int i = 0; status == OK && i < 2; i++)
        status = moved_runs_at(runs, i ? h : -h, true, &side[i], diagnosis);
    if (status == OK)
        status = moved_runs_alike(side[0], side[1], diagnosis);
    for (int k = 0; status == OK && k < nz; k++) {
        mpfr_srcptr left = side[0]->psi[nz + k], right = side[1]->psi[nz + k];
        mpfr_add(first + k, right, left, MPFR_RNDN);
        mpfr_div_ui(first + k, first + k, 2, MPFR_RNDN);
        mpfr_sub(second + k, right, left, MPFR_RNDN);
        mpfr_div_d(second + k, second + k, 2 * h, MPFR_RNDN);
    }
    mp_trajectory_free(side[0]);
    mp_trajectory_free(side[1]);
    return status;
}

/* Sums the first and second derivatives of a gradient along w. */
static void sum_along(const struct gradient *gradient,
                      const struct parameter_direction *direction, double *first,
                      double *second)
{
    int p = direction->parameters;
    double *w = memory_new(p, sizeof *w);
    *first = *second = 0;
    for (int j = 0; j < p; j++) {
        w[j] = strtod(direction->w[j], NULL);
        *first += w[j] * gradient->by_rho[j];
    }
    for (int i = 0; i < p * p; i++)
        *second += w[i / p] * gradient->hessian[i] * w[i % p];
    free(w);
}

enum status second_along_double(const struct run_request *run,
                                const struct parameter_direction *direction, int cost,
                                unsigned faults, double *first, double *second,
                                struct diagnosis *diagnosis)
{
    const struct adjoint_request request = {.run = *run, .cost = cost, .hessian = true};
    struct gradient *found = NULL;
    struct adjoint *adjoint = adjoint_new_with_faults(&request, faults, diagnosis);
    enum status status = adjoint ? adjoint_run(adjoint, NULL, &found, diagnosis)
                                 : diagnosis->status;
    if (status == OK)
        sum_along(found, direction, first, second);
    gradient_free(found);
    adjoint_free(adjoint);
    return status;
}
