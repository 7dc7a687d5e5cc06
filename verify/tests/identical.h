/*
 * identical.h - are two trajectories the same to the bit?
 */
#ifndef SALTUS_IDENTICAL_H
#define SALTUS_IDENTICAL_H

#include <string.h>

#include "run.h"

static inline bool same_bits(const double *a, const double *b, int count)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static inline bool same_point(const struct trajectory *a, const struct run_point *x,
                              const struct run_point *y)
{
    return x->mode->index == y->mode->index && same_bits(&x->t, &y->t, 1) &&
           same_bits(x->x, y->x, a->columns.count);
}

static inline bool same_event(const struct trajectory *a, const struct event_record *x,
                              const struct event_record *y)
{
    return x->event->index == y->event->index &&
           same_bits(x->tau, y->tau, a->columns.p) &&
           same_bits(x->impulse, y->impulse, x->event->impulses) &&
           same_bits(&x->rate, &y->rate, 1) &&
           same_bits(&x->condition, &y->condition, 1) &&
           same_point(a, &x->before, &y->before) && same_point(a, &x->after, &y->after);
}

/* The first thing in which they differ, or NULL. Nothing counts as close. */
static inline const char *difference(const struct trajectory *a,
                                     const struct trajectory *b)
{
    int nz = a->columns.model->nz;
    if (a->samples != b->samples || a->events != b->events ||
        a->columns.count != b->columns.count)
        return "numbers of samples, events or columns";
    for (int k = 0; k < a->samples; k++)
        if (!same_point(a, &a->sample[k], &b->sample[k]))
            return "a sample";
    for (int k = 0; k < a->events; k++)
        if (!same_event(a, &a->event[k], &b->event[k]))
            return "an event";
    if (!same_bits(a->psi, b->psi, nz * (1 + a->columns.p)))
        return "a cost";
    if (a->steps != b->steps || a->rejections != b->rejections ||
        a->evaluations != b->evaluations || a->implicit_steps != b->implicit_steps)
        return "steps, rejections or evaluations";
    if (!same_bits(&a->worst_Phi, &b->worst_Phi, 1) ||
        !same_bits(&a->worst_Phid, &b->worst_Phid, 1))
        return "how far constraints are off";
    return NULL;
}

#endif
