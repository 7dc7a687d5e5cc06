/*
 * complex_together.c - events that fall together in complex-step runs (complex_run.h).
 *
 * A run takes them in the order in which they are declared, or in the opposite one; both
 * runs must lead to one result. The sides of each event are those of all, and so is the
 * time, which rounding makes a little different.
 */
#include "oracles/complex_run.h"

#include <math.h>
#include <string.h>

void complex_together_join(struct trajectory *trajectory, int first)
{
    struct event_record *event = trajectory->event;
    double t = event[first].before.t, resolution = 1e-12 * fmax(1, fabs(t));
    int last = first;
    size_t size = (size_t)trajectory->columns.count * sizeof *event->before.x;
    while (last + 1 < trajectory->events && event[last + 1].before.t - t <= resolution)
        last++;
    for (int k = first; k <= last; k++) {
        event[k].before.mode = event[first].before.mode;
        event[k].after.mode = event[last].after.mode;
        event[k].before.t = event[k].after.t = t;
        if (k > first)
            memcpy(event[k].before.x, event[first].before.x, size);
        if (k < last)
            memcpy(event[k].after.x, event[last].after.x, size);
    }
}

/* The points that both orders must agree in: samples, then that after the events. */
static const struct run_point *point_of(const struct trajectory *t, int k, int first)
{
    return k < t->samples ? &t->sample[k] : &t->event[first].after;
}

/* The largest number of a group in one block of columns, at all these points. */
static double group_size(const struct trajectory *t, int index, int event)
{
    enum column_group group;
    int i, j;
    double size = 0;
    column_parts(&t->columns, index, &group, &i, &j);
    int first = t->columns.begin[group] + (j + 1) * t->columns.width;
    int past = first + t->columns.begin[group + 1] - t->columns.begin[group];
    for (int k = 0; k <= t->samples; k++)
        for (int c = first; c < past; c++) {
            double x = fabs(point_of(t, k, event)->x[c]);
            size = isnan(x) ? size : fmax(size, x);
        }
    return size;
}

enum status complex_together_compare(const struct trajectory *a,
                                     const struct trajectory *b, int first,
                                     struct diagnosis *diagnosis)
{
    static const double tolerance = 1e-8;
    double t = a->event[first].before.t;
    const char *one = a->event[first].event->name, *other = b->event[first].event->name;
    bool same = a->events == b->events && a->samples == b->samples;
    for (int c = 0; same && c < a->columns.count; c++) {
        double limit = tolerance * fmax(group_size(a, c, first), 1e-3);
        for (int k = 0; k <= a->samples; k++) {
            char name[80];
            const struct run_point *p = point_of(a, k, first), *q = point_of(b, k, first);
            bool aside = k < a->samples && fabs(p->t - t) <= 1e-9 * fmax(1, fabs(t));
            if (aside || !(fabs(p->x[c] - q->x[c]) > limit))
                continue;       /* a sample may be on either side of the events */
            column_name(&a->columns, c, name, sizeof name);
            return diagnose(diagnosis, SIMULTANEOUS, t, "complex step: %s is %.6g at t = "
                            "%.6g when %s is first, %.6g when %s is", name, p->x[c], p->t,
                            one, q->x[c], other);
        }
    }
    if (same)
        return OK;
    return diagnose(diagnosis, SIMULTANEOUS, t,
                    "complex step: %d events when %s is first, "
                    "%d when %s is",
                    a->events, one, b->events, other);
}
