/*
 * point_tangents.h - formulas of a model at a point of a trajectory, with their
 * derivatives along the motion and by a parameter of the run.
 */
#ifndef SALTUS_POINT_TANGENTS_H
#define SALTUS_POINT_TANGENTS_H

#include "program/program.h"
#include "run.h"

struct point_tangents {
    struct model *branch;       /* a branch of the model, on which formulas are written */
    int count;
    formula *f;                 /* [count] set by the caller before _seal */
    struct program *program;    /* values, then derivatives along a direction */
    double *w;                  /* work of the program */
    double *zero;               /* [n + m] directions of what stands still */
    const struct trajectory *trajectory;    /* of the last point */
    const struct run_point *point;
};

/* Room for formulas of t, q, v, s, a, lambda and the parameters. */
void point_tangents_init(struct point_tangents *formulas, const struct model *model,
                         int count);
void point_tangents_seal(struct point_tangents *formulas);
void point_tangents_clear(struct point_tangents *formulas);

/* Evaluates all at a point of a trajectory that has `value`. */
void point_tangents_at(struct point_tangents *formulas,
                       const struct trajectory *trajectory,
                       const struct run_point *point);
/* Differentiates all there by parameter number j of the trajectory at fixed time, the
   state with it: f_x x_rho + f_rho. */
void point_tangents_by(struct point_tangents *formulas, int j);
/* Differentiates all there by time along the motion: f_t + f_x x'. Formulas that depend
   on s, a or lambda have no such derivative here. */
void point_tangents_rate(struct point_tangents *formulas);
/* Differentiates all there by parameter number j, the state held fixed: f_rho. */
void point_tangents_share(struct point_tangents *formulas, int j);

/* Differentiates all there by coordinate i alone: f_q_i. */
void point_tangents_along(struct point_tangents *formulas, int i);

/* Formula k, and its derivative as last asked for. */
double point_value(const struct point_tangents *formulas, int k);
double point_derivative(const struct point_tangents *formulas, int k);

#endif
