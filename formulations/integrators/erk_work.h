/*
 * erk_work.h - the work space of a step, shared by erk.c and erk_lanes.c and by nobody
 * else.
 */
#ifndef SALTUS_ERK_WORK_H
#define SALTUS_ERK_WORK_H

#include <math.h>

#include "base/arena.h"
#include "compensated_sum.h"
#include "erk.h"
#include "simd/lanes.h"

/* Rows are whole packs, padded with zeros; in lanes, [dim][LANES]. There slopes at
   both ends are right behind their states, as step_monitors.h asks for. */
struct erk_arrays {
    double *k[ERK_SLOPES];         /* k_0 = f(t, x), k_end = f(t + h, x_new) */
    double *c[ERK_TERMS];          /* the extension; c_0 is x */
    double *x_new;
    double *change;                /* x_new - x */
    double *err[ERK_ERRORS];
    double *y[ERK_SLOPES];         /* arguments of stages; those not inner share one */
};

struct erk_work {
    const struct pair *pair;
    const struct erk_rows *rows;
    int dim, packs;
    double t, h[LANES];             /* the last step, which the extension continues; h in
                                       every lane */
    struct erk_arrays at;
    struct compensated_sum carry;
    struct arena arena;             /* of all arrays, those of carry, too */
    struct erk_lanes *lanes; /* that made the last step, or NULL */
    int lane;
    bool fetched;                   /* all of it is here, too */
};

/* What was made of the last step in a lane is copied to `work`; states inside the step
   are there already. */
void erk_fetch(struct erk_work *work);
/* From now on it is in no lane; and another step is made from t, which begins with that
   state of the last which was there; and what was made there is not asked for. */
void erk_leave_to_step(struct erk_work *work, double t);
void erk_forget(struct erk_work *work);

/* |h lambda| from the squares of how far the last two evaluations are apart, in rates and
   in states; and that of a step made in a lane. */
static inline double erk_stiffness_of(double h, double rates, double states)
{
    return states > 0 ? fabs(h)*sqrt(rates/states) : 0;
}
double erk_stiffness_in_lane(const struct erk_work *work);

/* Takes all arrays from the arena, each of `size` numbers. */
void erk_arrays_init(struct erk_arrays *at, struct arena *arena, const struct pair *pair,
                     int size);

#endif
