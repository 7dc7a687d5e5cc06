/*
 * onset.c - on which side of its guards does an arc start?
 *
 * After a reset the guard that fired is often zero, to rounding. Its side is the sign of
 * its first nonzero derivative along the new motion, from a Taylor expansion: a bouncing
 * ball leaves by the first, a rope that goes slack by the third. The root at the start is
 * then divided out of the first step.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "hybrid/hybrid.h"
#include "largest.h"

enum { HIGHEST = HYBRID_ORDER };

double uncertainty(const struct hybrid *core)
{
    return 1e3 * core->request->rtol + 1e-13;
}

/* --- which coefficients are there --------------------------------------------------- */

/* How far component i is moved, in (1/2, 1) up or down: irregularly, because a regular
   pattern leaves guards like x1 - x2 or x1 + x2 where they are. */
static double irregular(int i)
{
    double f = (i + 1) * 0.7548776662466927;
    f -= (int)f;
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
static enum status expand_disturbed(struct hybrid *core, int order, double *c)
{
    const int size[3] = {core->model->n, core->model->n, core->model->ns};
    int i = 0;
    double *x = core->beside, off = disturbance(core);
    for (int group = 0; group < 3; group++) {
        double largest = 0;
        for (int k = 0; k < size[group]; k++)
            largest = larger(largest, fabs(core->x[i + k]));
        for (int k = 0; k < size[group]; k++, i++)
            x[i] = core->x[i] + irregular(i) * off * largest;
    }
    return hybrid_expand(core, x, order, c);
}

/* --- sides -------------------------------------------------------------------------- */

/* The first order whose coefficient is there beyond doubt. -1: none, up to `order`; the
   guard vanishes identically as far as can be seen. */
static int first_order(const double *c, const double *disturbed, int order)
{
    for (int k = 0; k <= order; k++)
        if (fabs(c[k]) > 2 * fabs(c[k] - disturbed[k]))
            return k;
    return -1;
}

static bool beyond(const struct event *event, double side)
{
    return event->direction != EITHER && side * (int)event->direction > 0;
}

/* A guard that is tied with one that has fired, but has not fired itself, and goes on in
   the direction in which it came. */
static bool due(const struct hybrid *core, const struct event *event, double rate)
{
    const struct tied *tied = instant_tied(core, event);
    return tied && !tied->fired && tied->event->direction == event->direction &&
           rate * tied->sign > 0;
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
static enum status chain(struct hybrid *core, int k)
{
    const struct event *event = core->system->now->event[k];
    if (core->watch[k].power > 1)
        return diagnose(core->diagnosis, GRAZING, core->t,
                        "guard %s fires at once after an event, with rate zero",
                        event->name);
    core->fires[k] = core->watch[k].leading > 0 ? 1 : -1;
    return OK;
}

/* At the start, or where an event leads into a mode whose guard has been passed. */
static enum status violated(const struct hybrid *core, const struct event *event,
                            double r)
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

/* The guard that has just fired is zero to rounding of what it was made of, however
   slowly it was crossed. */
static bool rounding(const struct hybrid *core, const struct event *event,
                     const struct event *fired, double r)
{
    return fired && same_formula(event->guard, fired->guard) &&
           fabs(r) <= 64 * DBL_EPSILON * core->event_scale;
}

/* One guard at the start of an arc. */
static enum status side_of(struct hybrid *core, int k, const double *c,
                           const double *disturbed, const struct event *last)
{
    const struct event *event = core->system->now->event[k];
    bool fired = fires_again(event, last);
    struct watch *watch = &core->watch[k];
    int order = first_order(c, disturbed, HIGHEST);
    watch->value = c[0];
    watch->rate = c[1];
    watch->power = 0;
    watch->largest = watch->scale = 0;

    if (order < 0)
        return diagnose(core->diagnosis, SLIDING, core->t,
                        "guard %s stays zero along the motion in mode %s", event->name,
                        event->from->name);
    bool zero = order > 0 || fabs(c[0]) <= time_resolution(core) * fabs(c[1]) ||
                rounding(core, event, last, c[0]);
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
    if (order == 1 && due(core, event, c[1]))
        return chain(core, k);
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
    return status == OK ? chain(core, k) : status;
}

/* Both expansions up to `order`. */
static enum status expand(struct hybrid *core, int order, double *c, double *disturbed)
{
    enum status status = expand_disturbed(core, order, disturbed);
    return status == OK ? hybrid_expand(core, core->x, order, c) : status;
}

/* Has every guard a coefficient up to `order` that is there? */
static bool all_seen(int guards, int order, const double *c, const double *disturbed)
{
    for (int k = 0; k < guards; k++)
        if (first_order(c + k * (HIGHEST + 1), disturbed + k * (HIGHEST + 1), order) < 0)
            return false;
    return true;
}

enum status hybrid_onset(struct hybrid *core, const struct event *fired)
{
    struct mode_system *ms = core->system->now;
    memset(core->fires, 0, (size_t)core->model->events * sizeof *core->fires);
    if (ms->guards == 0)
        return OK;
    double *c = core->expansion, *disturbed = core->disturbed;
    /* At the start: where there is no motion, that is what is wrong. */
    enum status status = fired ? OK : hybrid_solve(core, core->t, core->x);
    if (status == OK)
        status = expand(core, 1, c, disturbed);
    if (status == OK && !all_seen(ms->guards, 1, c, disturbed))
        status = expand(core, HIGHEST, c, disturbed);
    for (int k = 0; status == OK && k < ms->guards; k++)
        status = side_of(core, k, c + k * (HIGHEST + 1), disturbed + k * (HIGHEST + 1),
                         fired);
    return status;
}
