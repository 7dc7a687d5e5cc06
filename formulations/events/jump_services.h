/*
 * jump_services.h - what stands behind `struct jump_work`: the programs at an event.
 */
#ifndef SALTUS_JUMP_SERVICES_H
#define SALTUS_JUMP_SERVICES_H

#include "equations/system.h"
#include "events/jump.h"
#include "events/reset.h"

/* At the time a rule is called, the guard rows of `from` and the rows of `reset` are
   loaded at the event, and the motion rows of `to` after it. */
struct jump_work {
    struct system *system;
    struct mode_system *from, *to;
    int guard;                      /* which of the guards of `from` fired */
    struct reset *reset;
    const double *w;                /* [event->w] */
    double *scratch;                /* [3n + ns + m + event->w] */
};

/* Derivative of guard k of a mode along a direction, at the point its rows are loaded. */
double guard_tangent(const struct system *system, struct mode_system *ms, int k,
                     const struct jump_direction *direction);
/* How much guard k of a mode changes, at most and to first order, when every quantity
   that it depends on changes by size[block]; NULL: by itself, which is the scale of
   rounding. */
double guard_spread(const struct mode_system *ms, int k, const double *const *size);

#endif
