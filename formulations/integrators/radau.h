/*
 * radau.h - the inside of Radau IIA with s stages, private to radau*.c.
 *
 * Letters are those of Hairer, Wanner 1996 (HW): nodes c, matrix A of the method. The
 * unknowns of a step are the w at the stages, W_i; the stage values Y_i of y are linear
 * in W. A derivative of the solution is one more column of the same shape.
 */
#ifndef SALTUS_RADAU_H
#define SALTUS_RADAU_H

#include "base/arena.h"
#include "compensated_sum.h"
#include "integrator.h"
#include "linear/klu.h"
#include "model.h"

enum { RADAU_MOST_STAGES = 7, RADAU_METHODS = 3 };

/* The collocation method. A polynomial over the step is given by its values at c_1 ..
   c_s. tableau_init sets every member; further elements of its arrays are not used. */
struct tableau {
    int stages;                         /* s: 3, 5 or 7 */
    double c[RADAU_MOST_STAGES];        /* nodes, as parts of the step; the last is 1 */
    /* Lagrange polynomials l_j(theta) = sum_m lagrange[j][m] P_m(2 theta - 1). */
    double lagrange[RADAU_MOST_STAGES][RADAU_MOST_STAGES];
    double A[RADAU_MOST_STAGES][RADAU_MOST_STAGES];     /* A_ij: integral of l_j from 0
                                           to c_i */
    double inverse[RADAU_MOST_STAGES][RADAU_MOST_STAGES];   /* A^-1 */
    double gamma0;                      /* the real eigenvalue of A */
    double at_start[RADAU_MOST_STAGES]; /* l_j(0) */
    struct amplified {                  /* rounding in the error estimate, caused by
                                           errors of at most 1 in ((h A)^m W)_j */
        double here, before;            /* times h^-m in this step; of the step before */
    } amplified[3];                     /* [m] for m = 1, 2 */
};

/*
 * The dependence of y on w: in the chain y_i' = y_j, y_j' = .. = w_root there are `links`
 * derivatives, so Y_i contains the W_root of all stages times coupling^links.
 * chains_follow sets every member.
 */
struct chains {
    int longest;                    /* largest of `links` */
    int *links, *root;              /* [d] */
    int *order;                     /* [d] components, shortest chains first */
    /* [d + 1] (h A)^m */
    double (*coupling)[RADAU_MOST_STAGES][RADAU_MOST_STAGES];
};

/* The matrix N = dR/dW of all stages, and where its entries come from. stage_matrix_init
   sets all but the values. */
struct stage_matrix {
    const struct entries *at_w, *at_y;  /* places of R_w, R_y: those of the mode */
    double *R_w, *R_y;                  /* [at_w->count], [at_y->count] at one stage */
    int stages;                         /* s of the method */
    int *from_w;                        /* [s][at_w->count] index in N */
    int *from_y;                        /* [s][at_y->count][s] index in N, by the stage of
                                           the unknown */
    struct sparse N;                    /* [s k]^2 */
    struct arena arena;                 /* memory of the arrays */
};

/* radau_alloc sets method, tableau, dim and the arrays; steps set the rest. */
struct radau {
    struct tableau method[RADAU_METHODS];       /* by increasing order */
    const struct tableau *tableau, *next;   /* method of the last step; of the next */
    struct chains chains;
    const struct implicit_equations *equations; /* of the last step */
    int dim, k;                     /* components of x; unknowns of the last step */
    double t, h;                    /* start and length of the last step */
    double h_before;                /* length of the step that led to t; 0: none did */
    bool stepped;                   /* the last step was solved: x, W, K belong to it */
    double *x, *x_new;              /* [dim] state at t, at t + h */
    double *change;                 /* [dim] x_new - x before rounding */
    struct compensated_sum carry;   /* rounding errors of the state */
    double *largest_rate;           /* [dim] largest |x'| at stages of accepted steps */
    double *W;                      /* [1 + columns][s][k] unknowns w */
    double *Y;                      /* [1 + columns][s][d] stage values of y */
    double *K[RADAU_MOST_STAGES];   /* [dim] x' at the stages */
    double *R, *size;               /* [s][k] residual, and the sum of the magnitudes of
                                       its terms */
    double *correction;             /* [s][k] of a Newton step */
    struct stage_matrix matrix;     /* dR/dW of the mode in hand */
    struct arena arena;             /* memory of all arrays, those of chains and carry,
                                       too */
};

/* W [k] of a column at a stage. */
static inline double *radau_W(const struct radau *work, int column, int stage)
{
    return work->W + (column*work->tableau->stages + stage)*work->k;
}

/* Y [d] of a column at a stage. */
static inline double *radau_Y(const struct radau *work, int column, int stage)
{
    int d = work->equations->differential;

    return work->Y + (column*work->tableau->stages + stage)*d;
}

/* --- radau_tableau.c ---------------------------------------------------------------- */

/* The method of 3, 5 or 7 stages. */
void tableau_init(struct tableau *tableau, int stages);
/* weight [s] = l_j(theta). */
void tableau_values(const struct tableau *tableau, double theta, double *weight);
/* weight [s] = the integrals of l_j from 0 to theta. At 1 these are the last row of A, to
   the last bit. */
void tableau_integrals(const struct tableau *tableau, double theta, double *weight);

/* --- radau.c ------------------------------------------------------------------------ */

/* The next steps have 3, 5 or 7 stages. */
void radau_use_stages(struct radau *work, int stages);

/* --- radau_stages.c ----------------------------------------------------------------- */

/* Arrays for d components, taken from the arena. */
void chains_init(struct chains *chains, struct arena *arena, int d);
/* The chains of the equations, for a step h. slip() if the derivatives of some y never
   become a w. */
void chains_follow(struct chains *chains, const struct tableau *tableau,
                   const struct implicit_equations *equations, double h);

/* Y and K of the components of y in a column, from x and W; shortest chains first. */
void radau_stage_values(struct radau *work, int column);

/* --- radau_matrix.c ----------------------------------------------------------------- */

/* Lays N out for the equations of a mode, whose chains have been followed. */
void stage_matrix_init(struct stage_matrix *matrix, int stages,
                       const struct implicit_equations *equations,
                       const struct chains *chains);
void stage_matrix_clear(struct stage_matrix *matrix);
/* Sets the block row of stage i of N, and `size` of its residuals; the equations were
   evaluated there last. */
void stage_matrix_assemble(struct radau *work, void *context, int i);

/* --- radau_newton.c ----------------------------------------------------------------- */

/* Solves for W of the solution, to rounding, from the W that is there. Status of the
   residual; SINGULAR, NO_CONVERGENCE. */
enum status radau_newton(struct radau *work, void *context);
/* Solves for W of all derivatives, with one factorisation at the stages found. Status of
   the residual; SINGULAR. */
enum status radau_tangents(struct radau *work, void *context);
/* K of the quadratures in all columns. Status of the residual. */
enum status radau_quadratures(struct radau *work, void *context);

/* --- radau_error.c ------------------------------------------------------------------ */

/* The largest of `lost`: more than 0 in index 3. */
int radau_orders_lost(const struct implicit_equations *equations);
/* err [dim] of the step, whose end is in x_new; dx [dim] is x' at its start. */
void radau_error(const struct radau *work, const double *dx, double *err);
/* Takes the rates of the last step, which has been accepted, into largest_rate. */
void radau_remember(struct radau *work);

#endif
