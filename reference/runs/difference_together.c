/*
 * difference_together.c - central differences across simultaneous events: runs in which
 * events come in another order.
 *
 * Events that are at one time for the nominal parameters are at different times for moved
 * ones, in one order or another. Between the events each order is another mechanism,
 * before the first and after the last event all are one. The points there are carried
 * along their own motion, by a distance of the size of the step h, to the one time of the
 * nominal run, to second order. There they are differenced as points at fixed time.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "difference.h"

enum { MOST_TOGETHER = 8 };

static const struct mp_event *event_of(const struct difference *all, int i, int e)
{
    const struct mp_trajectory *t = all->job[i].out;
    return e < t->events ? &t->event[e] : NULL;
}

/* The number of events from e on that are together in run i itself. */
static int joined(const struct difference *all, int i, int e)
{
    int length = 1;
    const struct mp_event *next;
    while ((next = event_of(all, i, e + length)) && next->together)
        length++;
    return length;
}

/* True: the events [e, e + length) of run i are those of run 0 in some order, close in
   time. */
static bool same_events(const struct difference *all, int i, int e, int length)
{
    bool used[MOST_TOGETHER] = {false};
    double close = pow(10, -all->request->digits / 8.0);
    if (length > MOST_TOGETHER)
        return false;
    for (int k = 0; k < length; k++) {
        const struct mp_event *one = event_of(all, i, e + k), *other = NULL;
        for (int j = 0; one && j < length && !other; j++) {
            other = used[j] ? NULL : event_of(all, 0, e + j);
            other = other && other->event == one->event ? other : NULL;
            used[j] = used[j] || other;
        }
        if (!other)
            return false;
        double s = mpfr_get_d(one->before.t, MPFR_RNDN);
        if (fabs(s - mpfr_get_d(other->before.t, MPFR_RNDN)) > close * fmax(1, fabs(s)))
            return false;
    }
    return true;
}

/* The number of events from e on that are together in some run, or in another order
   than in run 0. 1: the event is by itself. */
static int group_at(const struct difference *all, int e)
{
    int length = 1;
    for (int i = 0; i < all->jobs; i++) {
        const struct mp_event *own = event_of(all, i, e), *first = event_of(all, 0, e);
        int k = joined(all, i, e);
        if (k == 1 && own && first && own->event != first->event)
            for (k = 2; k <= MOST_TOGETHER && !same_events(all, i, e, k);)
                k++;
        length = k > length && k <= MOST_TOGETHER ? k : length;
    }
    for (int i = 1; i < all->jobs; i++)
        if (!same_events(all, i, e, length))
            return 1;
    return length;
}

/* Second-order extrapolation of a point: x + rate d + second d^2/2 with d = until - t;
   x, rate, second [width]. */
static void carry(struct mp_point *point, mpfr_srcptr rate, mpfr_srcptr second, int width,
                  mpfr_srcptr t, mpfr_srcptr until)
{
    mpfr_t d, half;
    mpfr_init2(d, mpfr_get_prec(t));
    mpfr_init2(half, mpfr_get_prec(t));
    mpfr_sub(d, until, t, MPFR_RNDN);
    mpfr_sqr(half, d, MPFR_RNDN);
    mpfr_div_2ui(half, half, 1, MPFR_RNDN);
    for (int i = 0; i < width; i++) {
        mpfr_ptr x = (mpfr_ptr)point->x + i;
        mpfr_fma(x, rate + i, d, x, MPFR_RNDN);
        mpfr_fma(x, second + i, half, x, MPFR_RNDN);
    }
    mpfr_clear(d);
    mpfr_clear(half);
}

/* Sorts the events [e, e + length) of a run as in `order` [length]. */
static void reorder(struct job *job, int e, int length, const struct event *const *order)
{
    struct mp_event *event = job->out->event + e;
    for (int k = 0; k < length; k++) {
        int j = k;
        while (event[j].event != order[k])
            j++;
        struct mp_event moved = event[j];
        mpfr_ptr rates = job->rates[e + j];
        for (; j > k; j--) {
            event[j] = event[j - 1];
            job->rates[e + j] = job->rates[e + j - 1];
        }
        event[k] = moved;
        event[k].together = k > 0;
        job->rates[e + k] = rates;
    }
}

/* Brings both points of a group of events to the time `until`, and into all of its
   events. */
static void settle(struct job *job, int e, int length, mpfr_srcptr until)
{
    struct mp_trajectory *t = job->out;
    int width = t->columns.width, count = t->columns.count, last = e + length - 1;
    struct mp_event *event = t->event;
    carry(&event[e].before, job->rates[e], job->rates[e] + 2 * width, width,
          event[e].before.t, until);
    carry(&event[last].after, job->rates[last] + width, job->rates[last] + 3 * width,
          width, event[last].after.t, until);
    for (int k = e; k <= last; k++) {
        event[k].before.mode = event[e].before.mode;
        event[k].after.mode = event[last].after.mode;
        if (k > e)
            mp_copy((mpfr_ptr)event[k].before.x, (mpfr_srcptr)event[e].before.x, count);
        if (k < last)
            mp_copy((mpfr_ptr)event[k].after.x, (mpfr_srcptr)event[last].after.x, count);
    }
}

/* The time of event e of run 0: of the nominal run, or the mean of the two that stand
   for it. */
static void time_of_first(const struct difference *all, int e, mpfr_ptr t)
{
    const struct mp_event *one = event_of(all, 0, e);
    const struct mp_event *other = event_of(all, all->nominal > 0 ? 0 : 1, e);
    while (other->event != one->event)
        other++;
    mpfr_add(t, one->before.t, other->before.t, MPFR_RNDN);
    mpfr_div_2ui(t, t, 1, MPFR_RNDN);
}

/* Order of declaration, which is the order of events that are together in one run. */
static int by_index(const void *a, const void *b)
{
    const struct event *const *one = a, *const *other = b;
    return (*one)->index - (*other)->index;
}

void difference_settle(struct difference *all)
{
    const struct mp_trajectory *nominal = all->job[0].out;
    const struct event *order[MOST_TOGETHER];
    mpfr_t until;
    mpfr_init2(until, nominal->precision);
    for (int e = 0, length; e < nominal->events; e += length) {
        length = group_at(all, e);
        if (length == 1)
            continue;
        time_of_first(all, e, until);
        for (int k = 0; k < length; k++)
            order[k] = nominal->event[e + k].event;
        if (joined(all, 0, e) < length)
            qsort(order, (size_t)length, sizeof *order, by_index);
        for (int i = 0; i < all->jobs; i++) {
            settle(&all->job[i], e, length, until);
            reorder(&all->job[i], e, length, order);
        }
    }
    mpfr_clear(until);
}
