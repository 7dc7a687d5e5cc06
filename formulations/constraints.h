/*
 * constraints.h - the constraints of a mode at a point: values, matrices, and derivatives
 * along a direction. For the start, resets and projections.
 */
#ifndef SALTUS_CONSTRAINTS_H
#define SALTUS_CONSTRAINTS_H

#include "formula/program.h"
#include "model.h"

struct constraints {
    const struct model *model;
    const struct mode *mode;
    int n, m;                   /* m: rows of the mode */
    int rows;                   /* position-level rows */
    int *row;                   /* [rows] which they are */
    struct program *program;
    double *w;                  /* its work */
    int Phi, Phid, Phi_q, M, Phi_dot, Phid_dot;     /* outputs: [m] [m] [m*n] [n*n] [m] [m] */
    double *unit;               /* [p] scratch: a unit vector */
};

/* rho [model->p] */
void constraints_init(struct constraints *constraints, const struct model *model,
                      const struct mode *mode, const double *rho);
void constraints_set(struct constraints *constraints, const double *rho);
void constraints_clear(struct constraints *constraints);
/* Evaluates Phi, Phid, Phi_q, M at a point. */
void constraints_at(struct constraints *constraints, double t, const double *q,
                    const double *v, const double *s);
/* Evaluates Phi', Phid' along (dt, dq, dv, ds) and drho_parameter = 1 (-1: none) at the
   point. */
void constraints_along(struct constraints *constraints, double dt, const double *dq,
                       const double *dv, const double *ds, int parameter);
/* One output, by its index: constraints_value(c, c->Phi_q + i * c->n + j) */
static inline double constraints_value(const struct constraints *constraints, int output)
{
    return constraints->w[constraints->program->output[output]];
}

#endif
