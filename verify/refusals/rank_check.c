/*
 * rank_check.c - a refusal for dependent constraints, checked in MPFR (rank_check.h)
 */
#include "refusals/rank_check.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "oracles/singular_crossing.h"
#include "program/program.h"
#include "run.h"

static const double zero = 1e-9;        /* Singular values below this part of the largest
                                           count as zero. */

/* Evaluates Phi_q [m*n] of a mode at a point. */
static void evaluate(const struct model *model, const struct mode *mode,
                     const struct columns *columns, const struct mp_point *point,
                     const double *rho, double *Phi_q)
{
    unsigned char stage[BLOCK_LIMIT] = {
        [BLOCK_T] = 1, [BLOCK_Q] = 1, [BLOCK_V] = 1, [BLOCK_S] = 1, [BLOCK_RHO] = 1};
    struct program *program = program_seal(model->tape, mode->Phi_q, mode->m * model->n,
                                           stage);
    double *w = memory_new(program->slots, sizeof *w);
    double *x = memory_new(columns->width, sizeof *x);
    double t = mpfr_get_d(point->t, MPFR_RNDN);
    for (int c = 0; c < columns->width; c++)
        x[c] = mpfr_get_d(point->x[c], MPFR_RNDN);
    program_init(program, w);
    program_load(program, BLOCK_RHO, rho, w);
    program_load(program, BLOCK_T, &t, w);
    program_load(program, BLOCK_Q, x + columns->begin[GROUP_Q], w);
    program_load(program, BLOCK_V, x + columns->begin[GROUP_V], w);
    program_load(program, BLOCK_S, x + columns->begin[GROUP_S], w);
    program_run(program, 1, w);
    for (int i = 0; i < mode->m * model->n; i++)
        Phi_q[i] = w[program->output[i]];
    free(x);
    free(w);
    program_free(program);
}

/* The rank of an m x n matrix by rows. */
static int rank(const double *A, int m, int n)
{
    size_t tall = (size_t)(m > n ? m : n), thin = (size_t)(m > n ? n : m);
    gsl_matrix *U = gsl_matrix_calloc(tall, thin), *V = gsl_matrix_calloc(thin, thin);
    gsl_vector *s = gsl_vector_calloc(thin), *work = gsl_vector_calloc(thin);
    for (int i = 0; i < m; i++) {
        double size = 0;
        for (int j = 0; j < n; j++)
            size = fmax(size, fabs(A[i*n + j]));
        for (int j = 0; j < n && size > 0; j++)
            gsl_matrix_set(U, (size_t)(m > n ? i : j), (size_t)(m > n ? j : i),
                           A[i*n + j] / size);
    }
    gsl_linalg_SV_decomp(U, V, s, work);
    int rank = 0;
    for (size_t k = 0; k < thin; k++)
        rank += gsl_vector_get(s, k) > zero * gsl_vector_get(s, 0);
    gsl_matrix_free(U);
    gsl_matrix_free(V);
    gsl_vector_free(s);
    gsl_vector_free(work);
    return rank;
}

bool constraints_cross(const struct model *model, const struct mp_trajectory *motion,
                       double *t)
{
    const struct mp_point *from = motion->sample, *to = from + 1;
    const struct mode *mode = from->mode;
    if (motion->samples != 2 || to->mode != mode || mode->m == 0 || mode->m > model->n)
        return false;
    int m = mode->m, n = model->n;
    double *rho = memory_new(model->p, sizeof *rho);
    double *Phi_q = memory_new(m * n, sizeof *Phi_q);
    struct crossing crossing;
    bool independent = true;
    double part = INFINITY;
    crossing_init(&crossing, m, n);
    model_nominal_values(model, rho, NULL);
    for (int k = 0; k < 2; k++) {
        evaluate(model, mode, &motion->columns, from + k, rho, Phi_q);
        independent = independent && rank(Phi_q, m, n) == m;
        part = crossing_next(&crossing, Phi_q);
    }
    double t0 = mpfr_get_d(from->t, MPFR_RNDN);
    *t = t0 + part * (mpfr_get_d(to->t, MPFR_RNDN) - t0);
    crossing_clear(&crossing);
    free(Phi_q);
    free(rho);
    return independent && isfinite(part);
}

bool constraints_depend(const struct model *model, const struct mp_trajectory *motion,
                        struct dependence *found)
{
    double *rho = memory_new(model->p, sizeof *rho);
    bool depend = false;
    model_nominal_values(model, rho, NULL);
    for (int k = 0; k < motion->samples && !depend; k++) {
        const struct mp_point *point = &motion->sample[k];
        const struct mode *mode = point->mode;
        if (mode->m == 0)
            continue;
        double *Phi_q = memory_new(mode->m * model->n, sizeof *Phi_q);
        evaluate(model, mode, &motion->columns, point, rho, Phi_q);
        *found = (struct dependence){mode, rank(Phi_q, mode->m, model->n), mode->m};
        depend = found->rank < found->rows;
        free(Phi_q);
    }
    free(rho);
    return depend;
}
