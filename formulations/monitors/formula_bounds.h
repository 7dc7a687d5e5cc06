/*
 * formula_bounds.h - interval bounds of formulas on boxes of times and states (Moore,
 * Kearfott, Cloud 2009).
 *
 * They show what no point shows: a guard that is zero within a spike between all points
 * of evaluation (guard_bounds.h), a force that acts between the stages of a step
 * (sharp_terms.h).
 */
#ifndef SALTUS_FORMULA_BOUNDS_H
#define SALTUS_FORMULA_BOUNDS_H

#include <stdbool.h>

#include "base/arena.h"
#include "formula/bounds.h"
#include "model.h"

/* A box of times and states, grown point by point. */
struct state_box {
    struct bounds t, *x; /* times; [2n + ns] states */
    int dim;             /* 2n + ns */
};

/* formula_bounds_init sets all members but `box`. */
struct formula_bounds {
    const struct tape *tape;
    struct order order;   /* rows of the formulas */
    struct bounds *row;   /* [order.count] bounds of these rows */
    struct bounds *rho;   /* [p] parameters of the model */
    struct state_box box; /* the step, or a piece of it; set by the caller */
    int n, ns, p;
};

/* Takes the formulas f [count], which depend on t, q, v, s, rho; others have no bounds.
   The arrays are in `arena`. */
void formula_bounds_init(struct formula_bounds *bounds, struct arena *arena,
                         const struct model *model, const formula *f, int count);
void formula_bounds_clear(struct formula_bounds *bounds);
/* Sets the parameters rho [model->p]. */
void formula_bounds_set(struct formula_bounds *bounds, const double *rho);

/* Makes the box empty. */
void state_box_begin(struct state_box *box);
/* Grows the box to hold (t, x). */
void state_box_add(struct state_box *box, double t, const double *x);
/* Widens the box of states by `part` of its widths on either side, for states between the
   points added. */
void state_box_widen(struct state_box *box, double part);

/* Bounds all formulas on bounds->box. */
void formula_bounds_evaluate(struct formula_bounds *bounds);
/* The bounds of formula i, after formula_bounds_evaluate. */
static inline struct bounds formula_bounds_of(const struct formula_bounds *bounds, int i)
{
    return bounds->row[bounds->order.root[i]];
}

/* True if a row is a polynomial of what moves: its operands a and b, where they move. */
bool keeps_polynomials(struct tape_row row, bool a_moves, bool b_moves);

#endif
