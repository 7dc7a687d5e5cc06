/*
 * complex_turn.c - a guard that crosses zero and comes back between two samples
 * (complex_event.c).
 *
 * A smooth function that comes near to zero and goes away again has an extreme in
 * between. Samples tell where that may be; then the extreme is looked for on the
 * continuous extension by golden section, which needs no derivative; the sign of the
 * extreme counts.
 */
#include <math.h>

#include "oracles/complex_run.h"

/* May the guard turn: towards zero on the left, away on the right, and no farther from
   zero than neighbours are from each other? An unknown sample may be anything. */
bool complex_may_turn(const struct complex_run *run, int g, int k)
{
    int events = run->cm->mode[run->mode].events;
    const double *r = run->table + g;
    double before = r[(k - 1) * events], after = r[k * events];
    double sign = before > 0 ? 1 : -1, fall = INFINITY, rise = INFINITY;
    if (k > 1)
        fall = sign * (r[(k - 2) * events] - before);
    if (k < run->parts)
        rise = sign * (r[(k + 1) * events] - after);
    return fall >= 0 && rise >= 0 && before * after > 0 &&
           fmin(fabs(before), fabs(after)) <= fmax(fall, rise);
}

enum status complex_turn(struct complex_run *run, int g, double h, double sign,
                         double *theta, double *value)
{
    enum { MOST = 60 };
    static const double golden = 0.6180339887498949;
    const struct complex_guard *guard =
        &run->guard[run->cm->mode[run->mode].event[g]->index];
    double low = guard->low, high = guard->high, other = NAN;
    *theta = high - golden * (high - low);
    enum status status = complex_guards_inside(run, h, *theta);
    *value = creal(run->r[g]);
    for (int i = 0; status == OK && i < MOST && sign * *value <= 0; i++) {
        double probe = low + high - *theta;
        status = complex_guards_inside(run, h, probe);
        other = creal(run->r[g]);
        bool better = sign * other > sign * *value;
        /* The worse of the two bounds the extreme on its side. */
        double worse = better ? *theta : probe;
        if (worse < (better ? probe : *theta))
            low = worse;
        else
            high = worse;
        if (better) {
            *theta = probe;
            *value = other;
        }
    }
    return status;
}
