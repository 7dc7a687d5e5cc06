/*
 * expand.c - the Taylor series of the motion and of its guards at a point.
 *
 * Coefficient k of the unknowns solves the equations of motion with everything below it
 * known, with the one factorisation of R_u there; the state follows by integration. The
 * first three coefficients of most guards are formulas, and cost much less.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "formula/series.h"
#include "hybrid/hybrid.h"

struct expansion {
    struct hybrid *core;
    struct mode_system *ms;
    struct series *motion, *guard;
    int order;
    double *coefficient[HYBRID_ORDER + 1];  /* (q, v, s) at each order */
    double *R_k;                            /* [unknowns] */
};

static void load_both(struct expansion *e, int block, int count, int k, const double *x)
{
    for (int i = 0; i < count; i++) {
        series_load(e->motion, block, i, k, x[i]);
        series_load(e->guard, block, i, k, x[i]);
    }
}

/* Coefficient k > 0 of the unknowns: R_k depends on them through R_u of the point alone,
   so one solve from zero finds them; an iterated residual sees them as mu, too, and takes
   some more. Then R_k is zero to rounding. */
static void unknowns(struct expansion *e, int k, double *a, double *lambda)
{
    enum { MOST = 30 };
    struct mode_system *ms = e->ms;
    double change = INFINITY, last = INFINITY;
    if (k > 0) {
        memset(a, 0, (size_t)e->core->model->n * sizeof *a);
        memset(lambda, 0, (size_t)e->core->model->m * sizeof *lambda);
    }
    for (int pass = 0; pass < MOST; pass++) {
        load_both(e, BLOCK_A, e->core->model->n, k, a);
        load_both(e, BLOCK_LAMBDA, ms->mode->m, k, lambda);
        if (ms->iterated)
            load_both(e, BLOCK_MU, ms->mode->m, k, lambda);
        series_run(e->motion, STAGE_UNKNOWN, k);
        bool done = !ms->iterated || !(change < last);
        if (k == 0 || (pass > 0 && done))
            return;
        last = change;
        for (int i = 0; i < ms->unknowns; i++)
            e->R_k[i] = series_output(e->motion, ms->at.R + i, k);
        change = system_correct(ms, e->R_k, a, lambda);
    }
}

/* Does anything that is asked for depend on what the equations have at order k? */
static bool needs_motion(const struct expansion *e, int k)
{
    return k < e->order || e->ms->guards_use_unknowns;
}

/* Coefficient k of everything, and the state's coefficient k + 1. */
static void raise_order(struct expansion *e, int k, double *a, double *lambda)
{
    struct hybrid *core = e->core;
    int n = core->model->n, ns = core->model->ns;
    const double *x = e->coefficient[k];
    double t = k == 0 ? core->t : k == 1;
    load_both(e, BLOCK_T, 1, k, &t);
    load_both(e, BLOCK_Q, n, k, x);
    load_both(e, BLOCK_V, n, k, x + n);
    load_both(e, BLOCK_S, ns, k, x + 2 * n);
    series_run(e->guard, STAGE_STATE, k);
    if (!needs_motion(e, k))
        return;
    series_run(e->motion, STAGE_STATE, k);
    unknowns(e, k, a, lambda);
    series_run(e->guard, STAGE_UNKNOWN, k);
    if (k == e->order)
        return;
    double *next = e->coefficient[k + 1];
    for (int i = 0; i < n; i++) {
        next[i] = x[n + i] / (k + 1);
        next[n + i] = a[i] / (k + 1);
    }
    for (int i = 0; i < ns; i++)
        next[2 * n + i] = series_output(e->motion, e->ms->at.f_s + i, k) / (k + 1);
}

/* The coefficients at `order` 0: the state, and the unknowns as solved there. */
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

/* The work space of a mode, with what depends on parameters alone, is made when it is
   first wanted. */
static void open_series(struct expansion *e)
{
    struct hybrid *core = e->core;
    struct mode_series *own = &core->series[e->ms->mode->index];
    if (!own->motion) {
        own->motion = series_new(e->ms->motion, HYBRID_ORDER);
        own->guard = series_new(e->ms->guard, HYBRID_ORDER);
    }
    e->motion = own->motion;
    e->guard = own->guard;
    if (own->set)
        return;
    own->set = true;
    series_init(e->motion);
    series_init(e->guard);
    load_both(e, BLOCK_RHO, core->model->p, 0, core->system->rho);
    series_run(e->motion, STAGE_RHO, 0);
    series_run(e->guard, STAGE_RHO, 0);
}

static enum status by_series(struct hybrid *core, const double *x, int order, double *c)
{
    struct mode_system *ms = core->system->now;
    int n = core->model->n, m = core->model->m, width = 2 * n + core->model->ns;
    struct expansion e = {.core = core, .ms = ms, .order = order};
    int room = (order + 1) * width + n + m + ms->unknowns;
    double *block = memory_new(room, sizeof *block);
    for (int k = 0; k <= order; k++)
        e.coefficient[k] = block + k * width;
    double *a = block + (order + 1) * width, *lambda = a + n;
    e.R_k = lambda + m;
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
        c[i * (HYBRID_ORDER + 1) + k] = core->r[i] / (k > 1 ? k : 1);
}

/* r, rd and rdd/2 as they are. Of guards on q, rd is there before anything is solved. */
static enum status by_rates(struct hybrid *core, const double *x, int order, double *c)
{
    struct system *system = core->system;
    struct mode_system *ms = system->now;
    int n = core->model->n;
    const double *v = x + n, *s = x + 2 * n;
    double *f_s = core->sides.f_s;
    system_guards(ms, core->t, x, v, s, NULL, NULL, core->r);
    keep_order(core, 0, c);
    if (order == 0)
        return OK;
    enum status status = OK;
    if (order > 1 || ms->rates.use_unknowns)
        status = system_solve(system, ms, core->t, x, v, s, system->a, system->lambda);
    if (status != OK)
        return status;
    const struct guard_point here = {core->t, x, v, s, system->a, system->lambda};
    guard_rates_at(&ms->rates, &here, core->r);
    keep_order(core, 1, c);
    if (order == 1)
        return OK;
    system_rates(ms, f_s, NULL);
    system_rate_of_unknowns(system, ms, v, f_s, system->a_dot, system->lambda_dot);
    const struct guard_point motion = {1, v, system->a, f_s, system->a_dot,
                                       system->lambda_dot};
    guard_rates_along(&ms->rates, &motion, core->r);
    keep_order(core, 2, c);
    return OK;
}

enum status hybrid_expand(struct hybrid *core, const double *x, int order, double *c)
{
    bool low = order <= 2 && !core->system->now->guards_use_unknowns;
    return low ? by_rates(core, x, order, c) : by_series(core, x, order, c);
}

void expand_init(struct hybrid *core)
{
    core->series = memory_new(core->model->modes, sizeof *core->series);
}

void expand_set(struct hybrid *core)
{
    for (int k = 0; k < core->model->modes; k++)
        core->series[k].set = false;
}

void expand_clear(struct hybrid *core)
{
    for (int k = 0; core->series && k < core->model->modes; k++) {
        series_free(core->series[k].motion);
        series_free(core->series[k].guard);
    }
    free(core->series);
}
