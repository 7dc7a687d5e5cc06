/*
 * explicit_rhs.h - symbolic solution of the equations of motion of a mode: one
 * straight-line program from the state and its derivatives to their rates.
 *
 * R(u) = 0 is linear in u = (a, lambda) in most formulations, so u is a formula of the
 * state (explicit/elimination.h), and so are s', z' and the derivatives of all of them
 * along a direction. With forces that depend on lambda u is a formula of the state and of
 * few tearing variables (explicit/tearing.h), which a Newton iteration finds; in an
 * augmented Lagrange iteration, of the state and of the multipliers mu of the iterate
 * before (explicit/augmented.h). Rows that
 * values and derivatives have in common are there once; rows that depend on parameters
 * alone, M and its factors in many mechanisms, are evaluated once a run.
 *
 * Where nothing pulls back the rounding of Phidd (DRIFTS_OFF) the rounding is integrated
 * twice. There u and its derivatives are corrected once, by their residual in the
 * constraints: some 5e-15 of the accelerations without pivoting, then 1e-16, as with the
 * pivoting solver, which corrects, too. Constraints that are soft, or pulled back, let
 * nothing add up, and a third of the operations is saved.
 *
 * The pivots are static: their order is fixed. The program must agree with the pivoting
 * solver where an arc starts, and again wherever a pivot has become a few times smaller
 * since; else it is not used. Refusals come from the pivoting solver in system.c, which
 * knows their reasons.
 */
#ifndef SALTUS_EXPLICIT_RHS_H
#define SALTUS_EXPLICIT_RHS_H

#include "base/arena.h"
#include "codegen/tier_up.h"
#include "explicit/formula_matrix.h"
#include "explicit/tearing.h"
#include "formulation.h"
#include "program/stages.h"

/* The equations as formulas: R [rows], torn if it has been, and its R_u (at fixed tearing
   variables) in the order of `unknown`, s' [ns], z' [nz], and the derivatives of R before
   it was torn (at fixed unknowns), of s' and of z' along the first copy of the blocks. */
struct explicit_equations {
    const char *mode;           /* its name */
    int n, m, ns, nz, rows;
    int multipliers;            /* of any mode: formulas may name those of others */
    const struct unknown *unknown;
    const formula *R, *f_s, *g, *R_dot, *f_s_dot, *g_dot;
    const struct formula_matrix *R_u;
    const struct tearing *tearing;
    bool iterated;              /* R has mu, to be iterated until lambda = mu */
    int dependent;              /* number of constraints that depend on others; then R_u
                                   is symmetric, and unknowns are a, then lambda */
    const int *constraint;      /* [m] the independent ones, then these; only if there are
                                   any, and so is R_u_dot_y */
    const formula *R_u_dot_y;   /* [rows] (dR_u)' y along the first copy of the blocks,
                                   with y in the second copy of those of (a, lambda) */
    bool corrected;             /* u and its derivatives are corrected once */
    bool beside;                /* runs are evaluated beside each other: no pairs of rows,
                                   which would cost more than they spare */
    int columns;                /* number of derivatives */
    const int *parameter;       /* [columns] index in the model */
    int parameters;             /* number in the model */
};

typedef void explicit_rhs_function(const double *c, double t, const double *x, double *dx,
                                   double *pivot);

struct explicit_rhs {
    int n, m, ns, state, columns, pivots;
    int text_rows;              /* rows of the program as C, loops counted once */
    struct program *program;    /* outputs: see explicit_formulas.h */
    bool driven;                /* the equations depend on time */
    double *w;                  /* work of program */
    int torn, mu;               /* number of tearing variables; of multipliers mu, 0 if
                                   the residual is not iterated */
    int dependent;              /* number of dependent constraints */
    double *z;                  /* [2][torn + mu] these variables, their next iterate */
    double *unit;               /* [mu] units of multipliers, set by explicit_rhs_units */
    int *parameter;             /* [columns] */
    double *pivot, *least;      /* [pivots] moving pivots at the last point; magnitudes
                                   below which they are in doubt, set by
                                   explicit_rhs_compared */
    bool iterates;              /* there are any: an evaluation goes stage by stage */
    bool found;                 /* the iterations of the last evaluation converged */
    bool trusted;               /* the rates agree with the pivoting solver */
    bool solves;                /* the multipliers agree, too */
    enum code_use use;          /* of code */
    struct tiered_program stages;    /* the program for one point at a time */
    struct tiered_code tiered;  /* compiled right-hand sides */
    explicit_rhs_function *function; /* of that code, or NULL */
    struct arena arena;         /* of all arrays */
};

/* Solves the equations and makes the program. NULL when no order of pivots can be chosen
   beforehand, or, for SPARSE_FROM unknowns and more (klu.h), when the program takes too
   many operations (explicit/elimination.h) or too long a text. */
struct explicit_rhs *explicit_rhs_new(struct tape *tape,
                                      const struct explicit_equations *equations);
void explicit_rhs_free(struct explicit_rhs *explicit_rhs);
/* Evaluates rows that depend on parameters alone, rho [p], and withdraws all trust. */
void explicit_rhs_start(struct explicit_rhs *explicit_rhs, const double *rho);
void explicit_rhs_use_code(struct explicit_rhs *explicit_rhs, enum code_use use);
/* Sets the price of compiling a right-hand side of this program. */
void explicit_rhs_tier_up(const struct explicit_rhs *explicit_rhs,
                          struct tier_up *tier_up);

/* The program as C (emit.h), malloc'ed: a function of that name, for one trajectory
   (lanes 0) or for `lanes`. */
extern const char explicit_rhs_symbol[];
char *explicit_rhs_text(const struct explicit_rhs *explicit_rhs, int lanes);

/* Evaluates dx = x' at x [dim], laid out like the state of system.h, stage by stage; the
   interpreter counts its rows and may have the program compiled for the next time. Where
   an iteration does not converge dx is NAN, and `found` false. */
void explicit_rhs_interpret(struct explicit_rhs *explicit_rhs, double t, const double *x,
                            double *dx);
/* Evaluates dx = x' by the compiled function if there is one, else stage by stage. */
static inline void explicit_rhs_evaluate(struct explicit_rhs *explicit_rhs, double t,
                                         const double *x, double *dx)
{
    if (explicit_rhs->function)
        explicit_rhs->function(explicit_rhs->w, t, x, dx, explicit_rhs->pivot);
    else
        explicit_rhs_interpret(explicit_rhs, t, x, dx);
}

/* Is x' evaluated by compiled code? */
static inline bool explicit_rhs_compiled(const struct explicit_rhs *explicit_rhs)
{
    return explicit_rhs->function ||
           (explicit_rhs->iterates && explicit_rhs->stages.emitted);
}
/* Is one point solved by compiled code? */
static inline bool explicit_rhs_solves_compiled(const struct explicit_rhs *explicit_rhs)
{
    return explicit_rhs->stages.emitted;
}

/* Solves for a [n], lambda [m] at one point. False is returned where pivots or values are
   not to be trusted, where tearing variables do not converge, and always when the
   equations are driven: time is not among the directions that the program knows. */
bool explicit_rhs_solve(struct explicit_rhs *explicit_rhs, double t, const double *q,
                        const double *v, const double *s, double *a, double *lambda);
/* Gives s' [ns] and z' [nz] at that point; either may be NULL. */
void explicit_rhs_rates(const struct explicit_rhs *explicit_rhs, double *f_s, double *g);
/* Gives derivatives along a direction, whose parameter is one of the columns, or -1;
   parts of the direction may be NULL, which is zero, and df_s and dg may be NULL. They
   are NAN where an iteration does not converge. */
void explicit_rhs_tangent(struct explicit_rhs *explicit_rhs, const double *q,
                          const double *v, const double *s, int parameter, double *da,
                          double *dlambda, double *df_s, double *dg);

/* Takes units [m] in which changes of multipliers count (linear/units.h). */
void explicit_rhs_units(struct explicit_rhs *explicit_rhs, const double *unit);
/* Notes whether the program agrees with the pivoting solver at the point last evaluated;
   the caller corrects `solves` if the multipliers do not. */
void explicit_rhs_compared(struct explicit_rhs *explicit_rhs, bool agrees);
/* Has a pivot become much smaller since the point last compared? */
bool explicit_rhs_in_doubt(const struct explicit_rhs *explicit_rhs);
/* Has one become so small that the program is not even to be used until it has been
   compared? */
bool explicit_rhs_is_lost(const struct explicit_rhs *explicit_rhs);

#endif
