/*
 * constraints.h - the constraints of a mode at a point: values, matrices, and derivatives
 * along a direction. For the start, resets and projections. Of the matrices only entries
 * that are not zero by structure are evaluated.
 */
#ifndef SALTUS_CONSTRAINTS_H
#define SALTUS_CONSTRAINTS_H

#include "compiled.h"
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
    struct compiled code;
    int Phi, Phid, Phi_dot, Phid_dot;           /* outputs: [m] each */
    int Phi_q, M;               /* outputs: those of at_Phi_q, at_M, in their order */
    const struct entries *at_Phi_q, *at_M;
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
/* One output, by its index: constraints_value(c, c->Phi + i) */
static inline double constraints_value(const struct constraints *constraints, int output)
{
    return constraints->w[constraints->program->output[output]];
}
/* Entry (i, j) of Phi_q, and of M */
double constraints_Phi_q(const struct constraints *constraints, int i, int j);
double constraints_M(const struct constraints *constraints, int i, int j);
/* Row i of Phi_q, zeros included: row [n]; and its largest entry */
void constraints_row(const struct constraints *constraints, int i, double *row);
double constraints_row_size(const struct constraints *constraints, int i);

#endif
