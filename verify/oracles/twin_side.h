/*
 * twin_side.h - one side of the equalities between a case and its twin (model.h), with
 * rates and derivatives.
 *
 * A side is a formula f(t, position, rho). Its rate along the motion and the derivatives
 * of both by the parameters are further rows of the tape:
 *
 *     f' = f_position v + f_t
 *     df/drho_j   along (0, dposition/drho_j, e_j);   df'/drho_j likewise, with dv/drho_j
 *
 * The velocities of the twin are v in the formulas of its side: they have none of the
 * judged case.
 */
#ifndef SALTUS_TWIN_SIDE_H
#define SALTUS_TWIN_SIDE_H

#include "model.h"

enum { TWIN_VALUE, TWIN_RATE, TWIN_KINDS };

struct twin_side {
    int block, n;               /* BLOCK_Q or BLOCK_TWIN; its size */
    int equalities;
    struct model *branch;       /* a branch with the formulas of the program */
    struct program *program;    /* [2][TWIN_KINDS][equalities]: values, derivatives */
    double *w;                  /* work of the program */
};

struct twin_side *twin_side_new(const struct model *model, int block);
void twin_side_free(struct twin_side *side);

/* Evaluates at a point: position and velocity [n], rho [p]. */
void twin_side_values(struct twin_side *side, double t, const double *position,
                      const double *velocity, const double *rho);
double twin_side_value(const struct twin_side *side, int kind, int equality);
/* Evaluates derivatives at the point of the last call, by a parameter: its index in the
   model. */
void twin_side_derivatives(struct twin_side *side, const double *dposition,
                           const double *dvelocity, int parameter);
double twin_side_derivative(const struct twin_side *side, int kind, int equality);

#endif
