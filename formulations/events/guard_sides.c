/*
 * guard_sides.c - the side of each guard at the start of an arc, by deflation.
 *
 * After a reset the guard that fired is often zero, to rounding. Its side is the sign of
 * its first nonzero derivative along the new motion, from a Taylor expansion: a bouncing
 * ball leaves by the first, a rope that goes slack by the third. The root at the start is
 * then divided out of the first step (deflation).
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "events/hybrid.h"
#include "far_side.h"

enum { HIGHEST = HYBRID_ORDER };

/* --- nonzero coefficients ----------------------------------------------------------- */

/* Expands the guards with every component of the state moved by as much as it may be off.
   A coefficient smaller than its change by that error is zero as far as the run can
   tell. */
static enum status expand_disturbed(struct hybrid *core, bool start, int order, double *c)
{
    state_beside(core, start);
    return hybrid_guard_series(core, core->accuracy.beside, order, c);
}

/* --- sides -------------------------------------------------------------------------- */

/* A coefficient is nonzero beyond doubt if it is `beyond_doubt` times its possible
   error, and likely to be nonzero if it is `likely` times that error, which is an
   over-estimate. */
static const double beyond_doubt = 2, likely = 0.1;

/* The first order whose coefficient is nonzero beyond its error. -1 stands for none up to
   `order`: the guard vanishes identically as far as can be seen. */
static int first_order(const double *c, const double *disturbed, int order, double times)
{
    for (int k = 0; k <= order; k++)
        if (fabs(c[k]) > times * fabs(c[k] - disturbed[k]))
            return k;
    return -1;
}

static bool beyond(const struct event *event, double side)
{
    return event->direction != EITHER && side * (int)event->direction > 0;
}

/* Is the guard tied with one that has fired, but has not fired itself, and does it go on
   in the direction in which it came? */
static bool due(const struct hybrid *core, const struct event *event, double rate)
{
    const struct tied *tied = simultaneous_tied(core, event);
    return tied && !tied->fired && tied->event->direction == event->direction &&
           rate * tied->sign > 0;
}

/* Is a guard that is zero as far as the run can tell zero to rounding, or as far as times
   can be told apart? */
static bool is_zero_here(const struct hybrid *core, const double *c,
                         const double *disturbed)
{
    double rounding = fabs(c[0] - disturbed[0]) / run_accuracy(core) * zero_rounding;
    return fabs(c[0]) <= rounding || fabs(c[0]) <= time_resolution(core) * fabs(c[1]);
}

/* Guard k is zero as far as the run can tell. A guard that is truly zero fires at once,
   or has just been left; one that is not is crossed a moment later, or a moment ago. The
   status is PRECISION where the two cannot be told apart. */
static enum status certain(struct hybrid *core, int k, const double *c)
{
    if (!core->guard.watch[k].doubtful)
        return OK;
    return diagnose(
        core->diagnosis, PRECISION, core->t,
        "guard %s is %.3g after an event, which at rtol = %.3g cannot be told "
        "from zero: does it fire at once? Lower rtol",
        core->system->now->event[k]->name, c[0], core->request->rtol);
}

/* Lets guard k fire at once; GRAZING if its rate is zero. */
static enum status chain(struct hybrid *core, int k)
{
    const struct event *event = core->system->now->event[k];
    if (core->guard.watch[k].power > 1)
        return diagnose(core->diagnosis, GRAZING, core->t,
                        "guard %s is zero where the arc begins, and its rate, too",
                        event->name);
    core->guard.fires[k] = core->guard.watch[k].leading > 0 ? 1 : -1;
    return OK;
}

/* Refuses a start, or an event that leads into a mode, behind a guard of the mode. */
static enum status violated(const struct hybrid *core, const struct event *event,
                            bool start, double r)
{
    char text[120];
    formula_print(event->guard, core->model->names, text, sizeof text);
    return diagnose(core->diagnosis, GUARD_VIOLATED, core->t,
                    "%s%s%sguard %s is already on its far side: r = %s is %.6g; %s",
                    start ? "start of case " : "", start ? core->model->desc->name : "",
                    start ? ": " : "", event->name, text, r,
                    start ? "start on the other side, in the mode behind it, or watch "
                            "it in the other direction, or in either with a condition"
                          : "the mode entered should not watch it, or in the other "
                            "direction");
}

/* Is the guard the one that has fired, possibly watched in the other direction? Then the
   motion is driven back, or goes through where it must not. Another event of the same
   guard and direction follows the first one. */
static bool fires_again(const struct event *event, const struct event *fired)
{
    return fired && (event_shares_guard(event, fired) ||
                     (event->direction != fired->direction &&
                      same_formula(event->guard, fired->guard)));
}

/* Has the motion crossed this guard at this instant already, and does it only go on? */
static bool goes_on(const struct hybrid *core, const struct event *event, double side)
{
    int gone = core->simultaneous.gone[event->index];
    return side * gone > 0 && abs(gone) == GOES_ON;
}

/* Is the guard the one that has just fired, and zero to rounding of its terms? The test
   holds however slowly the guard was crossed. */
static bool rounding(const struct hybrid *core, const struct event *event,
                     const struct event *fired, double r)
{
    return fired && same_formula(event->guard, fired->guard) &&
           fabs(r) <= fired_rounding * core->guard.scale;
}

/* Was this guard on its far side before the event that led here, too? Then the motion has
   crossed the guard before, and comes back before it can cross again. The guard that has
   fired was on neither side. */
static bool was_far(const struct hybrid *core, const struct event *event,
                    const struct event *last)
{
    if (last && same_formula(event->guard, last->guard))
        return false;
    for (int k = 0; last && k < core->model->events; k++) {
        const struct event *before = core->model->event[k];
        if (core->simultaneous.far[k] && before->direction == event->direction &&
            same_formula(before->guard, event->guard))
            return true;
    }
    return false;
}

/* Is the far side of the guard a place where motions get to? Not so by the event that
   takes its own guard there. */
static bool is_open(const struct hybrid *core, const struct event *event,
                    const struct event *last)
{
    return event_far_is_open(core->model, event) &&
           !(last && same_formula(event->guard, last->guard));
}

/* Refuses guard k, no coefficient of which exceeds the error of the run. If a coefficient
   exceeds rounding, nothing is known of the guard (PRECISION); else the guard is zero
   along the motion (SLIDING). */
static enum status vanishing(struct hybrid *core, int k, const double *c)
{
    const struct event *event = core->system->now->event[k];
    double *rounded = core->guard.disturbed;
    enum status status = expand_disturbed(core, true, HIGHEST, rounded);
    if (status != OK)
        return status;
    if (first_order(c, rounded + k * (HIGHEST + 1), HIGHEST, beyond_doubt) >= 0)
        return diagnose(core->diagnosis, PRECISION, core->t,
                        "to which side guard %s leaves zero cannot be told at "
                        "rtol = %.3g; lower rtol", event->name, core->request->rtol);
    return diagnose(core->diagnosis, SLIDING, core->t,
                    "guard %s stays zero along the motion in mode %s", event->name,
                    event->from->name);
}

/* Does an event whose guard is zero at the start of the run happen there? */
static bool starts_with(const struct hybrid *core, const struct event *event, double side)
{
    return core->model->at_ends == AT_ENDS_HAPPEN &&
           (event->direction == EITHER || beyond(event, side));
}

/* Determines the side of guard k at the start of an arc. */
static enum status side_of(struct hybrid *core, int k, const double *c,
                           const double *disturbed, const struct event *last)
{
    const struct event *event = core->system->now->event[k];
    bool fired = fires_again(event, last);
    struct watch *watch = &core->guard.watch[k];
    int order = first_order(c, disturbed, HIGHEST, beyond_doubt);
    watch->value = c[0];
    watch->rate = c[1];
    watch->power = 0;
    watch->largest = watch->scale = 0;

    if (!isfinite(c[0])) {
        char text[120];
        formula_print(event->guard, core->model->names, text, sizeof text);
        return diagnose(core->diagnosis, NOT_FINITE, core->t, "guard %s, r = %s, is not "
                        "finite here", event->name, text);
    }
    if (order < 0)
        return vanishing(core, k, c);
    bool zero = order > 0 || fabs(c[0]) <= time_resolution(core) * fabs(c[1]) ||
                rounding(core, event, last, c[0]);
    if (!zero) {
        bool crossed = is_open(core, event, last) ||
                       (last ? was_far(core, event, last) : event->crossed);
        bool far = beyond(event, c[0]) && !crossed;
        return far ? violated(core, event, !last, c[0]) : OK;
    }
    if (!last && core->model->at_ends == AT_ENDS_REFUSED)
        return diagnose(core->diagnosis, EVENT_AT_END, core->t,
                        "guard %s is zero at the start; start on one side of it, or say "
                        "`at_ends: happen` or `at_ends: skip` in the model", event->name);
    /* A rate that is likely to be nonzero is divided out, or the rest of the root would
       be found again. */
    if (order > 1 && fabs(c[1]) > likely * fabs(c[1] - disturbed[1]))
        order = 1;
    if (order == 0)
        order = 1;
    watch->power = order;
    watch->leading = c[order];
    watch->doubtful = !is_zero_here(core, c, disturbed) &&
                      !rounding(core, event, last, c[0]);
    if (!last)
        return starts_with(core, event, c[order]) ? chain(core, k) : OK;
    if (order == 1 && due(core, event, c[1]))
        return chain(core, k);
    bool singular = event->direction == EITHER && order == 1 && c[0] * c[1] < 0;
    if (singular)
        return certain(core, k, c);
    if (!beyond(event, c[order]) || goes_on(core, event, c[order]))
        return OK;
    if (fired)
        return diagnose(core->diagnosis, SLIDING, core->t,
                        "after event %s the motion goes through its guard again at once "
                        "(derivative %d of r is %.6g)%s", last->name, order, c[order],
                        order == 1 && event_shares_guard(event, last)
                            ? "; if that is no obstacle but passed, watch it in either "
                              "direction, with a condition for the one that counts" : "");
    enum status status = certain(core, k, c);
    return status == OK ? chain(core, k) : status;
}

/* Expands the guards at core->x and beside it up to `order`. */
static enum status expand(struct hybrid *core, bool start, int order, double *c,
                          double *disturbed)
{
    enum status status = expand_disturbed(core, start, order, disturbed);
    return status == OK ? hybrid_guard_series(core, core->x, order, c) : status;
}

/* Has every guard a coefficient up to `order` that is nonzero beyond doubt? */
static bool all_seen(int guards, int order, const double *c, const double *disturbed)
{
    for (int k = 0; k < guards; k++)
        if (first_order(c + k * (HIGHEST + 1), disturbed + k * (HIGHEST + 1), order,
                        beyond_doubt) < 0)
            return false;
    return true;
}

enum status hybrid_guard_side(struct hybrid *core, const struct event *fired)
{
    struct mode_system *ms = core->system->now;
    memset(core->guard.fires, 0, (size_t)core->model->events * sizeof *core->guard.fires);
    if (ms->guards == 0)
        return OK;
    double *c = core->guard.expansion, *disturbed = core->guard.disturbed;
    /* At the start a refusal of the equations themselves comes first. */
    enum status status = fired ? OK : hybrid_solve(core, core->t, core->x);
    if (status == OK)
        status = expand(core, !fired, 1, c, disturbed);
    if (status == OK && !all_seen(ms->guards, 1, c, disturbed))
        status = expand(core, !fired, HIGHEST, c, disturbed);
    for (int k = 0; status == OK && k < ms->guards; k++)
        status = side_of(core, k, c + k * (HIGHEST + 1), disturbed + k * (HIGHEST + 1),
                         fired);
    return status;
}
