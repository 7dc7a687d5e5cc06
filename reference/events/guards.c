/*
 * guards.c - event location: sides of the guards at the start of an arc, by their first
 * nonzero derivative, and the first root on a step, by isolation.
 */
#include <math.h>

#include "far_side.h"
#include "formula/diff.h"
#include "instant.h"

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
    mpfr_srcptr c = taylor_guard(arc->taylor, guard);
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

/* Sign of a guard right after the start of the arc, 0 if it stays zero. *zeros: number
   of leading coefficients that are zero. */
static int side(const struct arc *arc, int guard, int *zeros)
{
    mpfr_srcptr c = taylor_guard(arc->taylor, guard);
    double least = arc->scale[guard] - (arc->run->digits - 10) * MP_BITS_PER_DIGIT;
    for (*zeros = 0; *zeros <= arc->taylor->order; ++*zeros) {
        int k = *zeros;
        if (mp_log2(c + k) + (k > 0 ? k * arc->h : 0) > least)
            return mpfr_sgn(c + k);
    }
    return 0;
}

/* Handles a guard that is zero where the arc begins and heads for its far side, or
   stays zero (sign 0): it goes on, slides, or fires at once. */
static enum status wrong_side(struct arc *arc, int guard, int sign)
{
    const struct event *event = arc->taylor->plan->event[guard];
    struct diagnosis *diagnosis = arc->run->diagnosis;
    if (sign != 0 && arc_goes_on(arc, event, sign))
        return OK;
    enum at_ends at_ends = arc->run->model->at_ends;
    if (arc->cause == NULL && at_ends == AT_ENDS_REFUSED)
        return diagnose(diagnosis, EVENT_AT_END, arc_time(arc),
                        "event %s falls on the start", event->name);
    if (sign == 0)
        return diagnose(diagnosis, SLIDING, arc_time(arc),
                        "after %s%s the guard of %s stays zero",
                        arc->cause ? "event " : "the start",
                        arc->cause ? arc->cause->name : "", event->name);
    if (arc->cause == NULL && (at_ends == AT_ENDS_SKIPPED ||
                               sign * (int)event->direction < 0))
        return OK;
    if (arc->cause != NULL &&
        (event_shares_guard(event, arc->cause) ||
         (event->direction != arc->cause->direction &&
          same_formula(event->guard, arc->cause->guard))))
        return diagnose(diagnosis, SLIDING, arc_time(arc),
                        "after event %s the motion passes its guard again at once",
                        arc->cause->name);
    arc->guard = arc->guard < 0 ? guard : arc->guard;
    arc->fires[guard] = sign;
    return OK;
}

/* True: the guard is tied with one that has fired, has not fired itself, and goes on
   in the direction in which it came. It may be as far from zero as times cannot be
   told apart. */
static bool due(struct arc *arc, int guard)
{
    const struct event *event = arc->taylor->plan->event[guard];
    const struct tied *tied = arc_tied(arc, event);
    mpfr_srcptr c = taylor_guard(arc->taylor, guard);
    return tied && !tied->fired && tied->event->direction == event->direction &&
           mpfr_sgn(c + 1) == tied->sign &&
           mp_log2(c) <= arc_instant(arc) + mp_log2(c + 1);
}

enum status arc_finite(const struct arc *arc)
{
    const struct mode_plan *plan = arc->taylor->plan;
    enum status status = taylor_outside(arc->taylor, arc->run->diagnosis);
    for (int i = 0; status == OK && i < plan->guards; i++)
        if (!mpfr_number_p(taylor_guard(arc->taylor, i)))
            return diagnose(arc->run->diagnosis, NOT_FINITE, arc_time(arc),
                            "guard %s is not finite here", plan->event[i]->name);
    return status;
}

enum status arc_look(struct arc *arc)
{
    const struct mode_plan *plan = arc->taylor->plan;
    for (int i = 0; i < plan->guards; i++)
        arc->fires[i] = 0;
    for (int i = 0; i < plan->guards; i++) {
        int direction = (int)plan->event[i]->direction;
        if (due(arc, i)) {
            arc->guard = arc->guard < 0 ? i : arc->guard;
            arc->fires[i] = mpfr_sgn(taylor_guard(arc->taylor, i) + 1);
            continue;
        }
        int sign = side(arc, i, &arc->deflate[i]);
        bool far = direction != EITHER && sign == direction;
        enum status status = OK;
        bool own = arc->cause && same_formula(arc->cause->guard, plan->event[i]->guard);
        bool crossed = (!own && event_far_is_open(arc->run->model, plan->event[i])) ||
                       (arc->cause ? arc_was_far(arc, plan->event[i])
                                   : plan->event[i]->crossed);
        if (arc->deflate[i] == 0 && far && !crossed)
            status = diagnose(arc->run->diagnosis, GUARD_VIOLATED, arc_time(arc),
                              "the guard of %s is %.6g at the start of mode %s%s%s",
                              plan->event[i]->name,
                              mpfr_get_d(taylor_guard(arc->taylor, i), MPFR_RNDN),
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

/* Refuses the root that was found; the run ends there. */
static enum status no_event(struct arc *arc, enum root root)
{
    struct run *run = arc->run;
    const struct event **event = arc->taylor->plan->event;
    const char *name = event[arc->guard]->name;
    mpfr_add(run->t, run->t, arc->first_root, MPFR_RNDN);
    return diagnose(run->diagnosis, root == ROOT_CROSSING ? EVENT_AT_END : GRAZING,
                    arc_time(arc),
                    root == ROOT_TOUCH  ? "event %s: the guard touches zero"
                    : root == ROOT_FLAT ? "event %s: the guard crosses zero with rate "
                                          "zero"
                                        : "event %s falls on the end", name);
}

/* Notes in arc->fires the guards that have the first root, with the sign of their
   rates. */
static void note_fires(struct arc *arc)
{
    const struct taylor *taylor = arc->taylor;
    mpfr_ptr rate = arc->run->work + 3;
    for (int i = 0; i < taylor->plan->guards; i++) {
        arc->fires[i] = 0;
        if (mpfr_nan_p(arc->roots + i) ||
            !arc_same_time(arc, arc->roots + i, arc->first_root))
            continue;
        mpfr_srcptr c = taylor_guard(taylor, i);
        mpfr_set_zero(rate, 1);
        for (int k = taylor->order; k > 0; k--) {
            mpfr_mul(rate, rate, arc->first_root, MPFR_RNDN);
            mpfr_mul_ui(arc->run->work + 4, c + k, (unsigned long)k, MPFR_RNDN);
            mpfr_add(rate, rate, arc->run->work + 4, MPFR_RNDN);
        }
        arc->fires[i] = mpfr_sgn(rate) < 0 ? -1 : 1;
    }
}

/* True: the motion goes through the guard against the direction that is watched. It
   has been on the far side, then, since an event let it go on there. */
static bool backwards(const struct arc *arc, int guard)
{
    return arc->fires[guard] * (int)arc->taylor->plan->event[guard]->direction < 0;
}

bool arc_drop_backwards(struct arc *arc)
{
    const struct mode_plan *plan = arc->taylor->plan;
    for (int i = 0; i < plan->guards; i++) {
        if (!backwards(arc, i))
            continue;
        arc->cause = arc->cause ? arc->cause : plan->event[i];
        arc->fires[i] = 0;
    }
    for (int i = 0; i < plan->guards; i++)
        if (arc->fires[i] != 0) {
            arc->guard = i;
            return true;
        }
    return false;
}

/* Roots are looked for a little beyond the step, so that none hides at its end. */
enum status arc_search(struct arc *arc)
{
    struct run *run = arc->run;
    const struct mode_plan *plan = arc->taylor->plan;
    enum root first = ROOT_CROSSING;
    mpfr_mul_d(arc->reach, arc->step, 1 + 0x1p-10, MPFR_RNDN);
    mpfr_sub(arc->left, run->t_end, run->t, MPFR_RNDN);
    for (int i = 0; i < plan->guards; i++) {
        mpfr_srcptr c = taylor_guard(arc->taylor, i);
        enum root found = roots_first(run->roots, c, arc->first ? arc->deflate[i] : 0,
                                      arc->reach, arc->root);
        mpfr_set_nan(arc->roots + i);
        if (found == ROOT_NONE)
            continue;
        /* A root after the end of time is no event, nor one on it that is left out. */
        bool on_end = arc_same_time(arc, arc->root, arc->left);
        if (on_end ? run->model->at_ends == AT_ENDS_SKIPPED && !plan->event[i]->terminal
                   : mpfr_cmp(arc->root, arc->left) > 0)
            continue;
        mpfr_set(arc->roots + i, arc->root, MPFR_RNDN);
        if (arc->guard >= 0 && mpfr_cmp(arc->root, arc->first_root) >= 0)
            continue;
        arc->guard = i;
        first = found;
        mpfr_set(arc->first_root, arc->root, MPFR_RNDN);
    }
    if (arc->guard < 0)
        return OK;
    note_fires(arc);
    bool last = run->model->at_ends == AT_ENDS_REFUSED &&
                arc_same_time(arc, arc->first_root, arc->left) &&
                !plan->event[arc->guard]->terminal && !backwards(arc, arc->guard);
    return first != ROOT_CROSSING || last ? no_event(arc, first) : OK;
}
