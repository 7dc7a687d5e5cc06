/*
 * reset.h - the reset of an event, J(w; t, q-, v-, s-, u-, rho) = 0, in double.
 *
 * Rows may be redundant: velocities that follow from redundant constraints, or impulses
 * through dependent rows Psi. Then independent rows are solved, and the spare rows must
 * hold, too (differentiability.c). Velocities are unique; impulses are not, and are those
 * of least norm, with their true derivative (least_impulse.h).
 */
#ifndef SALTUS_RESET_H
#define SALTUS_RESET_H

#include "equations/system.h"
#include "events/reset_equations.h"
#include "model.h"
#include "monitors/constraints.h"
#include "program/stages.h"

/* A row of J that follows from the others, but does not hold. */
struct reset_misfit {
    int row;                            /* -1: every row holds */
    double value, relative;             /* misfit, and relative to the terms of the row */
};

struct reset {
    const struct event *event;
    const struct model *model;
    struct constraints *constraints;    /* of the mode entered */
    struct program *program;
    int J, J_w, J_dot, cost, cost_dot, Psi_q_z_dot;     /* first outputs of each kind */
    bool uses_unknowns;                 /* a or lambda before the event */
    double *w_rows;                     /* work of program */
    struct tiered_program code;
    struct reset_equations equations;   /* J_w, factorised at the solution */
    double *residual, *right;           /* [event->rows] scratch */
    double *delta;                      /* [w] */
    int spares, *spare;                 /* rows of J that are not solved; set by
                                           reset_solve */
    struct reset_misfit misfit;         /* worst spare row at the solution */
    struct reset_misfit misfit_along;   /* worst spare row along the direction solved
                                           last */
};

/* Compiles the reset. `constraints`, of the mode entered, and the arena outlive it. */
void reset_init(struct reset *reset, struct arena *arena, const struct model *model,
                const struct event *event, struct constraints *constraints);
/* Loads the parameters rho [model->p] before a run. */
void reset_set(struct reset *reset, const double *rho);
void reset_clear(struct reset *reset);

/* Arrays of one side of an event: [n] [n] [ns] [n] [m]. */
struct reset_values {
    double t;
    const double *q, *v, *s, *a, *lambda;
};

/* Solves J = 0 by Newton's method from w = (q-, v-, s-, 0); w [event->w]. SINGULAR;
   RANK_LOSS: rows of Psi are nearly dependent; NO_CONVERGENCE, NOT_FINITE. */
enum status reset_solve(struct reset *reset, const struct system *system,
                        const struct reset_values *before, double *w);
/* Sets dw [event->w] from J_w dw = -J' along the direction that stands in the program;
   `size`, the largest component of that direction, only matters where rows are spare. */
void reset_tangent(struct reset *reset, double size, double *dw);
/* Sets x [event->w] from J_w x = -J, given J [event->rows], by the rows that are solved
   at the solution. */
void reset_solve_linear(struct reset *reset, const double *J, double *x);
/* Adds dw to the direction that stands in the program, for the derivatives of costs. */
void reset_load_tangent(struct reset *reset, const double *dw);
/* Returns event cost k at the solution. */
double reset_cost(const struct reset *reset, int k);
/* Writes which operation makes event cost k not finite; "" where the reason is not
   known. */
void reset_cost_blame(struct reset *reset, int k, char *text, int size);

#endif
