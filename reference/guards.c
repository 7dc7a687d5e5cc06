/*
 * guards.c - sides of the guards at the start of an arc, and the first event on a step.
 */
#include <math.h>

#include "arc.h"
#include "formula/diff.h"

double arc_time(const struct arc *arc)
{
    return mpfr_get_d(arc->run->t, MPFR_RNDN);
}

double arc_instant(const struct arc *arc)
{
    return arc->run->resolution + fmax(0, mp_log2(arc->run->t));
}

bool arc_same_time(const struct arc *arc, mpfr_srcptr a, mpfr_srcptr b)
{
    mpfr_ptr work = arc->run->work;
    mpfr_sub(work, a, b, MPFR_RNDN);
    return mp_log2(work) <= arc_instant(arc);
}

/* --- guards at the start of an arc -------------------------------------------------- */

static double guard_scale(const struct arc *arc, int guard, double h)
{
    mpfr_srcptr c = taylor_guard(arc->taylor, 0, guard);
    double scale = -INFINITY;
    for (int k = 0; k <= arc->taylor->order; k++)
        scale = fmax(scale, mp_log2(c + k) + (k > 0 ? k * h : 0));
    return scale;
}

void arc_scales(struct arc *arc)
{
    for (int i = 0; i < arc->taylor->plan->guards; i++)
        arc->scale[i] = guard_scale(arc, i, arc->h);
}

void arc_note_largest(struct arc *arc)
{
    double h = mp_log2(arc->step);
    for (int i = 0; i < arc->taylor->plan->guards; i++)
        arc->largest[i] = fmax(arc->first ? -INFINITY : arc->largest[i],
                               guard_scale(arc, i, h));
}

/* Sign of a guard right after the start of the arc; *zeros: leading coefficients of 0. */
static int side(const struct arc *arc, int guard, int *zeros)
{
    mpfr_srcptr c = taylor_guard(arc->taylor, 0, guard);
    double least = arc->scale[guard] - (arc->run->digits - 10) * MP_BITS_PER_DIGIT;
    for (*zeros = 0; *zeros <= arc->taylor->order; ++*zeros) {
        int k = *zeros;
        if (mp_log2(c + k) + (k > 0 ? k * arc->h : 0) > least)
            return mpfr_sgn(c + k);
    }
    return 0;
}

/* The guard is zero at +, heading for its far side (or nowhere). */
static enum status wrong_side(struct arc *arc, int guard, int sign)
{
    const struct event *event = arc->taylor->plan->event[guard];
    struct diagnosis *diagnosis = arc->run->diagnosis;
    if (arc->cause == NULL)
        return diagnose(diagnosis, EVENT_AT_END, arc_time(arc),
                        "event %s falls on the start", event->name);
    if (sign == 0)
        return diagnose(diagnosis, SLIDING, arc_time(arc),
                        "after event %s the guard of %s stays zero", arc->cause->name,
                        event->name);
    if (event == arc->cause || (event->direction != arc->cause->direction &&
                                same_formula(event->guard, arc->cause->guard)))
        return diagnose(diagnosis, SLIDING, arc_time(arc),
                        "after event %s the motion passes its guard again at once",
                        arc->cause->name);
    if (arc->guard >= 0)
        return diagnose(diagnosis, SIMULTANEOUS, arc_time(arc),
                        "events %s and %s both follow %s at once",
                        arc->taylor->plan->event[arc->guard]->name, event->name,
                        arc->cause->name);
    arc->guard = guard;
    return OK;
}

/* Sides of all guards at the start of an arc. Sets arc->guard when one fires at once. */
enum status arc_look(struct arc *arc)
{
    const struct mode_plan *plan = arc->taylor->plan;
    for (int i = 0; i < plan->guards; i++) {
        int direction = (int)plan->event[i]->direction;
        int sign = side(arc, i, &arc->deflate[i]);
        bool far = direction != EITHER && sign == direction;
        enum status status = OK;
        if (arc->deflate[i] == 0 && far)
            status = diagnose(arc->run->diagnosis, GUARD_VIOLATED, arc_time(arc),
                              "the guard of %s is %.6g at the start of mode %s%s%s",
                              plan->event[i]->name,
                              mpfr_get_d(taylor_guard(arc->taylor, 0, i), MPFR_RNDN),
                              plan->mode->name, arc->cause ? ", after " : "",
                              arc->cause ? arc->cause->name : "");
        else if (arc->deflate[i] > 0 && (far || sign == 0 || arc->cause == NULL))
            status = wrong_side(arc, i, sign);
        if (status != OK)
            return status;
    }
    return OK;
}

/* --- the first event on a step ------------------------------------------------------ */

/* The root found is refused; the run ends there. other: the guard with the same root. */
static enum status no_event(struct arc *arc, int other, bool touch)
{
    struct run *run = arc->run;
    const struct event **event = arc->taylor->plan->event;
    const char *name = event[arc->guard]->name;
    mpfr_add(run->t, run->t, arc->first_root, MPFR_RNDN);
    if (other >= 0)
        return diagnose(run->diagnosis, SIMULTANEOUS, arc_time(arc), "events %s and %s",
                        event[other]->name, name);
    return diagnose(run->diagnosis, touch ? GRAZING : EVENT_AT_END, arc_time(arc),
                    touch ? "event %s: the guard touches zero"
                          : "event %s falls on the end", name);
}

/* Earliest root of all guards into arc->first_root and arc->guard (-1: none). Roots are
   looked for a little beyond the step, so that none hides at its end. */
enum status arc_search(struct arc *arc)
{
    struct run *run = arc->run;
    const struct mode_plan *plan = arc->taylor->plan;
    bool touch = false, both = false;
    int other = -1;
    mpfr_mul_d(arc->reach, arc->step, 1 + 0x1p-10, MPFR_RNDN);
    mpfr_sub(arc->left, run->t_end, run->t, MPFR_RNDN);
    for (int i = 0; i < plan->guards; i++) {
        mpfr_srcptr c = taylor_guard(arc->taylor, 0, i);
        enum root found = roots_first(run->roots, c, arc->first ? arc->deflate[i] : 0,
                                      arc->reach, arc->root);
        if (found == ROOT_NONE)
            continue;
        /* Beyond the end of time nothing happens. */
        if (mpfr_cmp(arc->root, arc->left) > 0 &&
            !arc_same_time(arc, arc->root, arc->left))
            continue;
        bool same = arc->guard >= 0 && arc_same_time(arc, arc->root, arc->first_root);
        if (!same && arc->guard >= 0 && mpfr_cmp(arc->root, arc->first_root) > 0)
            continue;
        both = same;
        other = arc->guard;
        arc->guard = i;
        touch = found == ROOT_TOUCH;
        mpfr_set(arc->first_root, arc->root, MPFR_RNDN);
    }
    if (arc->guard < 0)
        return OK;
    bool last = arc_same_time(arc, arc->first_root, arc->left) &&
                !plan->event[arc->guard]->terminal;
    return both || touch || last ? no_event(arc, both ? other : -1, touch) : OK;
}
