/*
 * balances.h - balance laws that a case states beside its equations, on a motion of the
 * reference.
 *
 * The energy of the bodies changes by the power that is stated for each mode, and at
 * events event_balance() says what holds. Neither is made of M, F or a reset, so that a
 * force, an inertia or a reset that is mistyped shows here, though all solvers agree.
 * Events that come together have one point before and one after all of them, and the laws
 * of each of them must hold between these two.
 */
#ifndef SALTUS_BALANCES_H
#define SALTUS_BALANCES_H

#include "reference.h"

/* A law and its worst gap on the motion: in the rate of an energy relative to the largest
   term so far, else relative to the largest side; and its time. */
struct balance_found {
    char name[100];         /* name of the law: "power of sliding", "momentum at bump" */
    double worst, t;
};

/* Finds the laws that the motion has met, in the order of modes and events; to be freed.
   Values of the parameters are nominal. */
struct balance_found *balances_find(const struct model *model,
                                    const struct mp_trajectory *motion, int *count);

#endif
