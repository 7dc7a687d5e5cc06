/*
 * constraints.h - the constraints of a mode at a point: values, matrices, and derivatives
 * along a direction. For the start, resets and projections. Of the matrices only entries
 * that are not zero by structure are evaluated.
 */
#ifndef SALTUS_CONSTRAINTS_H
#define SALTUS_CONSTRAINTS_H

#include "base/arena.h"
#include "codegen/tier_up.h"
#include "model.h"
#include "program/stages.h"

/* A matrix of the constraints: where it has entries, and the first of its outputs. */
struct constraint_matrix {
    const struct entries *at;
    int first;
};

struct constraints {
    const struct model *model;
    const struct mode *mode;
    int n, m;                   /* m: rows of the mode */
    int rows;                   /* position-level rows */
    int *row;                   /* [rows] which they are */
    struct program *program;
    double *w;                  /* its work */
    struct tiered_program code;
    int Phi, Phid, Phi_dot, Phid_dot;           /* outputs: [m] each */
    int M;                      /* outputs: those of at_M, in their order */
    const struct entries *at_M;
    struct constraint_matrix Phi_q, Phid_v;     /* of q; of v (model.h) */
    struct arena arena;         /* of all arrays */
};

/* rho [model->p] */
void constraints_init(struct constraints *constraints, const struct model *model,
                      const struct mode *mode, const double *rho);
void constraints_set(struct constraints *constraints, const double *rho);
void constraints_clear(struct constraints *constraints);
/* Evaluates Phi, Phid, Phi_q, Phid_v, M at a point. */
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
/* Entry k of a matrix, in the order of its entries */
static inline double constraints_entry(const struct constraints *constraints,
                                       const struct constraint_matrix *matrix, int k)
{
    return constraints_value(constraints, matrix->first + k);
}
/* Entry (i, j) of Phi_q or Phid_v, and of M */
double constraints_at_place(const struct constraints *constraints,
                            const struct constraint_matrix *matrix, int i, int j);
double constraints_M(const struct constraints *constraints, int i, int j);
/* Row i of Phi_q or Phid_v, zeros included: row [n]; and its largest entry */
void constraints_row(const struct constraints *constraints,
                     const struct constraint_matrix *matrix, int i, double *row);
double constraints_row_size(const struct constraints *constraints,
                            const struct constraint_matrix *matrix, int i);
/* Is Phid_v Phi_q: does no constraint contain a state whose rate depends on v? */
static inline bool constraints_one_matrix(const struct constraints *constraints)
{
    return constraints->Phid_v.first == constraints->Phi_q.first;
}

#endif
