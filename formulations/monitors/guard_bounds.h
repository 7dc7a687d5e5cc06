/*
 * guard_bounds.h - interval bounds of guards that vary faster than the motion.
 *
 * Such a guard (a post of 7 cm under a flight of 8 m, steps as long as allowed) may be
 * zero within a spike between all points of evaluation. Interval arithmetic over its
 * formula sees the spike, as it bounds the guard on a box of states (Moore, Kearfott,
 * Cloud 2009). Only guards with operations beyond those of a polynomial are bounded; the
 * others vary no faster than the motion does.
 */
#ifndef SALTUS_GUARD_BOUNDS_H
#define SALTUS_GUARD_BOUNDS_H

#include <stdbool.h>

#include "base/arena.h"
#include "formula/bounds.h"
#include "model.h"

/* A box of times and states, grown point by point. */
struct state_box {
    struct bounds t, *x;            /* times; [2n + ns] states */
    int dim;                        /* 2n + ns */
};

/* guard_bounds_init sets all members but `box`. */
struct guard_bounds {
    int count;                      /* number of fast guards; 0: none is bounded */
    int *guard;                     /* [count] indices among the guards of the mode */
    const struct tape *tape;
    struct order order;             /* rows of their formulas */
    struct bounds *row;             /* [order.count] bounds of these rows */
    struct bounds *rho;             /* [p] parameters of the model */
    struct state_box box;           /* the step, or a piece of it; set by the caller */
    int n, ns, p;
};

/* Takes the guards `event` [guards] of a mode, but for guards that depend on a or lambda.
   The arrays are in `arena`. */
void guard_bounds_init(struct guard_bounds *bounds, struct arena *arena,
                       const struct model *model, const struct event *const *event,
                       int guards);
void guard_bounds_clear(struct guard_bounds *bounds);
/* Sets the parameters rho [model->p]. */
void guard_bounds_set(struct guard_bounds *bounds, const double *rho);

/* Makes the box empty. */
void state_box_begin(struct state_box *box);
/* Grows the box to hold (t, x). */
void state_box_add(struct state_box *box, double t, const double *x);
/* Widens the box of states by `part` of its widths on either side, for states between the
   points added. */
void state_box_widen(struct state_box *box, double part);

/* Bounds all fast guards on bounds->box. */
void guard_bounds_evaluate(struct guard_bounds *bounds);
/* The bounds of fast guard i, after guard_bounds_evaluate. */
static inline struct bounds guard_bounds_of(const struct guard_bounds *bounds, int i)
{
    return bounds->row[bounds->order.root[i]];
}

#endif
