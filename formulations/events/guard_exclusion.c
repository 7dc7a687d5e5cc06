/*
 * guard_exclusion.c - guard exclusion by cubic Hermite bounds: a step that is clear of
 * every guard, or on which one guard certainly crosses once, need not be looked through.
 *
 * To look through a step (guard_roots.c) takes evaluations of the right-hand side for the
 * dense output and twenty values of each guard; most steps are nowhere near a root. Here
 * a guard is replaced by the cubic Hermite polynomial H with its values and rates at both
 * ends. The Bernstein coefficients of H bound H: if they have one sign, so has H, and H
 * is further from zero than the least of them. If the coefficients of H' have one sign, H
 * is monotone, and has at most one zero.
 *
 * How far is the guard from H? A quartic polynomial differs from H by c theta^2 (1 -
 * theta)^2, at most c/16, and in its rate by at most c/(3 sqrt(3)). Stages of the method
 * are states inside the step, at no regular places and more accurate than H; there the
 * difference is known, and with it c. The difference must be small against the distance
 * of H from zero, or against the least slope of H. A guard that varies faster than the
 * motion (sin(40 t) on a free particle) has rates that take the coefficients across zero,
 * or differs from H at the stages by much more than that, unless it is near one height at
 * four places and steep at none. Steps with such guards, and steps without states inside,
 * are looked through.
 */
#include <math.h>

#include "events/hybrid.h"
#include "simd/one_row.h"

#include "events/exclusion_kernel.h"

/* --- the polynomial ----------------------------------------------------------------- */

static inline void take_shape(const struct watch *watch, double h, struct shape *shape)
{
    shape->from_root = watch->power > 0;
    one_shape(h, watch->value, watch->rate, watch->end, watch->end_rate,
              shape->from_root, watch->leading, shape->b);
}

static double shape_value(const struct shape *shape, double theta)
{
    return SHAPE_VALUE(shape->b, theta, 1 - theta);
}

/* The largest distance of the guard from H for which the guard keeps one sign; 0 if H
   itself does not. */
static inline double room_above_zero(const struct shape *shape)
{
    return one_distance(shape->b, 4);
}

/* The largest distance of the guard from H for which the guard is monotone. */
static double room_to_rise(const struct shape *shape)
{
    static const double steepest = 16 / (3 * 1.7320508075688772);   /* rate of
                                                                       one_share */
    const double *b = shape->b;
    const double rise[3] = {3 * (b[1] - b[0]), 3 * (b[2] - b[1]), 3 * (b[3] - b[2])};
    return one_distance(rise, 3) / steepest;
}

static inline double height(const struct watch *watch, double h)
{
    return one_height(h, watch->value, watch->rate, watch->end, watch->end_rate);
}

/* --- at the ends of the step -------------------------------------------------------- */

/* Does guard k, monotone on a step with these ends, fire on the step? */
static bool fires(const struct hybrid *core, int k)
{
    const struct watch *watch = &core->guard.watch[k];
    int direction = core->system->now->event[k]->direction;
    return watch->power == 0 && watch->value * watch->end < 0 &&
           watch->end * direction >= 0;
}

/* Sets the ends, H and the room of every guard from the monitors at the end of the step,
   and core->guard.sure if one guard fires. False: the ends leave a root possible. */
static bool sure_at_ends(struct hybrid *core, double h)
{
    const struct step_monitors *monitors = &core->system->now->monitors;
    bool sure = !core->system->now->guards_use_unknowns;
    for (int k = 0; k < monitors->guards; k++) {
        struct watch *watch = &core->guard.watch[k];
        struct shape *shape = &watch->shape;
        watch->end = monitors->r[k];
        watch->end_rate = monitors->rd[k];
        take_shape(watch, h, shape);
        watch->room = watch->power > 1 ? 0 : room_above_zero(shape);
        if (!(watch->room > 0) && core->guard.sure < 0 && fires(core, k)) {
            watch->room = room_to_rise(shape);
            core->guard.sure = k;
        }
        sure &= watch->room > 0;
    }
    return sure;
}

/* Sets the ends, H and the room of the monitors of edges. An edge is excluded, too, if
   the formula beside its monitor is clear of zero, and positive. */
static bool edges_at_ends(struct hybrid *core, double h)
{
    const struct step_monitors *monitors = &core->system->now->monitors;
    struct watch *watch = core->guard.watch + core->system->now->guards -
                          monitors->guards;
    bool sure = true;
    for (int k = monitors->guards; k < monitors->rows; k++) {
        watch[k].end = monitors->r[k];
        watch[k].end_rate = monitors->rd[k];
        take_shape(&watch[k], h, &watch[k].shape);
        watch[k].room = room_above_zero(&watch[k].shape);
    }
    for (int k = 0; k < monitors->edges; k++) {
        const struct watch *beside = monitors->beside[k] < 0
                                         ? NULL
                                         : &watch[monitors->beside[k]];
        sure &= watch[monitors->guards + k].room > 0 ||
                (beside && beside->room > 0 && beside->end > 0);
    }
    return sure;
}

/* --- inside the step ---------------------------------------------------------------- */

/* Evaluates the rows of step_monitors.h at state i inside the step, into r; theta[i] is
   the place of that state, as a part of the step. */
static inline void look_inside(const struct hybrid *core, double h, int i, double *theta,
                               double *r)
{
    const double *x = core->integrator->inside(core->method, i, &theta[i]);
    system_guard_values(core->system->now, core->t + theta[i] * h, x, r);
}

static void look_at_inside(const struct hybrid *core, double h, double *theta)
{
    double *r = core->guard.r;
    for (int i = 0; i < STATES_INSIDE; i++, r += core->system->now->monitors.rows)
        look_inside(core, h, i, theta, r);
}

/* Is row k, the row of `watch`, as near to H inside the step as it has to be? */
static inline bool is_near(const struct hybrid *core, const struct watch *watch,
                           const double *theta, int k)
{
    const struct shape *shape = &watch->shape;
    const double *r = core->guard.r + k;
    bool near = true;
    UNROLL
    for (int i = 0; i < STATES_INSIDE; i++, r += core->system->now->monitors.rows)
        near &= one_is_near(shape->b, shape->from_root, watch->room, theta[i], *r);
    return near;
}

static bool sure_inside(const struct hybrid *core, const double *theta)
{
    for (int k = 0; k < core->system->now->monitors.guards; k++)
        if (!is_near(core, &core->guard.watch[k], theta, k))
            return false;
    return true;
}

static bool edges_inside(const struct hybrid *core, const double *theta)
{
    const struct step_monitors *monitors = &core->system->now->monitors;
    const struct watch *watch = core->guard.watch + core->system->now->guards -
                                monitors->guards;
    for (int k = 0; k < monitors->edges; k++) {
        int own = monitors->guards + k,
            row = watch[own].room > 0 ? own : monitors->beside[k];
        if (!is_near(core, &watch[row], theta, row))
            return false;
    }
    return true;
}

/* --- a crossing beyond doubt -------------------------------------------------------- */

static double shape_slope(const struct shape *shape, double theta)
{
    const double *b = shape->b;
    double back = 1 - theta;
    return 3 * (back * back * (b[1] - b[0]) + 2 * back * theta * (b[2] - b[1]) +
                theta * theta * (b[3] - b[2]));
}

/* The root of the monotone H: Newton's method, bisecting where an iterate would leave the
   bracket, until the number of right digits, doubled each time, is full. */
static double root_of(const struct shape *shape)
{
    const double *b = shape->b;
    double low = 0, high = 1, theta = b[0] / (b[0] - b[3]), moved = 1;
    for (int k = 0; k < 8 && fabs(moved) > cubic_half; k++) {
        double value = shape_value(shape, theta), from = theta;
        *(value * b[0] > 0 ? &low : &high) = theta;
        theta -= value / shape_slope(shape, theta);
        if (!(theta >= low && theta <= high))
            theta = (low + high) / 2;
        moved = theta - from;
    }
    return theta;
}

static double share(const struct shape *shape, double theta)
{
    return one_share(shape->from_root, theta);
}

/* The difference of guard k from H at stage i, as a part of its maximum. */
static double difference(const struct hybrid *core, double h, int k, int i, double *theta)
{
    const struct shape *shape = &core->guard.watch[k].shape;
    look_inside(core, h, i, theta, core->guard.r);
    return (core->guard.r[k] - shape_value(shape, theta[i])) / share(shape, theta[i]);
}

/* The root of guard k, whose difference from H is taken as linear between the stages:
   Newton's method from the root of H, with the slope of H. */
static double root_between(const struct hybrid *core, double h, int k)
{
    const struct shape *shape = &core->guard.watch[k].shape;
    double inside[STATES_INSIDE], begin = root_of(shape), theta = begin;
    double c = difference(core, h, k, 0, inside);
    double rise = (difference(core, h, k, 1, inside) - c) / (inside[1] - inside[0]);
    for (int i = 0; i < 3; i++) {
        double apart = (c + rise * (theta - inside[0])) * share(shape, theta);
        theta -= (shape_value(shape, theta) + apart) / shape_slope(shape, theta);
    }
    return theta > 0 && theta < 1 ? theta : begin;
}

/* Sets the results that guard_roots.c would leave. */
static void note_crossing(struct hybrid *core, double h)
{
    for (int k = 0; k < core->system->now->guards; k++) {
        const struct shape *shape = &core->guard.watch[k].shape;
        core->guard.root[k] = k == core->guard.sure ? root_between(core, h, k) : NAN;
        core->guard.watch[k].largest = height(&core->guard.watch[k], h);
        core->guard.value[k * (BERNSTEIN_POINTS + BERNSTEIN_CHECKS)] = shape->b[0];
    }
}

static void note_scales(struct hybrid *core, double h)
{
    int guards = core->system->now->guards;
    for (int k = 0; k < guards; k++) {
        struct watch *watch = &core->guard.watch[k];
        double size = k == core->guard.sure ? fabs(watch->value) : height(watch, h);
        watch->scale = size > watch->scale ? size : watch->scale;
    }
}

/* Does interval arithmetic leave a fast guard a zero on the step? The states at the ends
   and stages span a box, which is widened by half for the states between them. */
static bool may_vanish(struct hybrid *core, double h)
{
    struct guard_bounds *bounds = &core->system->now->bounds;
    if (bounds->count == 0)
        return false;
    state_box_begin(&bounds->of.box);
    state_box_add(&bounds->of.box, core->t, core->x);
    state_box_add(&bounds->of.box, core->t + h, core->step.x_new);
    for (int i = 0; i < STATES_INSIDE; i++) {
        double theta;
        const double *x = core->integrator->inside(core->method, i, &theta);
        state_box_add(&bounds->of.box, core->t + theta * h, x);
    }
    state_box_widen(&bounds->of.box, 0.5);
    formula_bounds_evaluate(&bounds->of);
    for (int i = 0; i < bounds->count; i++)
        if (!bounds_exclude_zero(formula_bounds_of(&bounds->of, i)))
            return true;
    return false;
}

bool hybrid_clear(struct hybrid *core, double h)
{
    struct mode_system *ms = core->system->now;
    core->guard.sure = -1;
    core->edges.clear = false;
    if (ms->monitors.rows == 0 || !core->integrator->inside)
        return ms->guards == 0;
    step_monitors_at(&ms->monitors, core->t + h, core->step.x_new);
    core->step.looked = true;
    bool sure = sure_at_ends(core, h) && !may_vanish(core, h);
    core->edges.clear = edges_at_ends(core, h);
    if (sure || (core->edges.clear && ms->monitors.edges > 0)) {
        double theta[STATES_INSIDE];
        look_at_inside(core, h, theta);
        sure = sure && sure_inside(core, theta);
        core->edges.clear = core->edges.clear && edges_inside(core, theta);
    }
    if (!sure) {
        core->guard.sure = -1;
        return false;
    }
    note_scales(core, h);
    if (core->guard.sure >= 0)
        note_crossing(core, h);
    return core->guard.sure < 0;
}
