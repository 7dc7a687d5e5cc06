/*
 * dop853.c - the Runge-Kutta method 8(5,3) of Dormand and Prince with its continuous
 * extension of order 7. The numbers, and where they come from: dop853.def.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carry.h"
#include "extension.h"
#include "methods.h"

enum { STAGES = 12, SLOPES = 16, TERMS = 8 };

struct dop853 {
    int dim;
    double t, h;                /* the last step, which the extension continues */
    double *k[SLOPES];          /* k_0 = f(t, x), k_12 = f(t + h, x_new) */
    double *c[TERMS];           /* the extension; c_0 is x */
    double *x_new, *y;          /* y: argument of a stage */
    struct carry carry;
    double pool[];
};

/* Every row of the table becomes a function: one pass over memory, no zero terms. */
#define TERM(j, value) + (value)*k[j][n]
#define STAGE(i, c, ...)                                                                \
    static void stage_##i(int dim, double h, const double *x, double *const *k,         \
                          double *y)                                                    \
    {                                                                                   \
        for (int n = 0; n < dim; n++)                                                   \
            y[n] = x[n] + h*(__VA_ARGS__);                                              \
    }
#define ROW(name, ...)                                                                  \
    static void name(int dim, double h, double *const *k, double *y)                    \
    {                                                                                   \
        for (int n = 0; n < dim; n++)                                                   \
            y[n] = h*(__VA_ARGS__);                                                     \
    }
#define ERROR(i, ...) ROW(error_##i, __VA_ARGS__)
#define DENSE(i, ...) ROW(dense_##i, __VA_ARGS__)
#include "dop853.def"

static const struct {
    double c;
    void (*combine)(int dim, double h, const double *x, double *const *k, double *y);
} stages[SLOPES] = {
#define STAGE(i, c, ...) [i] = { c, stage_##i },
#include "dop853.def"
};

static const double nodes[SLOPES] = {
#define STAGE(i, c, ...) [i] = c,
#include "dop853.def"
};

static void *dop853_alloc(int dim)
{
    /* c_0 holds x, so all slopes, all coefficients, x_new and y: one block of rows. */
    size_t rows = SLOPES + TERMS + 2, n = (size_t)dim;
    struct dop853 *work = calloc(1, sizeof *work + rows*n*sizeof(double));

    if (!work)
        return NULL;
    double *row = work->pool;
    for (int i = 0; i < SLOPES; i++, row += n)
        work->k[i] = row;
    for (int i = 0; i < TERMS; i++, row += n)
        work->c[i] = row;
    work->x_new = row;
    work->y = row + n;
    carry_init(&work->carry, dim);
    work->dim = dim;
    return work;
}

static void dop853_release(void *memory)
{
    struct dop853 *work = memory;

    if (work)
        carry_clear(&work->carry);
    free(work);
}

static enum status evaluate(struct dop853 *work, const struct ode *ode, int stage)
{
    stages[stage].combine(work->dim, work->h, work->c[0], work->k, work->y);
    return ode->rhs(ode->context, work->t + stages[stage].c*work->h, work->y,
                    work->k[stage]);
}

/* The last stage is the end of the step. */
static enum status arrive(struct dop853 *work, const struct ode *ode, const double *lost)
{
    stages[STAGES].combine(work->dim, work->h, lost, work->k, work->y);
    carry_sum(&work->carry, work->c[0], work->y, work->x_new);
    return ode->rhs(ode->context, work->t + work->h, work->x_new, work->k[STAGES]);
}

static enum status dop853_step(void *memory, const struct ode *ode, double t, double h,
                               const double *x, const double *dx, double *x_new,
                               double *dx_new, double *const *err)
{
    struct dop853 *work = memory;
    size_t size = (size_t)work->dim*sizeof(double);
    const double *lost = carry_start(&work->carry, t, x, work->c[0], work->x_new);

    work->t = t;
    work->h = h;
    memcpy(work->c[0], x, size);
    memcpy(work->k[0], dx, size);
    enum status status = OK;
    for (int i = 1; i < STAGES && status == OK; i++)
        status = evaluate(work, ode, i);
    if (status == OK)
        status = arrive(work, ode, lost);
    if (status != OK)
        return status;
    memcpy(x_new, work->x_new, size);
    memcpy(dx_new, work->k[STAGES], size);
    error_0(work->dim, h, work->k, err[0]);
    error_1(work->dim, h, work->k, err[1]);
    return OK;
}

/*
 * HNW II.10: the estimate of order 5 is scaled by its ratio to the one of order 3, which
 * makes the whole of order h^8. Here group by group. hypot and the order of the products
 * keep a huge error from becoming infinity over infinity.
 */
static double dop853_combine(const double *norm)
{
    double fifth = norm[0], third = norm[1];

    return fifth > 0 ? fifth*(fifth/hypot(fifth, 0.1*third)) : fifth;
}

static enum status dop853_prepare(void *memory, const struct ode *ode)
{
    struct dop853 *work = memory;

    for (int i = STAGES + 1; i < SLOPES; i++) {
        enum status status = evaluate(work, ode, i);

        if (status != OK)
            return status;
    }
    extension_ends(work->dim, work->h, work->c[0], work->k[0], work->x_new,
                   work->k[STAGES], work->c);
#define DENSE(i, ...) dense_##i(work->dim, work->h, work->k, work->c[i]);
#include "dop853.def"
    return OK;
}

static void dop853_dense(const void *memory, double theta, int first, int count,
                         double *x)
{
    const struct dop853 *work = memory;

    extension_value(TERMS, work->c, theta, first, count, x);
}

const struct integrator integrator_dop853 = {
    .name = "dop853",
    .title = "Runge-Kutta 8(5,3) of Dormand and Prince, extension of order 7",
    .source = "Hairer, Norsett, Wanner 1993, II.5-II.6, II.10",
    .order = 8,
    .errors = 2,
    .evaluations = 12,
    .node = nodes,
    .nodes = STAGES + 1,
    .alloc = dop853_alloc,
    .release = dop853_release,
    .step = dop853_step,
    .combine = dop853_combine,
    .prepare = dop853_prepare,
    .dense = dop853_dense,
    .dense_order = 7,
};
