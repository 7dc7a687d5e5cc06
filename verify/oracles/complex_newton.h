/*
 * complex_newton.h - formulas evaluated, and equations solved by Newton, in double
 * complex.
 *
 * Only values are taken from the recorded formulas. A Newton matrix is built from
 * derivative rows, but a wrong row could only slow the iteration down: a solution is
 * accepted when corrections have died out, hence by the residual.
 */
#ifndef SALTUS_COMPLEX_NEWTON_H
#define SALTUS_COMPLEX_NEWTON_H

#include "model.h"
#include "oracles/complex_lu.h"
#include "program/program.h"

/* One array per block of variables, enum block. */
struct complex_values {
    int size[BLOCKS];
    double complex *x[BLOCKS];
    double complex *memory;
};

/* Makes values of the sizes of the model; impulses for `impulses` rows. NULL when out of
   memory. */
struct complex_values *complex_values_new(const struct model *model, int impulses);
void complex_values_free(struct complex_values *values);

/* A list of formulas, ready to be evaluated. */
struct complex_outputs {
    int count;
    struct program *program;        /* NULL: there are no formulas */
    unsigned char stage[BLOCK_LIMIT];       /* stage at which each block is loaded */
    double complex *w;              /* [program->slots] */
};
void complex_outputs_init(struct complex_outputs *outputs, const struct tape *tape,
                          const formula *f, int count);
void complex_outputs_clear(struct complex_outputs *outputs);
/* Rows that depend on parameters alone; to be called when
   values->x[BLOCK_RHO] changed. */
void complex_outputs_rho(struct complex_outputs *outputs,
                         const struct complex_values *values);
/* Evaluates into out [count]. */
void complex_outputs_eval(struct complex_outputs *outputs,
                          const struct complex_values *values, double complex *out);
/* complex_outputs_eval; `again`: only the unknowns have changed since the evaluation
   before, and only rows that depend on them are evaluated. */
void complex_outputs_follow(struct complex_outputs *outputs,
                            const struct complex_values *values, bool again,
                            double complex *out);

/* Equations R = 0 for some of the variables; all others are given. Of `residual` and
   `matrix` the unknowns are those of the equations, and mu. */
struct complex_equations {
    int rows;
    int unknowns;                   /* equal to rows, or fewer: some rows follow from
                                       others */
    struct unknown *unknown;
    struct complex_outputs residual, matrix;
    double complex *r, *A, *step;   /* [rows], [rows*unknowns], [rows] */
    struct complex_lu lu;
    double scale[2];                /* largest unknown so far: real, imaginary part */
};
void complex_equations_init(struct complex_equations *equations,
                            const struct model *model, const formula *R, int rows,
                            const struct unknown *unknown, int unknowns);
void complex_equations_clear(struct complex_equations *equations);
void complex_equations_rho(struct complex_equations *equations,
                           const struct complex_values *values);

/* Newton from the unknowns in `values`. eps: the size of imaginary parts. SINGULAR,
   NOT_FINITE or NO_CONVERGENCE: there is no answer; INCONSISTENT: rows contradict each
   other; INADMISSIBLE: they do as soon as the parameter changes. */
enum status complex_equations_solve(struct complex_equations *equations,
                                    struct complex_values *values, double eps);
/* Goes from a guess to where Newton's method converges by full steps: the step is halved
   until the next simplified one is shorter (Deuflhard 1974, natural monotonicity). False:
   it gets nowhere; the unknowns are where it stopped. */
bool complex_equations_approach(struct complex_equations *equations,
                                struct complex_values *values);
/* complex_equations_solve where A holds the matrix at `values` already. */
enum status complex_equations_solve_evaluated(struct complex_equations *equations,
                                              struct complex_values *values, double eps);

/* --- its parts, for iterations of another kind -------------------------------------- */

/* Evaluates the matrix at `values` into A, and factors it into lu. SINGULAR. `again`:
   only the unknowns have changed since A was factored last; a matrix without unknowns
   keeps its factors. */
enum status complex_equations_factor(struct complex_equations *equations,
                                     const struct complex_values *values, bool again);
/* Sets r to R at `values`, and step to lu^-1 r. `again`: as above, since r was. */
void complex_equations_step(struct complex_equations *equations,
                            const struct complex_values *values, bool again);
/* Subtracts step [unknowns]; sets the largest correction by part. false: not finite. */
bool complex_equations_correct(struct complex_equations *equations,
                               struct complex_values *values, double correction[2]);
/* A correction has died out when it is at rounding level, or when it no longer falls and
   is small: rounding in R is amplified by the condition of the matrix. Unless the step
   before was one of Newton's (`after_newton`) it may fall slowly, too, which counts where
   one unknown is much smaller than the others. */
bool complex_died_out(const double correction[2], const double before[2],
                      const double scale[2], double eps, bool after_newton);
/* Sets the terms of row i: |A||u|, real and imaginary parts. */
void complex_equations_terms(const struct complex_equations *equations,
                             const struct complex_values *values, int i, double terms[2]);
/* Are `rows` rows from `row` on zero, to `tolerance` of their terms, at the last r? OK,
   INCONSISTENT or INADMISSIBLE. */
enum status complex_equations_hold(const struct complex_equations *equations,
                                   const struct complex_values *values, int row, int rows,
                                   double tolerance, double eps);

#endif
