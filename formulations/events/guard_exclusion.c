/*
 * guard_exclusion.c - is a step clear of every guard, or is it beyond doubt which one
 * crosses, and once? Then it need not be looked through.
 *
 * To look through a step (guard_roots.c) takes evaluations of the right-hand side for the
 * continuous extension and twenty values of each guard; most steps are nowhere near a
 * root. Here a guard is the cubic polynomial H with its values and its rates at both
 * ends. In the Bernstein basis its coefficients bound it: if they have one sign, so has
 * H, and it is further from zero than the least of them. The same of the coefficients of
 * H': if they have one sign, H is monotone, and is zero once if it is at all.
 *
 * How far is the guard from H? A function that a quartic polynomial describes differs by
 * c theta^2 (1 - theta)^2, at most c/16, its rate by at most c/(3 sqrt(3)). Stages of the
 * method are states inside the step, at no regular places and more accurate than H is;
 * there the difference is known, and with it c. It must be small against the distance of
 * H from zero, or against the least slope of H. What varies faster than the motion
 * (sin(40 t) on a free particle) has rates that take the coefficients across zero, or it
 * differs from H at the stages by much more than that, unless it is near one height at
 * four places and steep at none. Such steps, and all of which nothing is known inside,
 * are looked through.
 */
#include <math.h>

#include "base/largest.h"
#include "events/guard_exclusion.h"
#include "events/hybrid.h"
#include "simd/simd.h"

/* H in the Bernstein basis, `b`. `power` of theta has been divided out of the guard,
   which an event has left at zero at the start of the step: then its rate there is the
   value of what is left, whose own rate is not known. So H is quadratic, and differs by
   c theta (1 - theta)^2, at most 4c/27. */
static inline void take_shape(const struct watch *watch, double h, struct shape *shape)
{
    double rise0 = h * watch->rate, rise1 = h * watch->end_rate, end = watch->end;
    double *b = shape->b;
    shape->power = watch->power > 0;
    b[3] = end;
    if (shape->power) {
        double middle = EXCLUSION_MIDDLE(end, rise1);
        b[0] = h * watch->leading;
        b[1] = EXCLUSION_THIRD(b[0], middle);
        b[2] = EXCLUSION_THIRD(end, middle);
    } else {
        b[0] = watch->value;
        b[1] = EXCLUSION_FIRST(watch->value, rise0);
        b[2] = EXCLUSION_SECOND(end, rise1);
    }
}

static double shape_value(const struct shape *shape, double theta)
{
    const double *b = shape->b;
    double back = 1 - theta;
    return EXCLUSION_VALUE(b[0], b[1], b[2], b[3], theta, back);
}

/* What the difference is at theta, as a part of its maximum. */
static double share(const struct shape *shape, double theta)
{
    double back = 1 - theta;
    return shape->power ? EXCLUSION_SHARE_FROM_ROOT(theta, back)
                        : EXCLUSION_SHARE(theta, back);
}

/* How near to zero a polynomial with these coefficients may come; 0: to zero, or to so
   small a part of them that it cannot be told from it. */
static inline double distance(const double *b, int count)
{
    double least = b[0], most = b[0];
    UNROLL
    for (int i = 1; i < count; i++) {
        least = b[i] < least ? b[i] : least;
        most = b[i] > most ? b[i] : most;
    }
    double nearest = least > -most ? least : -most;
    double farthest = most > -least ? most : -least;
    return nearest > excluded_near_zero * farthest ? nearest : 0;
}

/* How far the guard may be from H, at most, for all of H to have one sign; 0: it has not
   anyway. */
static inline double room_above_zero(const struct shape *shape)
{
    return distance(shape->b, 4);
}

/* The same for the guard to be monotone. */
static double room_to_rise(const struct shape *shape)
{
    static const double steepest = 16 / (3 * 1.7320508075688772);   /* of share() */
    const double *b = shape->b;
    const double rise[3] = {3 * (b[1] - b[0]), 3 * (b[2] - b[1]), 3 * (b[3] - b[2])};
    return distance(rise, 3) / steepest;
}

static double shape_slope(const struct shape *shape, double theta)
{
    const double *b = shape->b;
    double back = 1 - theta;
    return 3 * (back * back * (b[1] - b[0]) + 2 * back * theta * (b[2] - b[1]) +
                theta * theta * (b[3] - b[2]));
}

/* The root of H, which is monotone and has one: Newton, kept between where it is, until
   the digits that are right, twice as many each time, are all there are. */
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

/* The largest |r| on a step on which the guard turns: at an end, or about where its rate
   is zero. */
static double height_of_turn(const struct watch *watch, double h, double at_ends)
{
    struct watch whole = *watch;
    whole.power = 0;
    struct shape shape;
    take_shape(&whole, h, &shape);
    double theta = watch->rate / (watch->rate - watch->end_rate);
    return larger(at_ends, fabs(shape_value(&shape, theta)));
}

/* On any step. */
static inline double height(const struct watch *watch, double h)
{
    double value = fabs(watch->value), end = fabs(watch->end);
    double size = end > value ? end : value;
    return watch->rate * watch->end_rate < 0 ? height_of_turn(watch, h, size) : size;
}

/* Does guard k, monotone on a step of which it has these ends, fire on it? */
static bool fires(const struct hybrid *core, int k)
{
    const struct watch *watch = &core->watch[k];
    int direction = core->system->now->event[k]->direction;
    return watch->power == 0 && watch->value * watch->end < 0 &&
           watch->end * direction >= 0;
}

/* By what is known of the ends, for this step and the next: of each guard how far it may
   be from H, and core->sure if one fires. False: none may be. */
static bool sure_at_ends(struct hybrid *core, double h)
{
    const struct step_monitors *monitors = &core->system->now->monitors;
    bool sure = !core->system->now->guards_use_unknowns;
    for (int k = 0; k < monitors->guards; k++) {
        struct watch *watch = &core->watch[k];
        struct shape *shape = &watch->shape;
        watch->end = monitors->r[k];
        watch->end_rate = monitors->rd[k];
        take_shape(watch, h, shape);
        watch->room = watch->power > 1 ? 0 : room_above_zero(shape);
        if (!(watch->room > 0) && core->sure < 0 && fires(core, k)) {
            watch->room = room_to_rise(shape);
            core->sure = k;
        }
        sure &= watch->room > 0;
    }
    return sure;
}

/* The same of the monitors of edges. One is settled, too, if what is beside it is clear
   of zero, and positive. */
static bool edges_at_ends(struct hybrid *core, double h)
{
    const struct step_monitors *monitors = &core->system->now->monitors;
    struct watch *watch = core->watch + core->system->now->guards - monitors->guards;
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

/* At the points inside a step, beside each other. */
typedef double beside __attribute__((vector_size(STATES_INSIDE * sizeof(double))));

/* Is a guard, which has the values r at theta, as near to H there as it has to be? */
static inline bool is_near(const struct watch *watch, beside theta, beside r)
{
    const double *b = watch->shape.b;
    beside back = 1 - theta, room = {watch->room, watch->room};
    beside H = EXCLUSION_VALUE(b[0], b[1], b[2], b[3], theta, back);
    beside share = EXCLUSION_SHARE(theta, back);
    if (watch->shape.power) {
        H *= theta;
        room *= theta;
        share = EXCLUSION_SHARE_FROM_ROOT(theta, back);
    }
    beside apart = exclusion_margin * (r - H), most = room * share;
    return fabs(apart[0]) < most[0] && fabs(apart[1]) < most[1];
}

/* The rows r of step_monitors.h at a state inside the step; returns where that is. */
static inline double look_inside(const struct hybrid *core, double h, int i, double *r)
{
    double theta;
    const double *x = core->integrator->inside(core->method, i, &theta);
    system_guard_values(core->system->now, core->t + theta * h, x, r);
    return theta;
}

/* To core->r, all rows at one state inside the step after the other; returns where. */
static beside look_at_inside(const struct hybrid *core, double h)
{
    beside theta;
    theta[0] = look_inside(core, h, 0, core->r);
    theta[1] = look_inside(core, h, 1, core->r + core->system->now->monitors.rows);
    return theta;
}

/* The same with what is known of the step inside. */
static bool sure_inside(const struct hybrid *core, beside theta)
{
    const struct step_monitors *monitors = &core->system->now->monitors;
    const double *first = core->r, *second = core->r + monitors->rows;
    for (int k = 0; k < monitors->guards; k++)
        if (!is_near(&core->watch[k], theta, (beside){first[k], second[k]}))
            return false;
    return true;
}

static bool edges_inside(const struct hybrid *core, beside theta)
{
    const struct step_monitors *monitors = &core->system->now->monitors;
    const struct watch *watch = core->watch + core->system->now->guards -
                                monitors->guards;
    const double *first = core->r, *second = core->r + monitors->rows;
    for (int k = 0; k < monitors->edges; k++) {
        int own = monitors->guards + k,
            row = watch[own].room > 0 ? own : monitors->beside[k];
        if (!is_near(&watch[row], theta, (beside){first[row], second[row]}))
            return false;
    }
    return true;
}

/* By how much guard k differs from H at stage i, at *theta, as a part of its maximum. */
static double difference(const struct hybrid *core, double h, int k, int i, double *theta)
{
    const struct shape *shape = &core->watch[k].shape;
    *theta = look_inside(core, h, i, core->r);
    return (core->r[k] - shape_value(shape, *theta)) / share(shape, *theta);
}

/* The root of guard k, which differs from H as it does at stages, and by what is linear
   between them: Newton from the root of H, with its slope. */
static double root_between(const struct hybrid *core, double h, int k)
{
    const struct shape *shape = &core->watch[k].shape;
    double low, high, begin = root_of(shape), theta = begin;
    double c = difference(core, h, k, 0, &low);
    double rise = (difference(core, h, k, 1, &high) - c) / (high - low);
    for (int i = 0; i < 3; i++) {
        double apart = (c + rise * (theta - low)) * share(shape, theta);
        theta -= (shape_value(shape, theta) + apart) / shape_slope(shape, theta);
    }
    return theta > 0 && theta < 1 ? theta : begin;
}

/* Leaves behind what guard_roots.c would. */
static void note_crossing(struct hybrid *core, double h)
{
    for (int k = 0; k < core->system->now->guards; k++) {
        const struct shape *shape = &core->watch[k].shape;
        core->root[k] = k == core->sure ? root_between(core, h, k) : NAN;
        core->watch[k].largest = height(&core->watch[k], h);
        core->guard_values[k * (BERNSTEIN_POINTS + BERNSTEIN_CHECKS)] = shape->b[0];
    }
}

static void note_scales(struct hybrid *core, double h)
{
    int guards = core->system->now->guards;
    for (int k = 0; k < guards; k++) {
        struct watch *watch = &core->watch[k];
        double size = k == core->sure ? fabs(watch->value) : height(watch, h);
        watch->scale = size > watch->scale ? size : watch->scale;
    }
}

/* Does interval arithmetic leave a fast guard a zero on the step, whatever it is at its
   ends and stages? The states there span a box, which is widened by half for what lies
   between them. */
static bool may_vanish(struct hybrid *core, double h)
{
    struct guard_bounds *bounds = &core->system->now->bounds;
    if (bounds->count == 0)
        return false;
    state_box_begin(&bounds->box);
    state_box_add(&bounds->box, core->t, core->x);
    state_box_add(&bounds->box, core->t + h, core->x_new);
    for (int i = 0; i < STATES_INSIDE; i++) {
        double theta;
        const double *x = core->integrator->inside(core->method, i, &theta);
        state_box_add(&bounds->box, core->t + theta * h, x);
    }
    state_box_widen(&bounds->box, 0.5);
    guard_bounds_evaluate(bounds);
    for (int i = 0; i < bounds->count; i++)
        if (!bounds_exclude_zero(guard_bounds_of(bounds, i)))
            return true;
    return false;
}

bool hybrid_clear(struct hybrid *core, double h)
{
    struct mode_system *ms = core->system->now;
    core->sure = -1;
    core->edges.clear = false;
    if (ms->monitors.rows == 0 || !core->integrator->inside)
        return ms->guards == 0;
    step_monitors_at(&ms->monitors, core->t + h, core->x_new);
    core->looked = true;
    bool sure = sure_at_ends(core, h) && !may_vanish(core, h);
    core->edges.clear = edges_at_ends(core, h);
    if (sure || (core->edges.clear && ms->monitors.edges > 0)) {
        beside theta = look_at_inside(core, h);
        sure = sure && sure_inside(core, theta);
        core->edges.clear = core->edges.clear && edges_inside(core, theta);
    }
    if (!sure) {
        core->sure = -1;
        return false;
    }
    note_scales(core, h);
    if (core->sure >= 0)
        note_crossing(core, h);
    return core->sure < 0;
}
