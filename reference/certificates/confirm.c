/*
 * confirm.c - confirmation of certified numbers by an independent run, with other steps,
 * order and digits.
 *
 * Both routes of certify take their steps by the same rules, of the same order: an event
 * that one does not see, the other does not either. A strict run (reference.h) of the
 * values alone, with other digits and so another order, has steps of other lengths and
 * compares every guard with its formula. It must come to the same events and values.
 */
#include <math.h>

#include "certificate.h"
#include "events/mp_run.h"
#include "value_sizes.h"

enum { MORE_DIGITS = 7 };

/* Digits on which the values of a sample agree, by their sizes; -1: the modes differ. */
static double values_agree(const struct mp_point *a, const struct mp_point *b, int width,
                           const double *size)
{
    double least = a->mode == b->mode ? INFINITY : -1;
    for (int i = 0; i < width; i++)
        least = fmin(least, mp_digits_of_size(b->x[i], a->x[i], size[i]));
    return least;
}

static enum status same_events(const struct mp_trajectory *a,
                               const struct mp_trajectory *b, int digits,
                               struct diagnosis *diagnosis)
{
    for (int e = 0; e < a->events || e < b->events; e++) {
        const struct mp_event *x = e < a->events ? &a->event[e] : NULL;
        const struct mp_event *y = e < b->events ? &b->event[e] : NULL;
        double t = mpfr_get_d((x ? x : y)->before.t, MPFR_RNDN);
        if (!x || !y || x->event != y->event)
            return diagnose(diagnosis, PRECISION, t,
                            "event %d is %s, but %s in a run with other steps", e + 1,
                            x ? x->event->name : "none", y ? y->event->name : "none");
        double agreed = mp_digits(y->before.t, x->before.t, NULL);
        if (agreed < digits)
            return diagnose(diagnosis, PRECISION, t,
                            "event %d, %s: %.1f digits of its time are the same in a run "
                            "with other steps", e + 1, x->event->name, agreed);
    }
    return OK;
}

enum status certify_confirm(const struct reference_request *request, int digits,
                            const struct mp_trajectory *trajectory,
                            const struct value_sizes *sizes, struct mp_trajectory **out,
                            struct diagnosis *diagnosis)
{
    struct reference_request other = *request;
    struct mp_trajectory *again;
    struct diagnosis why;
    other.digits += MORE_DIGITS;
    other.parameters = 0;
    other.direction = NULL;
    other.strict = true;
    enum status status = reference_run(&other, &again, &why);
    if (status != OK)
        return diagnose(diagnosis, certifiable_refusal(status) ? PRECISION : status,
                        why.t, "%.280s (%s, in a run with other steps; both routes are "
                        "not refused)", why.place, status_text(status));
    status = same_events(trajectory, again, digits, diagnosis);
    for (int i = 0; status == OK && i < trajectory->samples; i++) {
        double agreed = i < again->samples
                            ? values_agree(&trajectory->sample[i], &again->sample[i],
                                           trajectory->columns.width,
                                           value_sizes_of_sample(sizes, i))
                            : -1;
        if (agreed < digits)
            status = diagnose(diagnosis, PRECISION,
                              mpfr_get_d(trajectory->sample[i].t, MPFR_RNDN),
                              "%.1f digits of the values are the same in a run with "
                              "other steps", fmax(agreed, 0));
    }
    if (status == OK && out != NULL)
        *out = again;
    else
        mp_trajectory_free(again);
    return status;
}
