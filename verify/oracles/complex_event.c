/*
 * complex_event.c - where a complex-step trajectory meets a guard (complex_run.h).
 *
 * Detection. After each accepted step the real part of every guard is sampled at 16
 * equal parts of the continuous extension; a change of sign in the event's direction
 * between two samples is an event. (Two crossings between two samples would be missed;
 * the judged run isolates roots, and disagreeing on the number of events is a verdict
 * too.)
 *
 * Location. Bisection on the continuous extension gives a first guess. From then on the
 * extension is not trusted: the state is one Runge-Kutta step of complex length dt from
 * the start of the accepted step, and dt solves guard(state(dt)) = 0 by a secant
 * iteration in the complex plane, until neither part moves any more.
 *
 * Deflation. The guard that fired is zero where the next arc begins, and so may others
 * be. A guard may fire only when it is armed:
 *   - it is armed at once if its value r_0 there exceeds 1e-9 of the largest it has had;
 *   - else when first it has left zero on the side from which it may fire: above for
 *     FALLING, below for RISING, either for EITHER. It has left zero when it exceeds both
 *     1e-13 of the largest and 1000 |r_0|, which is rounding and drift of constraints;
 *   - leaving zero on the other side: the guard that fired, or the same formula watched
 *     in the other direction, is driven back through at once, which is refused: SLIDING.
 *     Any other guard fires where the arc begins, at the complex time of the event that
 *     set it off; if it is at another time, the order depends on rho: SIMULTANEOUS. But
 *     guards that become zero together have times of their own (complex_together.c).
 * Whether the largest value is yet known is settled by the samples of the first step.
 */
#include "oracles/complex_run.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PARTS = GUARD_SAMPLES, MOST_CHAINED = 10 };

static const struct complex_mode *mode_of(const struct complex_run *run)
{
    return &run->cm->mode[run->mode];
}

/* All guards of the mode at (t, x), into run->r. */
static enum status guards_at(struct complex_run *run, double complex t, const double *x)
{
    enum status status = OK;
    if (mode_of(run)->guards_use_motion)
        status = complex_run_load(run, t, x);
    else
        complex_run_set(run, t, x);
    if (status == OK)
        complex_outputs_eval(&run->cm->mode[run->mode].guards, run->values, run->r);
    return status;
}

static struct complex_guard *guard_of(struct complex_run *run, int g)
{
    return &run->guard[mode_of(run)->event[g]->index];
}

enum status complex_guards_start(struct complex_run *run)
{
    enum status status = guards_at(run, run->t, run->x);
    for (int g = 0; status == OK && g < mode_of(run)->events; g++) {
        struct complex_guard *guard = guard_of(run, g);
        guard->begun = guard->armed = guard->at_once = false;
        guard->last = creal(run->r[g]);
    }
    return status;
}

/* Guards on the continuous extension, at a part theta of the step. */
static enum status guards_inside(struct complex_run *run, double h, double theta)
{
    run->integrator->dense(run->work, theta, 0, 2 * run->dim, run->x_at);
    return guards_at(run, run->origin + (creal(run->t) + theta * h) * run->direction,
                     run->x_at);
}

/* table[k * events + g], k = 1 .. PARTS: real values at the end of each part */
static enum status sample(struct complex_run *run, double h)
{
    int events = mode_of(run)->events;
    enum status status = run->integrator->prepare(run->work, &run->ode);
    for (int k = 1; status == OK && k <= PARTS; k++) {
        status = k < PARTS
            ? guards_inside(run, h, (double)k / PARTS)
            : guards_at(run, run->origin + (creal(run->t) + h) * run->direction,
                        run->x_new);
        for (int g = 0; g < events; g++) {
            double r = creal(run->r[g]);
            run->table[k * events + g] = r;
            guard_of(run, g)->scale = fmax(guard_of(run, g)->scale, fabs(r));
        }
    }
    return status;
}

static bool crosses(enum direction direction, double from, double to)
{
    bool falls = from > 0 && to <= 0, rises = from < 0 && to >= 0;
    return (falls && direction != RISING) || (rises && direction != FALLING);
}

/* Has a guard that began at zero left it? false: on the wrong side. */
static bool arm(struct complex_guard *guard, enum direction direction, double r)
{
    if (fabs(r) <= fmax(1e-13 * guard->scale, 1e3 * guard->noise))
        return true;
    guard->armed = true;
    return direction == EITHER || (direction == FALLING) == (r > 0);
}

/* A guard that left zero on its far side: does its event follow the latest one? */
static bool follows(const struct event *event, const struct event *last)
{
    return last && event != last && (event->direction == last->direction ||
                                     !same_formula(event->guard, last->guard));
}

/* Guard g over part k: *crossed tells whether it fires there. */
static enum status follow(struct complex_run *run, int g, int k, bool *crossed)
{
    const struct event *event = mode_of(run)->event[g];
    struct complex_guard *guard = guard_of(run, g);
    double r = run->table[k * mode_of(run)->events + g];
    *crossed = false;
    if (!guard->begun) {
        guard->begun = true;
        guard->noise = fabs(guard->last);
        guard->armed = guard->noise > 1e-9 * guard->scale;
    }
    if (!guard->armed) {
        *crossed = guard->at_once = !arm(guard, event->direction, r);
        if (guard->at_once && !follows(event, run->last))
            return diagnose(run->diagnosis, SLIDING, creal(run->t),
                            "complex step: guard of event %s", event->name);
    } else {
        *crossed = crosses(event->direction, guard->last, r);
    }
    if (!*crossed)
        guard->last = r;
    return OK;
}

/* --- location ----------------------------------------------------------------------- */

/* Root of guard g in part k of the step, on the continuous extension. */
static enum status bisect(struct complex_run *run, int g, double h, int k)
{
    double low = (double)(k - 1) / PARTS, high = (double)k / PARTS;
    double from = guard_of(run, g)->last;
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        enum status status = guards_inside(run, h, middle);
        if (status != OK)
            return status;
        if ((creal(run->r[g]) > 0) == (from > 0))
            low = middle;
        else
            high = middle;
    }
    run->theta[g] = (low + high) / 2;
    return OK;
}

/* Guard g after one step of complex length dt from the start of the step. */
static enum status guard_after(struct complex_run *run, int g, double complex dt,
                               double complex *r)
{
    enum status status = complex_run_leap(run, dt);
    if (status == OK)
        status = guards_at(run, run->t + dt, run->x_at);
    *r = run->r[g];
    return status;
}

/* An iteration has come to rest when a part's correction is at rounding level, or small
   and no longer falling. */
static bool at_rest(double step, double before, double size, double resolution)
{
    if (fabs(step) <= resolution)
        return true;
    return fabs(step) >= 0.5 * fabs(before) && fabs(step) <= 1e-9 * size;
}

/*
 * guard(dt) = 0 in the complex plane. The slope comes from differences of the guard
 * itself and is kept once steps are too small to measure it: then the iteration is a
 * chord method that gains seven digits or more per pass.
 */
static enum status locate(struct complex_run *run, int g, double h, double complex *dt)
{
    double reach = fmax(fabs(creal(run->t)), h), away = fmax(h / 1024, 1e-9 * reach);
    double complex r, r_other, other = *dt + (creal(*dt) > h / 2 ? -away : away);
    double before[2] = {INFINITY, INFINITY};
    enum status status = guard_after(run, g, other, &r_other);
    if (status == OK)
        status = guard_after(run, g, *dt, &r);
    if (status != OK)
        return status;
    double complex slope = (r - r_other) / (*dt - other);
    for (int k = 0; k < 25; k++) {
        double complex step = -r / slope, r_before = r;
        if (!isfinite(creal(step)) || !isfinite(cimag(step)))
            return diagnose(run->diagnosis, GRAZING, creal(run->t),
                            "complex step: event %s", mode_of(run)->event[g]->name);
        *dt += step;
        status = guard_after(run, g, *dt, &r);
        if (status != OK)
            return status;
        if (fabs(creal(step)) > 1e-6 * h)
            slope = (r - r_before) / step;
        run->rate = creal(slope);
        double moved = fabs(cimag(run->t + *dt));
        if (at_rest(creal(step), before[0], h, DBL_EPSILON * reach / 2)
            && at_rest(cimag(step), before[1], fmax(moved, run->eps),
                       DBL_EPSILON * moved / 2))
            return OK;
        before[0] = creal(step);
        before[1] = cimag(step);
    }
    return diagnose(run->diagnosis, NO_CONVERGENCE, creal(run->t),
                    "complex step: time of event %s", mode_of(run)->event[g]->name);
}

/* A first guess for guard g, as a part of the step. */
static enum status guess(struct complex_run *run, int g, double h)
{
    const struct complex_guard *guard = guard_of(run, g);
    run->theta[g] = 0;
    return guard->at_once ? OK : bisect(run, g, h, guard->part);
}

/* Times closer than this are one. */
static double resolution(const struct complex_run *run)
{
    return 1e-12 * fmax(1, fabs(creal(run->t)));
}

/* Guard g crosses zero together with that of *fired. */
static enum status tie(struct complex_run *run, int g, double complex dt,
                       const struct event *fired)
{
    struct complex_guard *const both[] = {guard_of(run, g), &run->guard[fired->index]};
    if (run->tie)
        return diagnose(run->diagnosis, SIMULTANEOUS, creal(run->t + dt),
                        "complex step: event %s is together with more than one other",
                        mode_of(run)->event[g]->name);
    run->tie = true;
    for (int k = 0; k < 2; k++) {
        both[k]->tied = true;
        both[k]->tied_at = creal(run->t + dt);
    }
    return OK;
}

/* What fires at once does so for every rho; or it is tied with what fired before. */
static enum status check_at_once(struct complex_run *run, int g, double complex dt)
{
    double moved = fmax(fabs(cimag(run->t)), run->eps);
    const struct complex_guard *guard = guard_of(run, g);
    bool tied = guard->tied && fabs(creal(run->t) - guard->tied_at) <= resolution(run);
    if (!guard->at_once || tied || fabs(cimag(dt)) <= 1e-8 * moved)
        return OK;
    return diagnose(run->diagnosis, SIMULTANEOUS, creal(run->t),
                    "complex step: event %s follows %s at once, but not when the "
                    "parameter changes", mode_of(run)->event[g]->name, run->last->name);
}

/* The earliest of the guards that cross zero; t and x become those there. Steps
   of any length destroy the continuous extension, so all first guesses are made first. */
static enum status earliest(struct complex_run *run, double h,
                            const struct event **fired)
{
    const struct complex_mode *mode = mode_of(run);
    enum status status = OK;
    double complex best = INFINITY;
    int chained = 0;
    run->tie = false;
    for (int g = 0; status == OK && g < mode->events; g++)
        if (run->crossed[g])
            status = guess(run, g, h);
    for (int g = 0; status == OK && g < mode->events; g++) {
        if (!run->crossed[g])
            continue;
        double complex dt = run->theta[g] * h;
        status = locate(run, g, h, &dt);
        if (status == OK)
            status = check_at_once(run, g, dt);
        bool together = *fired && fabs(creal(dt - best)) <= resolution(run);
        if (status == OK && together)
            status = tie(run, g, dt, *fired);
        if (!*fired || (together ? run->reversed : creal(dt) < creal(best))) {
            best = dt;
            *fired = mode->event[g];
            chained = guard_of(run, g)->at_once ? run->chained + 1 : 0;
        }
    }
    run->chained = chained;
    if (status == OK && chained > MOST_CHAINED)
        return diagnose(run->diagnosis, CHAIN_TOO_LONG, creal(run->t),
                        "complex step: more than %d events at one instant", MOST_CHAINED);
    if (status == OK)
        status = complex_run_leap(run, best);
    run->t += best;
    memcpy(run->x, run->x_at, 2 * (size_t)run->dim * sizeof *run->x);
    return status;
}

enum status complex_guards_search(struct complex_run *run, double h,
                                  const struct event **fired)
{
    int events = mode_of(run)->events;
    if (events == 0)
        return OK;
    enum status status = sample(run, h);
    bool any = false;
    for (int g = 0; g < events; g++)
        run->crossed[g] = false;
    /* One part more than the first in which any crosses zero: there may be what is
       together with it, on the other side of the boundary. */
    for (int k = 1, last = PARTS; status == OK && k <= last; k++)
        for (int g = 0; status == OK && g < events; g++) {
            if (run->crossed[g])
                continue;
            guard_of(run, g)->part = k;
            status = follow(run, g, k, &run->crossed[g]);
            last = run->crossed[g] && !any && k < PARTS ? k + 1 : last;
            any = any || run->crossed[g];
        }
    return status == OK && any ? earliest(run, h, fired) : status;
}
