/*
 * guard_check.c - certification of event location: guards by their formulas, along a step
 * of a strict run.
 *
 * Roots are found on the series of a guard, and any error of the series is an event that
 * is missed or made up. So the formula is evaluated, too, between the start of the step
 * and the event that ends it, at the state that the series of the motion has there. Both
 * must be the same number, and the formula must not have changed its sign.
 */
#include <math.h>

#include "arc.h"

/* Points on a step, at i/(POINTS + 1) of it: other fractions than a step is divided
   by. */
enum { POINTS = 8 };

/* log2 by which a guard and its series may differ: half of the digits, relative to the
   terms of the formula and of its series. */
static double limit(const struct arc *arc, int guard)
{
    double size = fmax(arc->scale[guard], taylor_watched_size(arc->taylor, guard));
    return size + arc->run->resolution;
}

/* Loads a block of the formula's variables, from their series, at the time `since`
   from here. */
static void load(struct mp_series *direct, const struct taylor *taylor, int block,
                 mpfr_srcptr series, int count, mpfr_srcptr since)
{
    mpfr_ptr value = mp_vector_new((size_t)count, taylor->precision);
    for (int i = 0; i < count; i++)
        mp_polynomial(value + i, series + (ptrdiff_t)i * (taylor->order + 1),
                      taylor->order, since);
    mp_series_load(direct, 0, block, 0, value, 1);
    mp_vector_free(value);
}

static mpfr_srcptr evaluate(struct mp_series *direct, const struct taylor *taylor,
                            mpfr_srcptr since)
{
    int n = taylor->n;
    mpfr_ptr t = mp_vector_new(1, taylor->precision);
    mpfr_add(t, taylor->t, since, MPFR_RNDN);
    mp_series_load(direct, 0, BLOCK_RHO, 0, taylor->rho, 1);
    mp_series_run(direct, 0, STAGE_RHO, 0);
    mp_series_load(direct, 0, BLOCK_T, 0, t, 1);
    load(direct, taylor, BLOCK_Q, taylor_y(taylor, 0, 0), n, since);
    load(direct, taylor, BLOCK_V, taylor_y(taylor, 0, n), n, since);
    load(direct, taylor, BLOCK_S, taylor_y(taylor, 0, 2 * n), taylor->ns, since);
    load(direct, taylor, BLOCK_A, taylor_u(taylor, 0, 0), n, since);
    load(direct, taylor, BLOCK_LAMBDA, taylor_u(taylor, 0, n), taylor->m, since);
    mp_series_run(direct, 0, STAGE_STATE, 0);
    mp_vector_free(t);
    return mp_series_output(direct, 0, 0);
}

static enum status compare(struct arc *arc, int guard, struct mp_series *direct,
                           mpfr_srcptr until)
{
    struct run *run = arc->run;
    const struct taylor *taylor = arc->taylor;
    mpfr_ptr since = run->work + 3, series = run->work + 4, off = run->work + 5;
    double most = limit(arc, guard);
    int sign = 0;
    for (int i = 1; i <= POINTS; i++) {
        mpfr_mul_ui(since, until, (unsigned long)i, MPFR_RNDN);
        mpfr_div_ui(since, since, POINTS + 1, MPFR_RNDN);
        mpfr_srcptr value = evaluate(direct, taylor, since);
        mp_polynomial(series, taylor_guard(taylor, guard), taylor->order, since);
        mpfr_sub(off, value, series, MPFR_RNDN);
        bool clear = mp_log2(value) > most;
        bool changed = clear && sign != 0 && mpfr_sgn(value) != sign;
        if (clear)
            sign = mpfr_sgn(value);
        if (mp_log2(off) <= most && !changed)
            continue;
        mpfr_add(since, since, run->t, MPFR_RNDN);
        return diagnose(run->diagnosis, PRECISION, mpfr_get_d(since, MPFR_RNDN),
                        "the guard of event %s is %.12g there, but by its series %.12g%s",
                        taylor->plan->event[guard]->name, mpfr_get_d(value, MPFR_RNDN),
                        mpfr_get_d(series, MPFR_RNDN),
                        changed ? ", and has changed its sign without an event" : "");
    }
    return OK;
}

enum status arc_compare_guards(struct arc *arc)
{
    const struct run *run = arc->run;
    const struct taylor *taylor = arc->taylor;
    mpfr_srcptr until = arc->guard >= 0 ? arc->first_root : arc->step;
    enum status status = OK;
    for (int i = 0; status == OK && i < taylor->plan->guards; i++) {
        const struct event_plan *event = &run->plan->event[taylor->plan->event[i]->index];
        struct mp_series *direct = mp_series_new(event->guard, 0, taylor->precision, 1,
                                                  PROGRAM_STAGES);
        status = compare(arc, i, direct, until);
        mp_series_free(direct);
    }
    return status;
}
