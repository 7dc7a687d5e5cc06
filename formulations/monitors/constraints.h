/*
 * constraints.h - the constraints of a mode at a point: values, matrices, and derivatives
 * along a direction, for the start, resets and projections. Only entries of matrices that
 * are not zero by structure are evaluated.
 */
#ifndef SALTUS_CONSTRAINTS_H
#define SALTUS_CONSTRAINTS_H

#include "base/arena.h"
#include "codegen/tier_up.h"
#include "model.h"
#include "program/stages.h"

/* A matrix of the constraints: the places of its entries, and its first output. */
struct constraint_matrix {
    const struct entries *at;
    int first;
};

/* constraints_init sets every member. */
struct constraints {
    const struct model *model;
    const struct mode *mode;
    int n, m;                   /* coordinates; rows of the mode */
    int rows;                   /* number of position-level rows */
    int *row;                   /* [rows] indices of these rows */
    struct program *program;
    formula *formula;           /* its outputs, with the faults of the tape (fault.h) */
    double *w;                  /* work array of the program */
    struct tiered_program code; /* the program, compiled when that pays */
    enum code_use use;          /* of code, set by constraints_use_code */
    bool pivots;                /* projections solve with pivots, though they have
                                   programs (projection/solved_projection.h); set by the
                                   owner */
    const double *rho;          /* [model->p] parameters; the caller's */
    long settings;              /* number of times that these have been set */
    int Phi, Phid, Phi_dot, Phid_dot;           /* first outputs, of [m] each */
    int M;                      /* first output of M, entries in the order of at_M */
    const struct entries *at_M; /* places of the entries of M */
    struct constraint_matrix Phi_q, Phid_v;     /* d Phi/dq, d Phid/dv (model.h) */
    struct arena arena;         /* memory of all arrays */
};

/* Makes the programs of a mode, at parameters rho [model->p], which outlive it. */
void constraints_init(struct constraints *constraints, const struct model *model,
                      const struct mode *mode, const double *rho);
/* Sets the parameters rho [model->p], which outlive the constraints. */
void constraints_set(struct constraints *constraints, const double *rho);
/* Says when the program is compiled. */
void constraints_use_code(struct constraints *constraints, enum code_use use);
void constraints_clear(struct constraints *constraints);
/* Evaluates Phi, Phid, Phi_q, Phid_v and M at a point. */
void constraints_at(struct constraints *constraints, double t, const double *q,
                    const double *v, const double *s);
/* Evaluates Phi_dot and Phid_dot at the point, along (dt, dq, dv, ds) and
   drho_parameter = 1 (-1: no parameter). */
void constraints_along(struct constraints *constraints, double dt, const double *dq,
                       const double *dv, const double *ds, int parameter);
/* The value of an output by its index: constraints_value(c, c->Phi + i). */
static inline double constraints_value(const struct constraints *constraints, int output)
{
    return constraints->w[constraints->program->output[output]];
}
/* Entry k of a matrix, in the order of its entries. */
static inline double constraints_entry(const struct constraints *constraints,
                                       const struct constraint_matrix *matrix, int k)
{
    return constraints_value(constraints, matrix->first + k);
}
/* Entry (i, j) of Phi_q or Phid_v. */
double constraints_at_place(const struct constraints *constraints,
                            const struct constraint_matrix *matrix, int i, int j);
/* Entry (i, j) of M. */
double constraints_M(const struct constraints *constraints, int i, int j);
/* row [n] = row i of Phi_q or Phid_v, zeros included. */
void constraints_row(const struct constraints *constraints,
                     const struct constraint_matrix *matrix, int i, double *row);
/* The largest magnitude in row i of Phi_q or Phid_v. */
double constraints_row_size(const struct constraints *constraints,
                            const struct constraint_matrix *matrix, int i);
/* True if Phid_v is Phi_q: no constraint contains a state whose rate depends on v. */
static inline bool constraints_one_matrix(const struct constraints *constraints)
{
    return constraints->Phid_v.first == constraints->Phi_q.first;
}

#endif
