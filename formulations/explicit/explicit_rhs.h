/*
 * explicit_rhs.h - the equations of motion of a mode, solved beforehand: one
 * straight-line program from the state and its derivatives to their rates.
 *
 * R(u) = 0 is linear in u = (a, lambda) in most formulations, so u is a formula of the
 * state (explicit/elimination.h), and so are s', z' and the derivatives of all of them
 * along a direction. Rows that value and derivatives have in common are there once; what
 * depends on parameters alone, M and its factors in many mechanisms, is evaluated once a
 * run.
 *
 * Where nothing pulls back what rounding leaves of Phidd (DRIFTS_OFF) it is integrated
 * twice. There u and its derivatives are corrected once, by what they leave of the
 * constraints: some 5e-15 of the accelerations without pivoting, then 1e-16, as with the
 * pivoting solver, which corrects, too. Constraints that are soft, or pulled back, let
 * nothing add up, and a third of the operations is saved.
 *
 * The order of its pivots is fixed. Where that is in doubt the program is not used: it
 * must agree with the pivoting solver where an arc starts, and again wherever a pivot has
 * become a few times smaller since. Everything that is refused is refused by that solver,
 * in system.c, which knows why.
 */
#ifndef SALTUS_EXPLICIT_RHS_H
#define SALTUS_EXPLICIT_RHS_H

#include "base/arena.h"
#include "codegen/tier_up.h"
#include "explicit/formula_matrix.h"
#include "formulation.h"
#include "program/stages.h"

/* Stages of the program. */

/* The equations it is made of, as formulas: R [rows] and R_u in the order of `unknown`,
   s' [ns], z' [nz], and the derivatives of R (at fixed unknowns), s', z' along the first
   copy of the blocks. */
struct explicit_equations {
    int n, m, ns, nz, rows;
    const struct unknown *unknown;
    const formula *R, *f_s, *g, *R_dot, *f_s_dot, *g_dot;
    const struct formula_matrix *R_u;
    bool corrected;             /* u and its derivatives, once */
    bool beside;                /* runs are evaluated beside each other: no pairs of rows,
                                   which cost more there than they spare */
    int columns;                /* derivatives */
    const int *parameter;       /* [columns] by which */
    int parameters;             /* of the model */
};

typedef void explicit_rhs_function(const double *c, double t, const double *x, double *dx,
                                   double *pivot);

struct explicit_rhs {
    int n, m, ns, state, columns, pivots;
    int text_rows;              /* of the program as C, in which loops are written once */
    struct program *program;    /* outputs: see explicit_formulas.h */
    bool driven;                /* the equations depend on time */
    double *w;                  /* its work */
    int *parameter;             /* [columns] */
    double *pivot, *least;      /* [pivots] that move: at the last point; magnitudes below
                                   which they are in doubt, by the point last compared */
    bool trusted;               /* the rates are right */
    bool solves;                /* and so are the multipliers */
    enum code_use use;          /* of code */
    struct tiered_program stages;    /* of the program, for one point at a time */
    struct tiered_code tiered;  /* right-hand sides, compiled */
    explicit_rhs_function *function; /* of that code, or NULL */
    struct arena arena;         /* of all arrays */
};

/* NULL: no order of pivots can be chosen beforehand, or, of SPARSE_FROM unknowns and more
   (klu.h), it takes too many operations (explicit/elimination.h) or too long a text. */
struct explicit_rhs *explicit_rhs_new(struct tape *tape,
                                      const struct explicit_equations *equations);
void explicit_rhs_free(struct explicit_rhs *explicit_rhs);
/* Everything that depends on parameters alone; rho [p]. */
void explicit_rhs_start(struct explicit_rhs *explicit_rhs, const double *rho);
void explicit_rhs_use_code(struct explicit_rhs *explicit_rhs, enum code_use use);
/* Of a right-hand side of this program. */
void explicit_rhs_tier_up(const struct explicit_rhs *explicit_rhs,
                          struct tier_up *tier_up);

/* The program as C (emit.h), malloc'ed, of a function of that name; lanes 0: of one
   trajectory. */
extern const char explicit_rhs_symbol[];
char *explicit_rhs_text(const struct explicit_rhs *explicit_rhs, int lanes);

/* x' at x = (q, v, s, z) and its derivatives, columns as in system.h: by the interpreter,
   which may have it compiled for the next time, */
void explicit_rhs_interpret(struct explicit_rhs *explicit_rhs, double t, const double *x,
                            double *dx);
/* or compiled. */
static inline void explicit_rhs_evaluate(struct explicit_rhs *explicit_rhs, double t,
                                         const double *x, double *dx)
{
    if (explicit_rhs->function)
        explicit_rhs->function(explicit_rhs->w, t, x, dx, explicit_rhs->pivot);
    else
        explicit_rhs_interpret(explicit_rhs, t, x, dx);
}

/* The same at one point: u there, then along directions. a [n], lambda [m]. False where
   pivots or values are not to be trusted, and always when time is not among the
   directions that it knows: the equations are driven. */
bool explicit_rhs_solve(struct explicit_rhs *explicit_rhs, double t, const double *q,
                        const double *v, const double *s, double *a, double *lambda);
/* s' [ns] and z' [nz] at that point, either may be NULL. */
void explicit_rhs_rates(const struct explicit_rhs *explicit_rhs, double *f_s, double *g);
/* Derivatives along a direction, whose parameter is one of the columns, or -1; parts of
   it may be NULL, zero, and so may df_s and dg. */
void explicit_rhs_tangent(struct explicit_rhs *explicit_rhs, const double *q,
                          const double *v, const double *s, int parameter, double *da,
                          double *dlambda, double *df_s, double *dg);

/* At the point last evaluated the program agrees with the pivoting solver, or does not;
   it is not known whether the multipliers do. */
void explicit_rhs_compared(struct explicit_rhs *explicit_rhs, bool agrees);
/* Has a pivot become much smaller since? */
bool explicit_rhs_in_doubt(const struct explicit_rhs *explicit_rhs);

#endif
