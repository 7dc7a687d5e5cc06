/*
 * erk_work.h - the work space of a Runge-Kutta step, private to erk.c and erk_lanes.c.
 */
#ifndef SALTUS_ERK_WORK_H
#define SALTUS_ERK_WORK_H

#include <math.h>

#include "base/arena.h"
#include "compensated_sum.h"
#include "erk.h"
#include "simd/lanes.h"

/* Arrays [dim] padded with zeros to whole packs, or [dim][LANES]. In lanes the slopes at
   both ends stand right behind their states, as step_monitors.h asks for. */
struct erk_arrays {
    double *k[ERK_SLOPES];         /* slopes: k_0 = f(t, x), k_end = f(t + h, x_new) */
    double *c[ERK_TERMS];          /* coefficients of the dense output; c_0 is x */
    double *x_new;                 /* solution at t + h */
    double *change;                /* x_new - x before rounding */
    double *err[ERK_ERRORS];       /* error vectors */
    double *y[ERK_SLOPES];         /* states of stages; those not `inner` share one */
};

/* erk_alloc sets pair, rows, dim and packs; a step, or its lane, sets the rest. */
struct erk_work {
    const struct pair *pair;
    const struct erk_rows *rows;
    int dim, packs;                 /* components, and packs that hold them */
    double t, h[LANES];             /* start and length of the last step; h in every
                                       lane */
    struct erk_arrays at;
    struct compensated_sum carry;   /* rounding errors of the state */
    struct arena arena;             /* memory of all arrays, those of carry, too */
    struct erk_lanes *lanes; /* lanes that made the last step, or NULL */
    int lane;                       /* lane of that step */
    bool fetched;                   /* the step has been copied here from its lane */
};

/* Copies the last step from its lane to `work`, but for states inside the step, which are
   there already. */
void erk_fetch(struct erk_work *work);
/* Takes the run out of its lane, for a step from t by the run itself. Copies only the
   state that this step begins with: the start or the end of the last step. */
void erk_leave_to_step(struct erk_work *work, double t);
/* Takes the run out of its lane without copying anything. */
void erk_forget(struct erk_work *work);

/* |h lambda| from the squared distances of the last two evaluations in rates and in
   states. */
static inline double erk_stiffness_of(double h, double rates, double states)
{
    return states > 0 ? fabs(h)*sqrt(rates/states) : 0;
}
/* |h lambda| of the last step, made in a lane. */
double erk_stiffness_in_lane(const struct erk_work *work);

/* Takes all arrays from the arena, each of `size` numbers. */
void erk_arrays_init(struct erk_arrays *at, struct arena *arena, const struct pair *pair,
                     int size);

#endif
