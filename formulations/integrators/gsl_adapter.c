/*
 * gsl_adapter.c - the explicit steppers of the GNU Scientific Library as integrators.
 *
 * GSL keeps the stages of a step to itself, so dense output is bootstrapped from x and dx
 * at both ends (Enright, Jackson, Norsett, Thomsen, ACM TOMS 12 (1986); HNW II.6). Slopes
 * f on a polynomial of order d have an error h^(d+1), enough for a polynomial of order
 * d + 1. From the cubic Hermite polynomial (order 3, no evaluations) to order d this
 * costs 1 + 2 + ... + (d - 3) evaluations: 1 for order 4, 10 for order 7.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_odeiv2.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "dense_output.h"
#include "methods.h"

enum { CUBIC = 4, TERMS = 8, MAX_NODES = TERMS - CUBIC };

/* The theta of slopes when there are m = 1..4 of them: of all multiples of 1/20 the set
   whose errors are amplified least (by 0.34 at most). Some sets are singular: 1/2 alone
   says nothing about theta^2 (1 - theta)^2, whose slope vanishes there. */
static const double nodes[MAX_NODES + 1][MAX_NODES] = {
    [1] = { 0.2 },
    [2] = { 0.2, 0.8 },
    [3] = { 0.15, 0.25, 0.85 },
    [4] = { 0.15, 0.25, 0.75, 0.85 },
};

struct adapter {
    gsl_odeiv2_step *stepper;
    int dim, levels;            /* components; dense order - 3 */
    double t, h;                /* start and length of the last step */
    const struct ode *ode;      /* equations, only during a step */
    enum status status;         /* last status of the right-hand side */
    double *c[TERMS];           /* [dim] coefficients of the dense output; c_0 is x */
    double *dx, *x_new, *dx_new, *y;    /* [dim] both ends of the step, and scratch */
    double *slope[MAX_NODES];   /* [dim] h f - p3' at the nodes of a level */
    double inverse[MAX_NODES + 1][MAX_NODES][MAX_NODES];    /* [level] of invert() */
    struct arena arena;         /* memory of all arrays */
};

/* B = A^-1 for A_ik = slope of the basis function of c_(4+k) at node i. */
static void invert(int m, double a[MAX_NODES][MAX_NODES], double b[MAX_NODES][MAX_NODES])
{
    size_t n = (size_t)m;
    gsl_matrix_view A = gsl_matrix_view_array_with_tda(a[0], n, n, MAX_NODES);
    gsl_matrix_view B = gsl_matrix_view_array_with_tda(b[0], n, n, MAX_NODES);
    size_t order[MAX_NODES];
    gsl_permutation rows = { .size = n, .data = order };
    int sign;

    gsl_linalg_LU_decomp(&A.matrix, &rows, &sign);
    gsl_linalg_LU_invert(&A.matrix, &rows, &B.matrix);
}

static void *adapter_alloc(const gsl_odeiv2_step_type *type, int dim, int dense_order)
{
    struct adapter *work = memory_new(1, sizeof *work);
    struct arena *arena = &work->arena;

    /* GSL's default handler aborts the process; without a handler GSL returns codes. The
       handler is switched off for the whole process, as linear/dense_lu.c and forms/spd.c
       do, too. */
    gsl_set_error_handler_off();
    work->stepper = gsl_odeiv2_step_alloc(type, (size_t)dim);
    if (!work->stepper) {
        free(work);
        return NULL;
    }
    work->dim = dim;
    work->levels = dense_order - 3;
    for (int i = 0; i < TERMS; i++)
        work->c[i] = arena_new(arena, dim, sizeof *work->c[i]);
    for (int i = 0; i < MAX_NODES; i++)
        work->slope[i] = arena_new(arena, dim, sizeof *work->slope[i]);
    work->dx = arena_new(arena, dim, sizeof *work->dx);
    work->x_new = arena_new(arena, dim, sizeof *work->x_new);
    work->dx_new = arena_new(arena, dim, sizeof *work->dx_new);
    work->y = arena_new(arena, dim, sizeof *work->y);
    for (int m = 1; m <= work->levels; m++) {
        double slopes[MAX_NODES][MAX_NODES];

        for (int i = 0; i < m; i++)
            for (int k = 0; k < m; k++)
                slopes[i][k] = dense_output_slope(CUBIC + k, nodes[m][i]);
        invert(m, slopes, work->inverse[m]);
    }
    return work;
}

static void adapter_release(void *memory)
{
    struct adapter *work = memory;

    if (!work)
        return;
    gsl_odeiv2_step_free(work->stepper);
    arena_free(&work->arena);
    free(work);
}

/* The right-hand side with GSL's signature. GSL passes a failure on; the status itself
   waits in the work space. */
static int adapter_rhs(double t, const double x[], double dx[], void *memory)
{
    struct adapter *work = memory;

    work->status = work->ode->rhs(work->ode->context, t, x, dx);
    return work->status == OK ? GSL_SUCCESS : GSL_EBADFUNC;
}

static enum status adapter_step(void *memory, const struct ode *ode, double t, double h,
                                const double *x, const double *dx, double *x_new,
                                double *dx_new, double *const *err)
{
    struct adapter *work = memory;
    size_t size = (size_t)work->dim*sizeof(double);
    gsl_odeiv2_system system = { adapter_rhs, NULL, (size_t)work->dim, work };

    work->t = t;
    work->h = h;
    work->ode = ode;
    work->status = OK;
    memcpy(work->c[0], x, size);
    memcpy(work->dx, dx, size);
    memcpy(work->x_new, x, size);
    int code = gsl_odeiv2_step_apply(work->stepper, t, h, work->x_new, err[0], work->dx,
                                     work->dx_new, &system);
    work->ode = NULL;
    if (work->status != OK)
        return work->status;
    if (code != GSL_SUCCESS)
        return NOT_APPLICABLE;
    memcpy(x_new, work->x_new, size);
    memcpy(dx_new, work->dx_new, size);
    return OK;
}

/* Level m: m slopes on the polynomial of order 2 + m give c_4, ..., c_(3+m) anew. */
static enum status raise_order(struct adapter *work, const struct ode *ode, int m)
{
    double *const *c = work->c;

    for (int i = 0; i < m; i++) {
        double theta = nodes[m][i];

        dense_output_value(CUBIC + m - 1, c, theta, 0, work->dim, work->y);
        enum status status = ode->rhs(ode->context, work->t + theta*work->h, work->y,
                                      work->slope[i]);
        if (status != OK)
            return status;
        /* The cubic leaves over h f - p3'. */
        double s1 = dense_output_slope(1, theta), s2 = dense_output_slope(2, theta);
        double s3 = dense_output_slope(3, theta);
        for (int n = 0; n < work->dim; n++)
            work->slope[i][n] = work->h*work->slope[i][n]
                              - (s1*c[1][n] + s2*c[2][n] + s3*c[3][n]);
    }
    for (int k = 0; k < m; k++)
        for (int n = 0; n < work->dim; n++) {
            double sum = 0;

            for (int i = 0; i < m; i++)
                sum += work->inverse[m][k][i]*work->slope[i][n];
            c[CUBIC + k][n] = sum;
        }
    return OK;
}

static enum status adapter_prepare(void *memory, const struct ode *ode)
{
    struct adapter *work = memory;

    dense_output_ends(work->dim, work->h, work->c[0], work->dx, work->x_new, work->dx_new,
                      work->c);
    for (int m = 1; m <= work->levels; m++) {
        enum status status = raise_order(work, ode, m);

        if (status != OK)
            return status;
    }
    return OK;
}

static void adapter_dense(const void *memory, double theta, int first, int count,
                          double *x)
{
    const struct adapter *work = memory;

    dense_output_value(CUBIC + work->levels, work->c, theta, first, count, x);
}

/* The methods differ in alloc alone, which knows the stepper. */
#define GSL_STEPPER(stepper, its_order, its_evaluations, its_dense_order, text)         \
    static void *alloc_##stepper(int dim)                                               \
    {                                                                                   \
        return adapter_alloc(gsl_odeiv2_step_##stepper, dim, its_dense_order);          \
    }                                                                                   \
    const struct integrator integrator_gsl_##stepper = {                                \
        .name = "gsl-" #stepper,                                                        \
        .title = "gsl_odeiv2_step_" #stepper " with a bootstrapped extension",          \
        .source = text,                                                                 \
        .order = its_order,                                                             \
        .errors = 1,                                                                    \
        .evaluations = its_evaluations,                                                 \
        .alloc = alloc_##stepper,                                                       \
        .release = adapter_release,                                                     \
        .step = adapter_step,                                                           \
        .prepare = adapter_prepare,                                                     \
        .dense = adapter_dense,                                                         \
        .dense_order = its_dense_order,                                                 \
    };
#include "gsl_adapter.def"
#undef GSL_STEPPER
