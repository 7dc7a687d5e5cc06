/*
 * balances.h - laws that a case states beside its equations, on a motion of the
 * reference.
 *
 * The energy of the bodies changes by the power that is stated for each mode, and at
 * events what event_balance() says holds. Neither is made of M, F or a reset, so that a
 * force, an inertia or a reset that is mistyped shows here, though all solvers agree.
 * Events that come together have one point before and one after all of them, and the
 * laws of each of them must hold between these two.
 */
#ifndef SALTUS_BALANCES_H
#define SALTUS_BALANCES_H

#include "reference.h"

/* A law and its worst gap on the motion: relative to the largest term that it has had, in
   an energy's rate, or to the largest side. `t`: where. */
struct balance_found {
    char name[100];         /* "power of sliding", "momentum at bump" */
    double worst, t;
};

/* Those that the motion has met, in the order of modes and events; to be freed. Values
   of the parameters are nominal. */
struct balance_found *balances_find(const struct model *model,
                                    const struct mp_trajectory *motion, int *count);

#endif
