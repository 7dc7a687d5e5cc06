/*
 * complex_event.c - where a complex-step trajectory meets a guard (complex_run.h).
 *
 * Detection. After each accepted step the real part of every guard is sampled on the
 * continuous extension at equal parts, at least 16 and as many as make a part no longer
 * than 1/8192 of the run: a guard may be narrow where the motion is a polynomial, whose
 * steps are long. A change of sign in the event's direction between two samples is an
 * event. Where the samples come near to zero and go away again,
 * the guard's extreme in between is looked for (complex_turn.c): if that is beyond zero
 * there are two crossings.
 *
 * Location. Bisection on the continuous extension gives a first guess. From then on the
 * extension is not trusted: the state is one Runge-Kutta step of complex length dt from
 * the start of the accepted step, and dt solves guard(state(dt)) = 0 by a secant
 * iteration in the complex plane, until neither part moves any more.
 *
 * Deflation. The guard that fired is zero where the next arc begins, and so may others
 * be. A guard may fire only when it is armed:
 *   - it is armed at once if its value r_0 there exceeds what errors may leave of the
 *     largest it has had;
 *   - else when first it has left zero on the side from which it may fire: above for
 *     FALLING, below for RISING, either for EITHER. It has left zero when it exceeds both
 *     1e-13 of the largest and 1000 |r_0|, which is rounding and drift of constraints;
 *   - leaving zero on the other side: the guard that fired, or the same formula watched
 *     in the other direction, is driven back through at once, which is refused: SLIDING.
 *     Any other guard fires where the arc begins, at the complex time of the event that
 *     set it off; if it is at another time, the order depends on rho: SIMULTANEOUS. But
 *     guards that become zero together have times of their own (complex_together.c);
 *   - a guard that the motion has gone through there, and that is left alone, is left on
 *     its far side, and fires when it is next crossed.
 * Whether the largest value is yet known is settled by the samples of the first step.
 */
#include "oracles/complex_run.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_CHAINED = 10 };

static const struct complex_mode *mode_of(const struct complex_run *run)
{
    return &run->cm->mode[run->mode];
}

/* Evaluates all guards of the mode at (t, x), into run->r. */
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

enum status complex_guards_finite(struct complex_run *run)
{
    enum status status = guards_at(run, run->t, run->x);
    for (int g = 0; status == OK && g < mode_of(run)->events; g++)
        status = complex_gate(run, run->r[g], "the guard of ",
                              mode_of(run)->event[g]->name);
    return status;
}

enum status complex_guards_inside(struct complex_run *run, double h, double theta)
{
    run->integrator->dense(run->work, theta, 0, 2 * run->dim, run->x_at);
    return guards_at(run, run->origin + (creal(run->t) + theta * h) * run->direction,
                     run->x_at);
}

/* Sets run->parts, and table[k * events + g], k = 0 .. parts: real values at the ends of
   the parts. */
static enum status sample(struct complex_run *run, double h)
{
    int events = mode_of(run)->events;
    double parts = ceil(MOST_GUARD_SAMPLES * h / run->span);
    run->parts = (int)fmin(fmax(parts, GUARD_SAMPLES), MOST_GUARD_SAMPLES);
    enum status status = complex_run_prepare(run);
    for (int g = 0; g < events; g++)
        run->table[g] = guard_of(run, g)->last;
    for (int k = 1; status == OK && k <= run->parts; k++) {
        status = k < run->parts
            ? complex_guards_inside(run, h, (double)k / run->parts)
            : guards_at(run, run->origin + (creal(run->t) + h) * run->direction,
                        run->x_new);
        for (int g = 0; g < events; g++) {
            struct complex_guard *guard = guard_of(run, g);
            double r = creal(run->r[g]);
            run->table[k * events + g] = r;
            guard->scale = fmax(guard->scale, fabs(r));
            guard->swing = fmax(guard->swing, fabs(cimag(run->r[g])));
        }
    }
    return status;
}

static bool crosses(enum direction direction, double from, double to)
{
    bool falls = from > 0 && to <= 0, rises = from < 0 && to >= 0;
    return (falls && direction != RISING) || (rises && direction != FALLING);
}

/* Has a guard that began at zero left it? */
static bool has_left(const struct complex_guard *guard, double r)
{
    return fabs(r) > fmax(1e-13 * guard->scale, 1e3 * guard->noise);
}

/* A guard that left zero on its far side: does its event follow the latest one? */
static bool follows(const struct event *event, const struct event *last)
{
    return last && !event_shares_guard(event, last) &&
           (event->direction == last->direction ||
            !same_formula(event->guard, last->guard));
}

/* Has a guard that is beyond zero at the end of part k left zero there? It may have been
   on the other side first. */
static enum status leave(struct complex_run *run, int g, int k, double h, bool *crossed)
{
    const struct event *event = mode_of(run)->event[g];
    struct complex_guard *guard = guard_of(run, g);
    double r = run->table[k * mode_of(run)->events + g], theta, value;
    enum status status = complex_turn(run, g, h, r > 0 ? -1 : 1, &theta, &value);
    if (status != OK)
        return status;
    guard->armed = true;
    if (has_left(guard, value) && value * r < 0) {
        guard->low = theta;
        guard->last = value;
        *crossed = crosses(event->direction, value, r);
        return OK;
    }
    bool may;
    status = complex_may_happen(run, event, &may);
    if (status != OK)
        return status;
    guard->at_once = *crossed = may && event->direction == (r > 0 ? RISING : FALLING) &&
                                !complex_goes_on(run, event, r > 0 ? 1 : -1);
    enum at_ends at_ends = run->last ? AT_ENDS_REFUSED
                                     : run->request->model->at_ends;
    if (at_ends == AT_ENDS_SKIPPED)
        guard->at_once = *crossed = false;
    if (guard->at_once && at_ends != AT_ENDS_HAPPEN && !follows(event, run->last))
        return diagnose(run->diagnosis, SLIDING, creal(run->t),
                        "complex step: guard of event %s", event->name);
    return OK;
}

/* A guard that has one sign at both ends of part k may have another in between. */
static enum status turn(struct complex_run *run, int g, double h, bool *crossed)
{
    const struct event *event = mode_of(run)->event[g];
    struct complex_guard *guard = guard_of(run, g);
    double theta, value, before = guard->last;
    enum status status = complex_turn(run, g, h, before > 0 ? -1 : 1, &theta, &value);
    if (status != OK || value * before >= 0)
        return status;
    *crossed = true;
    if (crosses(event->direction, before, value)) {
        guard->high = theta;
    } else {
        guard->low = theta;
        guard->last = value;
    }
    return OK;
}

/* Values of a guard that count as zero at the start of an arc, relative to its largest:
   errors of the run may leave so much. */
static double least_of(const struct complex_run *run)
{
    return fmin(1e-9, 100 * run->request->rtol + 1e-12);
}

/* Follows guard g over part k: *crossed tells whether the guard fires there. */
static enum status follow(struct complex_run *run, int g, int k, double h, bool *crossed)
{
    const struct event *event = mode_of(run)->event[g];
    struct complex_guard *guard = guard_of(run, g);
    double r = run->table[k * mode_of(run)->events + g];
    enum status status = OK;
    *crossed = false;
    guard->low = (double)(k - 1) / run->parts;
    guard->high = (double)k / run->parts;
    if (!guard->begun) {
        guard->begun = true;
        guard->noise = fabs(guard->last);
        guard->armed = guard->noise > least_of(run) * guard->scale;
    }
    if (!guard->armed && has_left(guard, r))
        status = leave(run, g, k, h, crossed);
    else if (guard->armed && crosses(event->direction, guard->last, r))
        *crossed = true;
    else if (guard->armed && complex_may_turn(run, g, k))
        status = turn(run, g, h, crossed);
    if (!*crossed)
        guard->last = r;
    return status;
}

/* --- location ----------------------------------------------------------------------- */

/* Bisects for the root of guard g where it has been seen to cross, on the continuous
   extension. */
static enum status bisect(struct complex_run *run, int g, double h)
{
    double low = guard_of(run, g)->low, high = guard_of(run, g)->high;
    double from = guard_of(run, g)->last;
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        enum status status = complex_guards_inside(run, h, middle);
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

/* The value of guard g after one step of complex length dt from the start of the step. */
static enum status guard_after(struct complex_run *run, int g, double complex dt,
                               double complex *r)
{
    enum status status = complex_run_leap(run, dt);
    if (status == OK)
        status = guards_at(run, run->t + dt, run->x_at);
    *r = run->r[g];
    return status;
}

/* The size of a complex time that imaginary parts are compared with: its own, but no
   less than that of a time of length h that moves as far as the parameter, for its size.
   In a run of 1e-13 s a parameter of 1e9 moves times by far less than eps. */
static double moved_time(const struct complex_run *run, double complex t, double h)
{
    return fmax(fabs(cimag(t)), fmin(run->eps, run->part * fabs(h)));
}

/* An iteration has come to rest when a part's correction is at rounding level, or small
   and no longer falling. */
static bool at_rest(double step, double before, double small, double resolution)
{
    if (fabs(step) <= resolution)
        return true;
    return fabs(step) >= 0.5 * fabs(before) && fabs(step) <= small;
}

/* The slope of guard g at dt, where it is r, by a difference over a time so short that
   the slope does not depend on it any more, or r hardly changes. */
static enum status slope_at(struct complex_run *run, int g, double h, double complex dt,
                            double complex r, double complex *slope)
{
    double least = 1e3 * DBL_EPSILON * guard_of(run, g)->scale;
    double away = fmax(h / 1024, 1e-9 * fmax(fabs(creal(run->t)), h));
    double complex there, before = INFINITY;
    for (away = creal(dt) > h / 2 ? -away : away; ; away /= 32) {
        enum status status = guard_after(run, g, dt + away, &there);
        if (status != OK)
            return status;
        *slope = (there - r) / away;
        if (cabs(*slope - before) <= 0.01 * cabs(*slope) || !(cabs(there - r) > least))
            return OK;
        before = *slope;
    }
}

/*
 * guard(dt) = 0 in the complex plane. The slope comes from differences of the guard
 * itself and is kept once steps, or what they change, are too small to measure it: then
 * the iteration is a chord method that gains several digits per pass; near grazing, where
 * the slope is hard to measure, one or so. There the real part comes to rest at rounding,
 * which for the imaginary part is not small: so what is at rest stays where it is, and
 * the slope is measured by the imaginary part.
 */
static enum status locate(struct complex_run *run, int g, double h, double complex *dt)
{
    double complex r, slope;
    double before[2] = {INFINITY, INFINITY};
    double rounding = 16 * DBL_EPSILON * guard_of(run, g)->scale;
    bool still = false;
    enum status status = guard_after(run, g, *dt, &r);
    if (status == OK)
        status = slope_at(run, g, h, *dt, r, &slope);
    if (status != OK)
        return status;
    for (int k = 0; k < 25; k++) {
        double complex r_before = r;
        double complex step = still ? -_Complex_I * cimag(r) / creal(slope) : -r / slope;
        if (!isfinite(creal(step)) || !isfinite(cimag(step)))
            return diagnose(run->diagnosis, GRAZING, creal(run->t),
                            "complex step: event %s", mode_of(run)->event[g]->name);
        *dt += step;
        status = guard_after(run, g, *dt, &r);
        if (status != OK)
            return status;
        double moved = moved_time(run, run->t + *dt, h);
        if (fabs(creal(step)) > 1e-6 * h && fabs(creal(r - r_before)) > rounding)
            slope = (r - r_before) / step;
        else if (still && fabs(cimag(step)) > 1e-6 * moved)
            slope = cimag(r - r_before) / cimag(step);
        run->rate = creal(slope);
        double small = fmax(1e-9, rounding / fabs(run->rate * h));
        /* Parts of an imaginary guard may cancel, like those of a real one. */
        double rounded = 16 * DBL_EPSILON * guard_of(run, g)->swing / fabs(run->rate);
        still = still || at_rest(creal(step), before[0], small * h,
                                 DBL_EPSILON * fabs(creal(*dt)) / 2);
        if (still && at_rest(cimag(step), before[1], fmax(small * moved, rounded),
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
    run->theta[g] = 0;
    return guard_of(run, g)->at_once ? OK : bisect(run, g, h);
}

/* Does guard g cross zero together with that of *fired? */
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

/* A guard that fires at once does so for every rho; or it is tied with the event
   before. */
static enum status check_at_once(struct complex_run *run, int g, double complex dt)
{
    double moved = moved_time(run, run->t, run->span);
    const struct complex_guard *guard = guard_of(run, g);
    bool tied = guard->tied &&
                fabs(creal(run->t) - guard->tied_at) <= complex_run_instant(run);
    if (!guard->at_once || tied || fabs(cimag(dt)) <= 1e-8 * moved)
        return OK;
    return diagnose(run->diagnosis, SIMULTANEOUS, creal(run->t),
                    "complex step: event %s follows %s at once, but not when the "
                    "parameter changes", mode_of(run)->event[g]->name, run->last->name);
}

/* Is no event declared before this one that shares its guard and crosses zero with it? */
static bool leads(struct complex_run *run, int g)
{
    const struct complex_mode *mode = mode_of(run);
    for (int i = 0; i < g; i++)
        if (run->crossed[i] && event_shares_guard(mode->event[i], mode->event[g]))
            return false;
    return true;
}

/* Is the event one at the end of the run that the model leaves out? */
static bool left_out(const struct complex_run *run, int g, double complex dt)
{
    return run->request->model->at_ends == AT_ENDS_SKIPPED &&
           !mode_of(run)->event[g]->terminal &&
           fabs(creal(run->t + dt) - run->end) <= complex_run_instant(run);
}

/* Finds the earliest of the guards that have crossed zero; t and x become those there.
   Steps of any length destroy the continuous extension, so all first guesses are made
   first. */
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
        if (!leads(run, g))
            continue;
        status = locate(run, g, h, &dt);
        if (status == OK && left_out(run, g, dt))
            continue;
        guard_of(run, g)->rate = run->rate;
        if (status == OK)
            status = check_at_once(run, g, dt);
        bool together = *fired && fabs(creal(dt - best)) <= complex_run_instant(run);
        if (status == OK && together)
            status = tie(run, g, dt, *fired);
        if (!*fired || (together ? run->reversed : creal(dt) < creal(best))) {
            best = dt;
            *fired = mode->event[g];
            chained = guard_of(run, g)->at_once ? run->chained + 1 : 0;
        }
    }
    if (status == OK && !*fired)
        return OK;
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
    /* One part more than the first with a crossing: a guard together with it may be on
       the other side of the boundary. */
    for (int k = 1, last = run->parts; status == OK && k <= last; k++)
        for (int g = 0; status == OK && g < events; g++) {
            if (run->crossed[g])
                continue;
            status = follow(run, g, k, h, &run->crossed[g]);
            last = run->crossed[g] && !any && k < run->parts ? k + 1 : last;
            any = any || run->crossed[g];
        }
    return status == OK && any ? earliest(run, h, fired) : status;
}
