/*
 * kutta.c - a plug-in of test_plugin.c: an integrator.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

/* The last step, and room for stages; each [dim]. */
struct work {
    int dim;
    double h, *k, *y, *sum, *full, *x, *dx, *x_new, *dx_new;
};

static void *alloc(int dim)
{
    struct work *w = calloc(1, sizeof *w);
    double *all = calloc((size_t)(8 * dim + 1), sizeof *all);
    if (!w || !all)
        return NULL;
    *w = (struct work){dim, 0, all, all + dim, all + 2 * dim, all + 3 * dim,
                       all + 4 * dim, all + 5 * dim, all + 6 * dim, all + 7 * dim};
    return w;
}

static void release(void *work)
{
    free(((struct work *)work)->k);
    free(work);
}

static enum status kutta(struct work *w, const struct ode *ode, double t, double h,
                         const double *x, const double *dx, double *out)
{
    static const double node[] = {0.5, 0.5, 1}, weight[] = {2, 2, 1};
    memcpy(w->sum, dx, (size_t)w->dim * sizeof *dx);
    memcpy(w->k, dx, (size_t)w->dim * sizeof *dx);
    for (int stage = 0; stage < 3; stage++) {
        for (int i = 0; i < w->dim; i++)
            w->y[i] = x[i] + node[stage] * h * w->k[i];
        enum status status = ode->rhs(ode->context, t + node[stage] * h, w->y, w->k);
        if (status != OK)
            return status;
        for (int i = 0; i < w->dim; i++)
            w->sum[i] += weight[stage] * w->k[i];
    }
    for (int i = 0; i < w->dim; i++)
        out[i] = x[i] + h / 6 * w->sum[i];
    return OK;
}

/* Twice with h/2; the error from once with h (Richardson). */
static enum status step(void *work, const struct ode *ode, double t, double h,
                        const double *x, const double *dx, double *x_new, double *dx_new,
                        double *const *err)
{
    struct work *w = work;
    enum status status = kutta(w, ode, t, h, x, dx, w->full);
    if (status == OK)
        status = kutta(w, ode, t, h / 2, x, dx, w->x_new);
    if (status == OK)
        status = ode->rhs(ode->context, t + h / 2, w->x_new, w->dx_new);
    if (status == OK)
        status = kutta(w, ode, t + h / 2, h / 2, w->x_new, w->dx_new, x_new);
    if (status == OK)
        status = ode->rhs(ode->context, t + h, x_new, dx_new);
    for (int i = 0; status == OK && i < w->dim; i++)
        err[0][i] = (x_new[i] - w->full[i]) / 15;
    w->h = h;
    memcpy(w->x, x, (size_t)w->dim * sizeof *x);
    memcpy(w->dx, dx, (size_t)w->dim * sizeof *x);
    memcpy(w->x_new, x_new, (size_t)w->dim * sizeof *x);
    memcpy(w->dx_new, dx_new, (size_t)w->dim * sizeof *x);
    return status;
}

static double combine(const double *norm)
{
    return norm[0];
}

static enum status prepare(void *work, const struct ode *ode)
{
    (void)work;
    (void)ode;
    return OK;
}

/* Hermite's cubic. */
static void dense(const void *work, double theta, int first, int count, double *x)
{
    const struct work *w = work;
    double s = 1 - theta;
    for (int i = first; i < first + count; i++)
        x[i - first] = s * s * (1 + 2 * theta) * w->x[i] +
                       theta * theta * (1 + 2 * s) * w->x_new[i] +
                       w->h * theta * s * (s * w->dx[i] - theta * w->dx_new[i]);
}

static const struct integrator kutta4 = {
    .name = "kutta4", .title = "Runge-Kutta 4, step doubling", .source = "Kutta 1901",
    .order = 4, .errors = 1, .evaluations = 12, .alloc = alloc, .release = release,
    .step = step, .combine = combine, .prepare = prepare, .dense = dense,
    .dense_order = 3,
};

SALTUS_PLUGIN(kutta, .integrators = (const struct integrator *const []){&kutta4, NULL});
