/*
 * guard_series.c - Taylor series of the motion and its guards at a point.
 *
 * The first three coefficients of most guards are formulas, which cost much less than a
 * series of the motion (motion_series.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "equations/motion_series.h"
#include "events/hybrid.h"
#include "program/series.h"

struct expansion {
    struct hybrid *core;
    struct mode_system *ms;
    struct motion_series *motion;
    struct series *guard;
    int order;
    double *coefficient[HYBRID_ORDER + 1];  /* (q, v, s) at each order */
    double *rates;                          /* [ns + nz] */
};

static void load(struct expansion *e, int block, int count, int k, const double *x)
{
    for (int i = 0; i < count; i++)
        series_load(e->guard, block, i, k, x[i]);
}

/* Does any coefficient that is asked for depend on the equations at order k? */
static bool needs_motion(const struct expansion *e, int k)
{
    return k < e->order || e->ms->guards_use_unknowns;
}

/* Finds coefficient k of all quantities, and coefficient k + 1 of the state. */
static void raise_order(struct expansion *e, int k, double *a, double *lambda)
{
    struct hybrid *core = e->core;
    int n = core->model->n, ns = core->model->ns;
    const double *x = e->coefficient[k];
    load(e, BLOCK_T, 1, k, &(double){k == 0 ? core->t : k == 1});
    load(e, BLOCK_Q, n, k, x);
    load(e, BLOCK_V, n, k, x + n);
    load(e, BLOCK_S, ns, k, x + 2 * n);
    series_run(e->guard, STAGE_STATE, k);
    if (!needs_motion(e, k))
        return;
    motion_series_raise(e->motion, core->t, k, x, a, lambda);
    load(e, BLOCK_A, n, k, a);
    load(e, BLOCK_LAMBDA, e->ms->mode->m, k, lambda);
    series_run(e->guard, STAGE_UNKNOWN, k);
    if (k == e->order)
        return;
    double *next = e->coefficient[k + 1];
    motion_series_rates(e->motion, k, e->rates);
    for (int i = 0; i < n; i++) {
        next[i] = x[n + i] / (k + 1);
        next[n + i] = a[i] / (k + 1);
    }
    for (int i = 0; i < ns; i++)
        next[2 * n + i] = e->rates[i] / (k + 1);
}

/* Sets the coefficients of order 0: the state, and the unknowns as solved there. */
static enum status begin(struct expansion *e, const double *x, double *a, double *lambda)
{
    struct hybrid *core = e->core;
    struct system *system = core->system;
    int n = core->model->n, m = core->model->m, ns = core->model->ns;
    enum status status = system_factor(system, e->ms, core->t, x, x + n, x + 2 * n,
                                       system->a, system->lambda);
    if (status != OK)
        return status;
    memcpy(e->coefficient[0], x, (size_t)(2 * n + ns) * sizeof(double));
    memcpy(a, system->a, (size_t)n * sizeof *a);
    memcpy(lambda, system->lambda, (size_t)m * sizeof *lambda);
    return OK;
}

/* Makes the series of a mode at first use, and loads the parameters once a run. */
static void open_series(struct expansion *e)
{
    struct hybrid *core = e->core;
    struct guard_series *own = &core->guard.series[e->ms->mode->index];
    e->motion = system_motion_series(core->system, e->ms, HYBRID_ORDER);
    if (!own->guard) {
        own->guard = series_new(e->ms->guard, HYBRID_ORDER);
        series_init(own->guard);
    }
    e->guard = own->guard;
    if (own->set)
        return;
    own->set = true;
    load(e, BLOCK_RHO, core->model->p, 0, core->system->rho);
    series_run(e->guard, STAGE_RHO, 0);
}

static enum status by_series(struct hybrid *core, const double *x, int order, double *c)
{
    struct mode_system *ms = core->system->now;
    int n = core->model->n, m = core->model->m, width = 2 * n + core->model->ns;
    struct expansion e = {.core = core, .ms = ms, .order = order};
    int room = (order + 1) * width + n + m + core->model->ns + core->model->nz;
    double *block = memory_new(room, sizeof *block);
    for (int k = 0; k <= order; k++)
        e.coefficient[k] = block + k * width;
    double *a = block + (order + 1) * width, *lambda = a + n;
    e.rates = lambda + m;
    open_series(&e);
    enum status status = begin(&e, x, a, lambda);
    for (int k = 0; status == OK && k <= order; k++)
        raise_order(&e, k, a, lambda);
    for (int i = 0; status == OK && i < ms->guards; i++)
        for (int k = 0; k <= order; k++)
            c[i * (HYBRID_ORDER + 1) + k] = series_output(e.guard, i, k);
    free(block);
    return status;
}

/* --- low orders --------------------------------------------------------------------- */

static void keep_order(const struct hybrid *core, int k, double *c)
{
    for (int i = 0; i < core->system->now->guards; i++)
        c[i * (HYBRID_ORDER + 1) + k] = core->guard.r[i] / (k > 1 ? k : 1);
}

/* r, rd and rdd/2 by their formulas. A guard on q has rd without any solution. */
static enum status by_rates(struct hybrid *core, const double *x, int order, double *c)
{
    struct system *system = core->system;
    struct mode_system *ms = system->now;
    int n = core->model->n;
    const double *v = x + n, *s = x + 2 * n;
    double *f_s = core->sides.f_s;
    hybrid_guards(core, core->t, x);
    keep_order(core, 0, c);
    if (order == 0)
        return OK;
    enum status status = OK;
    if (order > 1 || ms->rates.use_unknowns)
        status = hybrid_solve(core, core->t, x);
    if (status != OK)
        return status;
    const struct guard_point here = {core->t, x, v, s, system->a, system->lambda};
    guard_rates_at(&ms->rates, &here, core->guard.r);
    keep_order(core, 1, c);
    if (order == 1)
        return OK;
    system_rates(ms, f_s, NULL);
    system_rate_of_unknowns(system, ms, v, f_s, system->a_dot, system->lambda_dot);
    const struct guard_point motion = {1, v, system->a, f_s, system->a_dot,
                                       system->lambda_dot};
    guard_rates_along(&ms->rates, &motion, core->guard.r);
    keep_order(core, 2, c);
    return OK;
}

enum status hybrid_guard_series(struct hybrid *core, const double *x, int order,
                                double *c)
{
    bool low = order <= 2 && !core->system->now->guards_use_unknowns;
    return low ? by_rates(core, x, order, c) : by_series(core, x, order, c);
}

void guard_series_init(struct hybrid *core)
{
    core->guard.series = arena_new(&core->kept, core->model->modes,
                                   sizeof *core->guard.series);
}

void guard_series_set(struct hybrid *core)
{
    for (int k = 0; k < core->model->modes; k++)
        core->guard.series[k].set = false;
}

void guard_series_clear(struct hybrid *core)
{
    for (int k = 0; core->guard.series && k < core->model->modes; k++)
        series_free(core->guard.series[k].guard);
}
