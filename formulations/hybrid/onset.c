/*
 * onset.c - on which side of its guards does an arc start?
 *
 * After a reset the guard that fired is often zero, to rounding. Its side is the sign of
 * its first nonzero derivative along the new motion, from a Taylor expansion: a bouncing
 * ball leaves by the first, a rope that goes slack by the third. The root at the start is
 * then divided out of the first step.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "formula/series.h"
#include "hybrid/hybrid.h"

enum { HIGHEST = 6 };

double uncertainty(const struct hybrid *core)
{
    return 1e3 * core->request->rtol + 1e-13;
}

/* --- Taylor expansion of the motion and its guards ---------------------------------- */

struct expansion {
    struct hybrid *core;
    struct mode_system *ms;
    struct series *motion, *guard;
    double *coefficient[HIGHEST + 1];       /* (q, v, s) at each order */
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
        if (k == 0 || (pass > 0 && !ms->iterated) || !(change < last))
            return;
        last = change < INFINITY ? change : last;
        for (int i = 0; i < ms->unknowns; i++)
            e->R_k[i] = series_output(e->motion, ms->at.R + i, k);
        change = system_correct(ms, e->R_k, a, lambda);
    }
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
    series_run(e->motion, STAGE_STATE, k);
    series_run(e->guard, STAGE_STATE, k);
    unknowns(e, k, a, lambda);
    series_run(e->guard, STAGE_UNKNOWN, k);
    if (k == HIGHEST)
        return;
    double *next = e->coefficient[k + 1];
    for (int i = 0; i < n; i++) {
        next[i] = x[n + i] / (k + 1);
        next[n + i] = a[i] / (k + 1);
    }
    for (int i = 0; i < ns; i++)
        next[2 * n + i] = series_output(e->motion, e->ms->at.f_s + i, k) / (k + 1);
}

/* Taylor coefficients of every guard along the motion from x: c [guards][HIGHEST + 1]. */
static enum status expand(struct hybrid *core, const double *x, double *c)
{
    struct mode_system *ms = core->system->now;
    int n = core->model->n, m = core->model->m, ns = core->model->ns;
    struct expansion e = {.core = core, .ms = ms};
    double *a = core->system->a, *lambda = core->system->lambda;
    enum status status = system_solve(core->system, ms, core->t, x, x + n, x + 2 * n, a,
                                      lambda);
    if (status != OK)
        return status;
    a = memory_new(n, sizeof *a);
    lambda = memory_new(m, sizeof *lambda);
    e.R_k = memory_new(ms->unknowns, sizeof *e.R_k);
    e.motion = series_new(ms->motion, HIGHEST);
    e.guard = series_new(ms->guard, HIGHEST);
    series_init(e.motion);
    series_init(e.guard);
    load_both(&e, BLOCK_RHO, core->model->p, 0, core->system->rho);
    series_run(e.motion, STAGE_RHO, 0);
    series_run(e.guard, STAGE_RHO, 0);
    for (int k = 0; k <= HIGHEST; k++)
        e.coefficient[k] = memory_new(2 * n + ns, sizeof(double));
    memcpy(e.coefficient[0], x, (size_t)(2 * n + ns) * sizeof(double));
    memcpy(a, core->system->a, (size_t)n * sizeof *a);
    memcpy(lambda, core->system->lambda, (size_t)m * sizeof *lambda);

    for (int k = 0; k <= HIGHEST; k++)
        raise_order(&e, k, a, lambda);
    for (int i = 0; i < ms->guards; i++)
        for (int k = 0; k <= HIGHEST; k++)
            c[i * (HIGHEST + 1) + k] = series_output(e.guard, i, k);
    for (int k = 0; k <= HIGHEST; k++)
        free(e.coefficient[k]);
    free(e.R_k);
    series_free(e.motion);
    series_free(e.guard);
    free(a);
    free(lambda);
    return OK;
}

/* How far component i is moved, in (1/2, 1) up or down: irregularly, because a regular
   pattern leaves guards like x1 - x2 or x1 + x2 where they are. */
static double irregular(int i)
{
    double f = fmod((i + 1) * 0.7548776662466927, 1);
    return f < 0.5 ? -1 + f : f;
}

/* At the start nothing has been integrated yet. */
static double disturbance(const struct hybrid *core)
{
    return core->out->events == 0 ? fmin(1e-12, uncertainty(core)) : uncertainty(core);
}

/* What an error of the state within the uncertainty does to the coefficients: the same
   expansion with every component moved by it. Coefficients below what that changes are
   zero as far as the run can tell. */
static enum status expand_disturbed(struct hybrid *core, double *c)
{
    const int size[3] = {core->model->n, core->model->n, core->model->ns};
    int count = size[0] + size[1] + size[2], i = 0;
    double *x = memory_new(count, sizeof *x);
    for (int group = 0; group < 3; group++) {
        double largest = 0;
        for (int k = 0; k < size[group]; k++)
            largest = fmax(largest, fabs(core->x[i + k]));
        for (int k = 0; k < size[group]; k++, i++)
            x[i] = core->x[i] + irregular(i) * disturbance(core) * largest;
    }
    enum status status = expand(core, x, c);
    free(x);
    return status;
}

/* --- sides -------------------------------------------------------------------------- */

/* The first order whose coefficient is there beyond doubt. -1: the guard vanishes
   identically as far as can be seen. */
static int first_order(const double *c, const double *disturbed)
{
    for (int k = 0; k <= HIGHEST; k++)
        if (fabs(c[k]) > 2 * fabs(c[k] - disturbed[k]))
            return k;
    return -1;
}

static bool beyond(const struct event *event, double side)
{
    return event->direction != EITHER && side * (int)event->direction > 0;
}

/* Guard k is zero as far as the run can tell, but is it? Then it fires at once, or has
   just been left; else it is crossed a moment later, or a moment ago. */
static enum status certain(struct hybrid *core, int k, const double *c,
                           const double *disturbed)
{
    double rounding = fabs(c[0] - disturbed[0]) / uncertainty(core) * 1e-13;
    if (fabs(c[0]) <= rounding || fabs(c[0]) <= time_resolution(core) * fabs(c[1]))
        return OK;
    return diagnose(
        core->diagnosis, PRECISION, core->t,
        "guard %s is %.3g after an event, which at rtol = %.3g cannot be told "
        "from zero: does it fire at once? Lower rtol",
        core->system->now->event[k]->name, c[0], core->request->rtol);
}

/* Guard k fires at once. */
static enum status chain(struct hybrid *core, int k, int *chained)
{
    const struct event *event = core->system->now->event[k];
    if (*chained >= 0)
        return diagnose(core->diagnosis, SIMULTANEOUS, core->t,
                        "guards %s and %s both fire at once after an event",
                        core->system->now->event[*chained]->name, event->name);
    if (core->watch[k].power > 1)
        return diagnose(core->diagnosis, GRAZING, core->t,
                        "guard %s fires at once after an event, with rate zero",
                        event->name);
    *chained = k;
    return OK;
}

/* At the start, or where an event leads into a mode whose guard has been passed. */
static enum status violated(const struct hybrid *core, const struct event *event, double r)
{
    char text[120];
    bool start = core->out->events == 0;
    formula_print(event->guard, core->model->names, text, sizeof text);
    return diagnose(core->diagnosis, GUARD_VIOLATED, core->t,
                    "%s%s%sguard %s is already on its far side: r = %s is %.6g; %s",
                    start ? "start of case " : "", start ? core->model->desc->name : "",
                    start ? ": " : "", event->name, text, r,
                    start ? "start on the other side, or in the mode behind it"
                          : "the mode entered should not watch it");
}

/* Is it the guard that has fired, or the same one watched in the other direction? Then
   the motion is driven back. In the same direction one event follows the other. */
static bool fires_again(const struct event *event, const struct event *fired)
{
    return event == fired || (fired && event->direction != fired->direction &&
                              same_formula(event->guard, fired->guard));
}

/* One guard at the start of an arc. */
static enum status side_of(struct hybrid *core, int k, const double *c,
                           const double *disturbed, bool fired, int *chained)
{
    const struct event *event = core->system->now->event[k];
    struct watch *watch = &core->watch[k];
    int order = first_order(c, disturbed);
    watch->value = c[0];
    watch->power = 0;
    watch->largest = 0;

    if (order < 0)
        return diagnose(core->diagnosis, SLIDING, core->t,
                        "guard %s stays zero along the motion in mode %s", event->name,
                        event->from->name);
    bool zero = order > 0 || fabs(c[0]) <= time_resolution(core) * fabs(c[1]);
    if (!zero) {
        return beyond(event, c[0]) ? violated(core, event, c[0]) : OK;
    }
    if (core->out->events == 0)
        return diagnose(core->diagnosis, EVENT_AT_END, core->t,
                        "guard %s is zero at the start; start on one side of it",
                        event->name);
    if (order == 0)
        order = 1;
    watch->power = order;
    watch->leading = c[order];
    bool ahead = event->direction == EITHER && order == 1 && c[0] * c[1] < 0;
    if (ahead)
        return certain(core, k, c, disturbed);
    if (!beyond(event, c[order]))
        return OK;
    if (fired)
        return diagnose(core->diagnosis, SLIDING, core->t,
                        "after event %s the motion goes through its guard again at once "
                        "(derivative %d of r is %.6g)", event->name, order, c[order]);
    enum status status = certain(core, k, c, disturbed);
    return status == OK ? chain(core, k, chained) : status;
}

enum status hybrid_onset(struct hybrid *core, const struct event *fired, int *chained)
{
    struct mode_system *ms = core->system->now;
    *chained = -1;
    if (ms->guards == 0)
        return OK;
    double *c = memory_new(2 * ms->guards * (HIGHEST + 1), sizeof *c);
    double *disturbed = c + ms->guards * (HIGHEST + 1);
    enum status status = expand_disturbed(core, disturbed);
    if (status == OK)
        status = expand(core, core->x, c);
    for (int k = 0; status == OK && k < ms->guards; k++)
        status = side_of(core, k, c + k * (HIGHEST + 1), disturbed + k * (HIGHEST + 1),
                         fires_again(ms->event[k], fired), chained);
    free(c);
    return status;
}
