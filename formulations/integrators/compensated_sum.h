/*
 * compensated_sum.h - compensated summation of steps: Kahan 1965; Hairer, Lubich, Wanner
 * 2006, VIII.5.
 *
 * The rounding error of x_new = x + change is kept and added to the next change. Without
 * this every step rounds x by half a unit of the whole x and not of the change, and a
 * motion that spreads differences amplifies these errors: by half a digit in
 * four-bar-reduced-2.
 */
#ifndef SALTUS_COMPENSATED_SUM_H
#define SALTUS_COMPENSATED_SUM_H

#include <stdbool.h>

#include "base/arena.h"

/* compensated_init sets loops and dim; steps set the rest. */
struct compensated_sum {
    const struct simd_loops *loops;
    int dim;
    double t;                   /* start of the last step; NAN: none */
    bool again, same;           /* the step is tried again; x is unchanged to the bit */
    double *lost, *lost_new;    /* [dim] rounding errors of x at its start and its end */
};

/* An empty sum, whose arrays are in the arena of the integrator. */
void compensated_init(struct compensated_sum *carry, struct arena *arena, int dim);
/* Forgets rounding errors and the last step. */
void compensated_restart(struct compensated_sum *carry);
/* Begins a step at (t, x) [dim]; the last step went from `start` to `end`. Components of
   x that are equal to the last step's end, or to its start if that step is tried again,
   keep their rounding errors; for others, set by someone else since, these are zero.
   `known`: all components are equal. Returns the correction [dim] of the next change. */
const double *compensated_start(struct compensated_sum *carry, bool known, double t,
                                const double *x, const double *start, const double *end);
/* Makes *start hold x, after compensated_start; exchanges *start and *end if *end
   does. */
void compensated_keep(const struct compensated_sum *carry, const double *x,
                      double **start, double **end);
/* end [dim] = x_new [dim] = x + change, x_new being the caller's. The change contains the
   correction. */
void compensated_sum(struct compensated_sum *carry, const double *x, const double *change,
                     double *end, double *x_new);

#endif
