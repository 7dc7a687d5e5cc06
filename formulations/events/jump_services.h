/*
 * jump_services.h - the services of jump rules: the programs and factors at an event.
 */
#ifndef SALTUS_JUMP_SERVICES_H
#define SALTUS_JUMP_SERVICES_H

#include "equations/system.h"
#include "events/jump.h"
#include "events/reset.h"

/* When a rule is called, the guard rows of `from` and the rows of `reset` are loaded at
   the event, and the motion rows of `to` after it. */
struct jump_work {
    struct system *system;
    struct mode_system *from, *to;
    int guard;                      /* the guard of `from` that fired */
    struct reset *reset;
    const double *w;                /* [event->w] solution of the reset */
    double *scratch;                /* [3n + ns + m + event->w] */
    bool costless;                  /* fault injection: costs of events have no
                                       derivatives (adjoint_faults.h) */
};

/* The derivative of guard k of a mode along a direction, at the point where the rows of
   the guard are loaded. */
double guard_tangent(const struct system *system, struct mode_system *ms, int k,
                     const struct jump_direction *direction);
/* The largest change of guard k of a mode, to first order, when every quantity that the
   guard depends on changes by size[block]. With NULL every quantity changes by itself,
   which gives the scale of rounding. */
double guard_spread(const struct mode_system *ms, int k, const double *const *size);

#endif
