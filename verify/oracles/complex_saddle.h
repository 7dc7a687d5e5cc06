/*
 * complex_saddle.h - equations of motion, and of impulses, in double complex, also where
 * the multipliers come from an iteration, or are not unique.
 *
 *     R_u = [ M   G ]     n rows      a               G = Phi_q' - F_lambda
 *           [ C  -D ]     m rows      lambda          C = Phid_v, D = alpha^-1 or 0
 *
 * In between there may be rows and unknowns on which lambda does not act: of a reset, a
 * is v+, lambda the impulse, C = Psi_q, and between them are q+ and s+.
 *
 * Dependent constraints (C has less than m independent rows) determine a and the forces
 * G lambda; lambda only if D resists, and only to rounding errors over D. Wanted are the
 * multipliers of least norm (complex_least_norm.h). The judged run finds them by ranks
 * and orthogonal factorisations; here no rank is used once rows are known to depend on
 * others: where D = 0, -eps (lambda - mu) is added to the constraint rows, mu the lambda
 * before (proximal iteration). That is Newton with eps I in place of D: whatever eps is,
 * it converges to R = 0. Lambda takes up rounding errors over eps, but only in directions
 * that exert no force, which the least norm takes out.
 */
#ifndef SALTUS_COMPLEX_SADDLE_H
#define SALTUS_COMPLEX_SADDLE_H

#include "oracles/complex_least_norm.h"
#include "oracles/complex_newton.h"

struct complex_saddle {
    struct complex_equations equations;
    int n, m, N;            /* coordinates, multipliers; N: all rows, and unknowns */
    bool resisted;          /* D is not 0, so that lambda is unique */
    bool iterated;          /* R depends on mu (struct residual) */
    bool minimum_norm;      /* dependent constraints have lambda of least norm; else
                               RANK_LOSS */
    struct complex_lu rank;         /* factors for the rank of C' and of G */
    struct complex_lu proximal;     /* factors of R_u with -eps I added */
    double complex *proximal_to;    /* [N * N] the R_u that `proximal` is of */
    bool factored;
    struct complex_least_norm least;
    double complex *lambda;         /* [m] scratch */
};

/* Opens the equations of a residual: its unknowns, and its rows, are the n of a first,
   the m of lambda last; n = model->n. */
void complex_saddle_init(struct complex_saddle *saddle, const struct model *model,
                         const struct residual *residual, int m, bool minimum_norm);
void complex_saddle_clear(struct complex_saddle *saddle);

/* Sets Phi_q [m*n], real parts, at `values`, coordinates in units of their masses. */
void complex_saddle_constraints(struct complex_saddle *saddle,
                                const struct complex_values *values, double *Phi_q);
/* Are there constraints with independent rows where they were evaluated last, and does
   that matter, since the multipliers are not resisted? */
bool complex_saddle_regular(struct complex_saddle *saddle);

/* Solves for all unknowns in `values` from the rest. RANK_LOSS: dependent constraints
   that the formulation refuses; SINGULAR also: friction depends on multipliers that they
   leave open; otherwise as complex_equations_solve. */
enum status complex_saddle_solve(struct complex_saddle *saddle,
                                 struct complex_values *values, double eps);

#endif
