/*
 * guard_bounds.h - where can a guard not be zero, whatever its samples say?
 *
 * A guard that varies faster than the motion (a post of 7 cm under a flight of 8 m, steps
 * as long as allowed) may be zero within a spike between all points at which anybody
 * looks. Interval arithmetic over its formula sees the spike: it bounds the guard on a
 * box of states (Moore, Kearfott, Cloud 2009). Only guards with operations beyond those
 * of a polynomial are bounded; the others vary no faster than the motion does.
 */
#ifndef SALTUS_GUARD_BOUNDS_H
#define SALTUS_GUARD_BOUNDS_H

#include <stdbool.h>

#include "base/arena.h"
#include "formula/bounds.h"
#include "model.h"

/* A box of times and states, grown point by point. */
struct state_box {
    struct bounds t, *x;            /* [2n + ns] */
    int dim;
};

struct guard_bounds {
    int count;                      /* fast guards; 0: nothing is to be bounded */
    int *guard;                     /* [count] which, among those of the mode */
    const struct tape *tape;
    struct order order;             /* of their formulas */
    struct bounds *row;             /* [order.count] scratch */
    struct bounds *rho;             /* [p] of the model */
    struct state_box box;           /* of the step, or of a piece of it */
    int n, ns, p;
};

/* Takes the guards `event` [guards] of a mode; those that depend on unknowns are not
   bounded. `arena` has the arrays. */
void guard_bounds_init(struct guard_bounds *bounds, struct arena *arena,
                       const struct model *model, const struct event *const *event,
                       int guards);
void guard_bounds_clear(struct guard_bounds *bounds);
/* rho [model->p] */
void guard_bounds_set(struct guard_bounds *bounds, const double *rho);

/* box is empty; then it holds (t, x), too; then it is larger by that part of its widths
   on either side, for what the points do not show. */
void state_box_begin(struct state_box *box);
void state_box_add(struct state_box *box, double t, const double *x);
void state_box_widen(struct state_box *box, double part);

/* Bounds of all fast guards on bounds->box; those of the i-th of them, then. */
void guard_bounds_evaluate(struct guard_bounds *bounds);
static inline struct bounds guard_bounds_of(const struct guard_bounds *bounds, int i)
{
    return bounds->row[bounds->order.root[i]];
}

#endif
