/*
 * solver.h - the linear system of the equations of motion solved in formulas, with
 * dependent constraints, too; private to explicit_formulas.c and its parts.
 *
 * Where constraints depend on others, K = R_u is singular, and K^+ gives the
 * accelerations and of all multipliers those of least norm (linear/minimum_norm.c). With
 * independent rows C_I that are known, and C_D = N C_I for the others, it takes an
 * elimination of the independent rows alone, and one of I + N N', as small as there are
 * dependent rows:
 *
 *     b_I + N'(I + N N')^-1 (b_D - N b_I)        the projection of b onto the range of K
 *     [M C_I'; C_I 0] (a, l) = (b, b_I)
 *     lambda_D = (I + N N')^-1 N l,  lambda_I = l - N' lambda_D
 *
 * N' are the multipliers by which the rows C_I replace each row of C_D.
 */
#ifndef SALTUS_SOLVER_H
#define SALTUS_SOLVER_H

#include "base/arena.h"
#include "explicit/elimination.h"
#include "explicit/explicit_rhs.h"

/* solver_init sets every member. */
struct solver {
    const struct explicit_equations *equations;
    struct elimination *elimination;    /* of R_u, or of its independent rows */
    int independent, dependent; /* number of constraints of each kind; dependent = 0: the
                                   arrays below are empty */
    formula *N;                 /* [dependent][independent] */
    struct elimination *K;      /* of I + N N' */
    struct arena arena;         /* of all arrays */
};

/* False: no order of pivots can be chosen beforehand. Clear it in any case. */
bool solver_init(struct solver *solver, struct tape *tape,
                 const struct explicit_equations *e);
void solver_clear(struct solver *solver);
/* b [rows] becomes R_u^-1 b, or R_u^+ b. */
void solver_solve(const struct solver *solver, formula *b);
/* Gives all pivots [rows]. */
void solver_pivots(const struct solver *solver, formula *pivot);
/* x [n]: accelerations for which C x = lambda of least norm, of u [rows]; multipliers of
   least norm move with the kernel of R_u by dC x. */
void solver_kernel(const struct solver *solver, const formula *u, formula *x);
/* Adds to u_dot [rows] how the kernel moves, by (dR_u)'(x, 0) [rows]. */
void solver_add_kernel(const struct solver *solver, const formula *R_u_dot_x,
                       formula *u_dot);

#endif
