/*
 * compensated_sum.h - compensated summation: what rounding takes from x_new = x + change
 * is kept and added to the next change. Else every step rounds x once, by half a unit of
 * the whole x and not of the change, and a motion that spreads differences makes much of
 * that: half a digit of four-bar-reduced-2.
 *
 * Source: Kahan 1965; Hairer, Lubich, Wanner 2006, VIII.5.
 */
#ifndef SALTUS_COMPENSATED_SUM_H
#define SALTUS_COMPENSATED_SUM_H

#include <stdbool.h>

#include "base/arena.h"

struct compensated_sum {
    const struct simd_loops *loops;
    int dim;
    double t;                   /* where the last step started */
    bool again, same;           /* that is tried again; x is as it was, to the bit */
    double *lost, *lost_new;    /* [dim] what its ends are short of by rounding */
};

/* Takes its arrays from the arena of the integrator. */
void compensated_init(struct compensated_sum *carry, struct arena *arena, int dim);
/* Nothing has been lost yet, as after compensated_init. */
void compensated_restart(struct compensated_sum *carry);
/* A step starts at (t, x); the last one went from `start` to `end`. Components that are
   as it left them, or as it found them if it is tried again, go on with what was lost;
   the others have been set by someone else, unless it is known that none has. Returns
   what is to be added to x [dim]. */
const double *compensated_start(struct compensated_sum *carry, bool known, double t,
                                const double *x, const double *start, const double *end);
/* After that *start holds x; if that is *end, both change places. */
void compensated_keep(const struct compensated_sum *carry, const double *x,
                      double **start, double **end);
/* end [dim] = x + change, and so x_new, which is the caller's; the change contains what
   is to be added. */
void compensated_sum(struct compensated_sum *carry, const double *x, const double *change,
                     double *end, double *x_new);

#endif
