/*
 * event_location.c - event location: the first event on a step by Newton's method.
 *
 * Root isolation (guard_roots.c) finds an approximate root of a guard on an accepted
 * step. Newton's method on the length of a step from the same start makes the root exact,
 * with rd from the formulas: so the state at the event has the accuracy of the method and
 * not that of its dense output. An approximate root on the dense output or from states
 * inside the step (guard_exclusion.c) is so near to the root of the motion that one such
 * step does, which is asked for as an ordinary step (step.c). No step is made where the
 * dense output itself is the solution: there x' is evaluated on the dense output.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "events/hybrid.h"
#include "gate.h"

double hybrid_guard_rate(struct hybrid *core, int guard, const double *x)
{
    struct system *system = core->system;
    struct mode_system *ms = system->now;
    int n = core->model->n;
    double *f_s = core->sides.f_s;
    system_rates(ms, f_s, NULL);
    struct jump_direction motion = {
        .t = 1, .q = x + n, .v = system->a, .s = f_s, .parameter = -1};
    if (ms->guards_use_unknowns) {
        system_rate_of_unknowns(system, ms, x + n, f_s, system->a_dot,
                                system->lambda_dot);
        motion.a = system->a_dot;
        motion.lambda = system->lambda_dot;
    }
    return guard_tangent(system, ms, guard, &motion);
}

/* The largest |r| on this step, or on the arc up to its root: the guard's growth beyond
   the root says nothing about the crossing. */
static double size_before(const struct hybrid *core, int guard)
{
    return fmin(core->guard.watch[guard].largest, core->guard.watch[guard].scale);
}

/* Refuses a rate that is zero, or that a guard without a derivative does not have. */
static enum status grazing(struct hybrid *core, const struct hit *hit)
{
    const struct gate gate = {hit->t, hit->rate, NULL, ""};
    if (!isfinite(hit->rate))
        return gate_refuse(&gate, core->diagnosis, "the rate of the guard of %s",
                           core->system->now->event[hit->guard]->name);
    return diagnose(core->diagnosis, GRAZING, hit->t,
                    "guard %s, up to %.3g before, is crossed with rate %.3g: its time is "
                    "not determined",
                    core->system->now->event[hit->guard]->name,
                    size_before(core, hit->guard), hit->rate);
}

/* Accepts the root that Newton's method has found, or refuses it. A root in the other
   direction belongs to a crossing there and back. Such a slow crossing may be undone by
   an error rtol of the guard, or by its rounding where steps are that short: GRAZING. */
static enum status found(struct hybrid *core, double h, const struct hit *hit)
{
    const struct event *event = core->system->now->event[hit->guard];
    double largest = size_before(core, hit->guard), moved = fabs(hit->rate) * h;
    bool back = hit->rate * (int)event->direction < 0;
    double undone = fmax(sqrt(core->request->rtol) * largest,
                         hybrid_guard_noise(core, hit->guard));
    if (!(largest < 1e8 * moved) || (back && moved < undone))
        return grazing(core, hit);
    if (back)
        return diagnose(core->diagnosis, NO_CONVERGENCE, hit->t,
                        "the crossing of guard %s was lost to one in the other direction",
                        event->name);
    return OK;
}

/* Is a correction that no longer falls mere rounding? Rounding of time shows earlier
   where steps are short, rounding of r where the guard is slow. */
static bool is_rounding(const struct hybrid *core, double h, const struct hit *hit,
                        double change)
{
    double time = fmax(location_step_rounding * h,
                       location_time_rounding * fmax(fabs(core->t), h));
    double R = fmax(size_before(core, hit->guard),
                    guard_spread(core->system->now, hit->guard, NULL));
    return fabs(change) < fmax(time, location_guard_rounding * R / fabs(hit->rate));
}

/* Must unknowns be solved for at the end of a step? The rate of a guard on the state
   needs none with explicit methods, which end a step with x'. */
static bool must_solve(const struct hybrid *core)
{
    return core->system->now->guards_use_unknowns || core->integrator->unknowns;
}

/* The rate at core->step.trial of a guard whose rows are loaded there. */
static double rate_at_trial(struct hybrid *core, int guard)
{
    struct system *system = core->system;
    int n = core->model->n;
    const double *dx = core->step.trial_dx;
    if (must_solve(core))
        return hybrid_guard_rate(core, guard, core->step.trial);
    struct jump_direction motion = {
        .t = 1, .q = core->step.trial + n, .v = dx + n, .s = dx + 2 * n, .parameter = -1};
    return guard_tangent(system, system->now, guard, &motion);
}

/* Evaluates the guard and its rate at core->step.trial. */
static enum status look_at_guard(struct hybrid *core, struct hit *hit)
{
    enum status status = OK;
    if (must_solve(core))
        status = hybrid_solve(core, hit->t, core->step.trial);
    if (status != OK)
        return status;
    hybrid_guards(core, hit->t, core->step.trial);
    hit->rate = rate_at_trial(core, hit->guard);
    return OK;
}

/* Makes a full step of this length to core->step.trial. */
static enum status step_to(struct hybrid *core, double length)
{
    enum status status = hybrid_step_to(core, length, core->step.trial,
                                        core->step.trial_dx);
    return status == OK ? system_project(core->system, core->t + length, core->step.trial)
                        : status;
}

/* Sets core->step.trial by the dense output of the step h that has been tried. */
static enum status extend_to(struct hybrid *core, double h, double length)
{
    double t = core->t + length, *x = core->step.trial;
    core->integrator->dense(core->method, length / h, 0, core->ode.dim, x);
    enum status status = system_project(core->system, t, x);
    return status == OK ? system_rhs(core->system, t, x, core->step.trial_dx) : status;
}

/* Is the rest of the way at most that part of the step? The rest is then made up for
   without another step. Implicit methods always take one: their unknowns belong to the
   end of a step. */
static bool is_short(const struct hybrid *core, double h, double length, double change,
                     double part)
{
    return fabs(change) <= fmin(part * h, length / 2) && length + change <= h &&
           !core->integrator->unknowns;
}

/* Moves core->step.trial along its derivative. The motion differs from its tangent by
   the square of the distance: for so small a part of a step the result is exact to
   rounding. */
static enum status move_along(struct hybrid *core, double change, struct hit *hit)
{
    for (int i = 0; i < core->ode.dim; i++)
        core->step.trial[i] += change * core->step.trial_dx[i];
    hit->t += change;
    return look_at_guard(core, hit);
}

/* Moves core->step.trial to time t by the trapezoidal rule, with an error of third
   order. */
static enum status move_to(struct hybrid *core, double t, double change)
{
    double *x = core->step.trial, *dx = core->step.trial_dx, *there = core->step.err[0];
    for (int i = 0; i < core->ode.dim; i++)
        x[i] += change * dx[i];
    enum status status = system_rhs(core->system, t, x, there);
    for (int i = 0; i < core->ode.dim; i++) {
        x[i] += change / 2 * (there[i] - dx[i]);
        dx[i] = there[i];
    }
    return status;
}

/* --- roots on the dense output ------------------------------------------------------ */

/* The guard at theta on the last step, by its dense output. */
static double guard_on_step(struct hybrid *core, double h, int guard, double theta)
{
    const struct mode_system *ms = core->system->now;
    core->integrator->dense(core->method, theta, ms->seen_first, ms->seen,
                            core->step.trial + ms->seen_first);
    hybrid_guards(core, core->t + theta * h, core->step.trial);
    return core->guard.r[guard];
}

/* Moves core->guard.root to the root on the dense output: the secant method starts at the
   root of a cubic polynomial (guard_exclusion.c), with the slope from the rates at the
   ends. */
static void approach(struct hybrid *core, double h, int guard)
{
    enum { MOST = 6 };
    const struct watch *watch = &core->guard.watch[guard];
    double theta = core->guard.root[guard], value = guard_on_step(core, h, guard, theta);
    double slope = h * (watch->rate + theta * (watch->end_rate - watch->rate));
    for (int k = 0; k < MOST; k++) {
        double next = theta - value / slope;
        if (!(next > 0 && next < 1))
            return;
        core->guard.root[guard] = next;
        if (fabs(next - theta) < secant_near)
            return;
        double there = guard_on_step(core, h, guard, next);
        slope = (there - value) / (next - theta);
        theta = next;
        value = there;
    }
}

bool hybrid_extends(struct hybrid *core, double h, int guard)
{
    struct system *system = core->system;
    struct diagnosis *diagnosis = system->diagnosis, own;
    if (!core->integrator->solves_inside)
        return false;
    if (core->guard.sure != guard)
        return true;
    system->diagnosis = &own;
    enum status status = core->integrator->prepare(core->method, &core->ode);
    system->diagnosis = diagnosis;
    if (status == OK)
        approach(core, h, guard);
    return status == OK;
}

/* --- Newton's method ---------------------------------------------------------------- */

static enum status reach(struct hybrid *core, double h, bool extend, double length)
{
    return extend ? extend_to(core, h, length) : step_to(core, length);
}

/* A bracket of step lengths between which the guard goes through zero. */
struct bracket {
    double low, high;
    int sign;               /* sign of the guard before its root */
    bool through;           /* the other sign has been seen, at `high` */
    double least;           /* least |r| at all lengths so far */
};

/* The direction of the event tells the sign before the root; for EITHER the value at the
   start of the piece in which the root was isolated does. */
static struct bracket bracket_of(const struct hybrid *core, double h, int guard)
{
    double start = core->guard.value[guard * (BERNSTEIN_POINTS + BERNSTEIN_CHECKS)];
    int direction = core->system->now->event[guard]->direction;
    return (struct bracket){.high = h, .sign = direction ? -direction
                                               : start < 0 ? -1 : 1, .least = INFINITY};
}

/* The next step length after `length`, at which the guard is r: by Newton's correction,
   or the middle of the bracket where the correction would leave the bracket. */
static double next_length(struct bracket *bracket, double length, double r, double change)
{
    bool before = r * bracket->sign > 0;
    *(before ? &bracket->low : &bracket->high) = length;
    bracket->through = bracket->through || !before;
    bracket->least = fmin(bracket->least, fabs(r));
    double next = length + change;
    if (!bracket->through)
        return isfinite(next) ? fmin(fmax(next, length / 16), bracket->high) : NAN;
    bool inside = next > bracket->low && next < bracket->high;
    return inside ? next : (bracket->low + bracket->high) / 2;
}

/* Without a root, a guard that is nowhere seen on its other side and is as small as the
   run can tell is touched: GRAZING. For another guard the time is unknown:
   NO_CONVERGENCE. */
static enum status not_found(struct hybrid *core, const struct bracket *bracket,
                             const struct hit *hit)
{
    double small = (core->request->rtol + run_rounding) * size_before(core, hit->guard);
    if (!bracket->through && bracket->least <= small)
        return grazing(core, hit);
    return diagnose(core->diagnosis, NO_CONVERGENCE, hit->t,
                    "the time at which guard %s is crossed was not found: it is %.3g at "
                    "best, and changes at a rate of %.3g",
                    core->system->now->event[hit->guard]->name, bracket->least,
                    hit->rate);
}

/* Newton's method on the step length, from core->step.trial at core->guard.root of the
   guard; leaves the state at the event in core->step.trial. The method has converged when
   a correction is below the resolution of time, or rounding; the last correction above
   that takes no step. */
static enum status refine(struct hybrid *core, double h, bool extend, struct hit *hit)
{
    enum { MOST = 100 };
    struct bracket bracket = bracket_of(core, h, hit->guard);
    double length = core->guard.root[hit->guard] * h, last = INFINITY;
    for (int k = 0; k < MOST; k++) {
        hit->t = core->t + length;
        enum status status = look_at_guard(core, hit);
        if (status != OK)
            return status;
        double r = core->guard.r[hit->guard], change = -r / hit->rate;
        double least = location_converged * fmax(fabs(core->t), length);
        bool there = fabs(change) <= least || bracket.high - bracket.low <= least ||
                     (fabs(change) >= last && is_rounding(core, h, hit, change));
        if (!there && is_short(core, h, length, change, by_tangent)) {
            status = move_along(core, change, hit);
            there = true;
        }
        if (there)
            return status == OK ? found(core, h, hit) : status;
        double next = next_length(&bracket, length, r, change);
        if (!isfinite(next))
            return not_found(core, &bracket, hit);
        bool near = !extend && next == length + change &&
                    is_short(core, h, length, change, by_trapezium);
        last = fabs(change);
        length = next;
        status = near ? move_to(core, core->t + length, change)
                      : reach(core, h, extend, length);
        if (status != OK)
            return status;
    }
    return not_found(core, &bracket, hit);
}

static enum status locate(struct hybrid *core, double h, bool extend, struct hit *hit)
{
    enum status status = reach(core, h, extend, core->guard.root[hit->guard] * h);
    return status == OK ? refine(core, h, extend, hit) : status;
}

/* Has guard k crossed before the event just located, though its interpolant has not? Its
   value at the start of the piece has the sign from before. */
static bool overtaken(const struct hybrid *core, int k)
{
    double start = core->guard.value[k * (BERNSTEIN_POINTS + BERNSTEIN_CHECKS)];
    double r = core->guard.r[k];
    int direction = core->system->now->event[k]->direction;
    return isnan(core->guard.root[k]) && start * r < 0 && r * direction >= 0;
}

/* The interpolants' roots are approximate: guards that cross soon after the first are
   located each, and the earliest crossing is the event. */
enum status hybrid_locate(struct hybrid *core, double h, bool extend, struct hit *hit)
{
    static const double soon = 0.01;
    int first = hit->guard, located = first;
    double length = core->guard.root[first] * h;
    enum status status = extend ? extend_to(core, h, length)
                                : system_project(core->system, core->t + length,
                                                 core->step.trial);
    if (status == OK)
        status = refine(core, h, extend, hit);
    for (int k = 0; status == OK && k < core->system->now->guards; k++)
        if (k != first && overtaken(core, k))
            core->guard.root[k] = core->guard.root[first];
    for (int k = 0; status == OK && k < core->system->now->guards; k++) {
        struct hit other = {.guard = k};
        if (k == first || !(core->guard.root[k] <= core->guard.root[first] + soon))
            continue;
        status = locate(core, h, extend, &other);
        located = k;
        core->guard.root[k] = (other.t - core->t) / h;
        if (status == OK && other.t < hit->t)
            *hit = other;
    }
    return status == OK && located != hit->guard ? locate(core, h, extend, hit) : status;
}

/* Does guard k, with this rate, fire at a time that cannot be told from core->t? */
static bool fires_here(const struct hybrid *core, int k, double rate)
{
    return rate * (int)core->system->now->event[k]->direction >= 0 &&
           fabs(core->guard.r[k]) <= time_resolution(core) * fabs(rate);
}

/* The guard that has been located fires, and so do others within the resolution of time.
   A guard that an event has left at zero at the start of this step counts only after it
   has had time to leave. */
void hybrid_note_fires(struct hybrid *core, double h, const struct hit *hit)
{
    double here = time_resolution(core);
    memset(core->guard.fires, 0, (size_t)core->model->events * sizeof *core->guard.fires);
    for (int k = 0; k < core->system->now->guards; k++) {
        int power = core->guard.watch[k].power;
        bool leaving = power > 0 && hit->t - core->t <= (power + 1) * here;
        bool near = fabs(core->t + core->guard.root[k] * h - hit->t) <= here;
        double rate = rate_at_trial(core, k);
        if (k == hit->guard || near || (!leaving && fires_here(core, k, rate)))
            core->guard.fires[k] = rate < 0 ? -1 : 1;
    }
}

enum status hybrid_imminent(struct hybrid *core, int *guard)
{
    *guard = -1;
    if (core->system->now->guards == 0)
        return OK;
    enum status status = hybrid_solve(core, core->t, core->x);
    if (status != OK)
        return status;
    hybrid_guards(core, core->t, core->x);
    for (int k = 0; k < core->system->now->guards && *guard < 0; k++)
        if (core->guard.watch[k].power == 0 &&
            fires_here(core, k, hybrid_guard_rate(core, k, core->x)))
            *guard = k;
    return OK;
}
