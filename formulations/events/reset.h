/*
 * reset.h - the reset of an event, J(w; t, q-, v-, s-, u-, rho) = 0, in double.
 *
 * Rows may be redundant: velocities that follow from redundant constraints, or impulses
 * through dependent rows Psi. Then independent rows are solved, and the spare ones must
 * hold, too (differentiability.c). Velocities are unique; of the impulses, which are not,
 * those of least norm are taken, and their true derivative (least_impulse.h).
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
    int row;
    double value, relative;             /* relative to what the row is made of */
};

struct reset {
    const struct event *event;
    const struct model *model;
    struct constraints *constraints;    /* of the mode entered */
    struct program *program;
    int J, J_w, J_dot, cost, cost_dot, Psi_q_z_dot;     /* outputs */
    bool uses_unknowns;                 /* a or lambda before the event */
    double *w_rows;                     /* work of program */
    struct tiered_program code;
    struct reset_equations equations;   /* J_w, factorised at the solution */
    double *residual;                   /* [event->rows] */
    double *delta;                      /* [w] */
    int spares, *spare;                 /* rows of J that are not solved */
    struct reset_misfit misfit;         /* the worst of them at the solution, */
    struct reset_misfit misfit_along;   /* and along the direction solved last */
};

/* `constraints`, of the mode entered, and the arena outlive the reset. */
void reset_init(struct reset *reset, const struct model *model, const struct event *event,
                struct constraints *constraints, struct arena *arena);
/* rho [model->p] */
void reset_set(struct reset *reset, const double *rho);
void reset_clear(struct reset *reset);

/* One side of an event, as arrays. */
struct reset_values {
    double t;
    const double *q, *v, *s, *a, *lambda;
};

/* Newton from w = (q-, v-, s-, 0); w [event->w]. SINGULAR; RANK_LOSS: rows of Psi that
   are nearly dependent; NO_CONVERGENCE, NOT_FINITE. */
enum status reset_solve(struct reset *reset, const struct system *system,
                        const struct reset_values *before, double *w);
/* dw [event->w] from J_w dw = -J' along the direction that stands in the program; `size`:
   its largest component, which only matters where rows are spare. */
void reset_tangent(struct reset *reset, double size, double *dw);
/* Adds dw to the direction that stands in the program, for the derivatives of costs. */
void reset_load_tangent(struct reset *reset, const double *dw);
/* Event cost k at the solution. */
double reset_cost(const struct reset *reset, int k);

#endif
