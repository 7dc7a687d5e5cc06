/*
 * solution.h - the unknowns of the equations of motion as formulas, and their places
 * taken in other formulas; private to explicit_formulas.c and its parts.
 */
#ifndef SALTUS_SOLUTION_H
#define SALTUS_SOLUTION_H

#include "explicit/explicit_rhs.h"
#include "explicit/solver.h"

/* The unknowns as far as they are known: first zero, then their values, then their
   derivatives, too. */
struct solution {
    struct tape *tape;
    const struct explicit_equations *equations;
    const formula *u, *u_dot;       /* [rows] or NULL */
    const formula *z, *port;        /* tearing variables, and the ports at u; or NULL */
    const formula *kernel;          /* [n] the accelerations of y in (dR_u)' y, whose
                                       multipliers are zero; or NULL */
};

/* Returns the unknown of that block and index, of u [rows]; zero, if u is NULL. */
formula solution_unknown(const struct explicit_equations *e, const formula *u, int block,
                         int index);
/* Is unknown k a multiplier? */
bool solution_multiplier(const struct explicit_equations *e, int k);
/* out[i] = f[i] with all that is known in the place of unknowns; along a trajectory
   dt/drho is zero. f, out [count] */
void solution_fill(const struct solution *known, const formula *f, int count,
                   formula *out);
/* x [rows] = R_u^-1 (-f), without refinement. */
void solution_solve(const struct explicit_equations *e,
                    const struct solver *solver, const formula *f, formula *x);
/* One step of iterative refinement of x [rows] with the same factors, for the residual of
   the constraints alone. */
void solution_correct(const struct explicit_equations *e,
                      const struct solver *solver, const formula *f,
                      formula *x);

#endif
