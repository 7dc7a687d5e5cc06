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
#include "linear/stacked_lu.h"
#include "model.h"

/* Stages are odd in number: 3, 5 or 7. */
enum { RADAU_LEAST_STAGES = 3, RADAU_MOST_STAGES = 7, RADAU_METHODS = 3 };
/* Powers of A^-1 that are of use: 0, 1, 2. */
enum { RADAU_LEVELS = 3 };

/* The collocation method. A polynomial over the step is given by its values at c_1 ..
   c_s. tableau_init sets every member; further elements of its arrays are not used. */
struct tableau {
    int stages;                         /* s: 3, 5 or 7 */
    double c[RADAU_MOST_STAGES];        /* nodes, as parts of the step; the last is 1 */
    double node[1 + RADAU_MOST_STAGES]; /* 0 and the nodes */
    /* Lagrange polynomials l_j(theta) = sum_m lagrange[j][m] P_m(2 theta - 1). */
    double lagrange[RADAU_MOST_STAGES][RADAU_MOST_STAGES];
    double A[RADAU_MOST_STAGES][RADAU_MOST_STAGES];     /* A_ij: integral of l_j from 0
                                           to c_i */
    /* [m] A^-m */
    double inverse[RADAU_LEVELS][RADAU_MOST_STAGES][RADAU_MOST_STAGES];
    double gamma0;                      /* the real eigenvalue of A */
    double at_start[RADAU_MOST_STAGES]; /* l_j(0) */
    struct amplified {                  /* rounding in the error estimate, caused by
                                           errors of at most 1 in ((h A)^m W)_j */
        double here, before;            /* times h^-m in this step; of the step before */
    } amplified[RADAU_LEVELS];          /* [m] */
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

/* R_w and R_y at the stages. jacobians_init sets the places, radau_linearise the
   values. */
struct jacobians {
    const struct entries *at_w, *at_y;  /* places of R_w, R_y: those of the mode */
    double *R_w, *R_y;                  /* [s][at_w->count], [s][at_y->count] */
    struct arena arena;                 /* memory of the arrays */
};

/* The matrix N = dR/dW of all stages, and where its entries come from. stage_matrix_init
   sets all but the values. */
struct stage_matrix {
    int stages;                         /* s of the method; 0: there is no matrix */
    int *from_w;                        /* [s][at_w->count] index in N */
    int *from_y;                        /* [s][at_y->count][s] index in N, by the stage of
                                           the unknown */
    struct sparse N;                    /* [s k]^2 */
    struct arena arena;                 /* memory of the arrays */
};

/* The matrices K_i of the stages (radau_blocks.c), and where their entries come from.
   stage_blocks_init sets all but the values. */
struct stage_blocks {
    bool usable;                        /* every row has a level */
    int *level;                         /* [k] level of each row */
    int *from_w, *from_y;               /* [at_w->count], [at_y->count] index in K; -1:
                                           not there */
    bool again;                         /* a row has level 1: each solution is two */
    bool alone;                         /* a row has one unknown of its own */
    double *solved;                     /* [s][k] differentiated rows, then unknowns */
    double *through;                    /* [s][d] y that unknowns make through chains */
    double *value;                      /* [s][entries] of K_i, by stages */
    struct stacked_lu lu;               /* places and factors of K_i */
    struct arena arena;                 /* memory of the arrays */
};

/* radau_alloc sets tableau, next, dim and the arrays; steps set the rest. */
struct radau {
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
    double *predicted;              /* [s][k] W at which Newton's method began */
    double *load;                   /* [columns][s][k] R' for Y = 0, W = 0 */
    double *Y_zero;                 /* [d] zeros */
    struct jacobians jacobians;     /* of the mode in hand */
    struct stage_blocks blocks;     /* of the mode in hand */
    struct stage_matrix matrix;     /* of the mode and method in hand, once it has been
                                       asked for */
    bool direct;                    /* N is what is factorised, not the blocks */
    int direct_left;                /* steps for which N is still taken, this one
                                       included */
    int direct_steps;               /* the same after the next failure of the blocks */
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
/* The method of so many stages, made at the first call. Any thread may call. */
const struct tableau *tableau_of(int stages);
/* weight [s] = l_j(theta). */
void tableau_values(const struct tableau *tableau, double theta, double *weight);
/* weight [s] = the integrals of l_j from 0 to theta. At 1 these are the last row of A, to
   the last bit. */
void tableau_integrals(const struct tableau *tableau, double theta, double *weight);

/* --- radau_order.c ------------------------------------------------------------------ */

/* The next steps have 3, 5 or 7 stages. */
void radau_use_stages(struct radau *work, int stages);
/* The members of these names in integrator.h. */
int radau_aim(void *work, double rtol);
int radau_error_order(const void *work);
int radau_next_nodes(const void *work, const double **node);

/* --- radau_stages.c ----------------------------------------------------------------- */

/* Arrays for d components, taken from the arena. */
void chains_init(struct chains *chains, struct arena *arena, int d);
/* The chains of the equations, for a step h. slip() if the derivatives of some y never
   become a w. */
void chains_follow(struct chains *chains, const struct tableau *tableau,
                   const struct implicit_equations *equations, double h);

/* Y and K of the components of y in a column, from x and W; shortest chains first. */
void radau_stage_values(struct radau *work, int column);

/* --- radau_jacobians.c -------------------------------------------------------------- */

void jacobians_init(struct jacobians *jacobians,
                    const struct implicit_equations *equations);
void jacobians_clear(struct jacobians *jacobians);
/* R at stage i. After this the equations refer to this point. Status of the residual. */
enum status radau_visit(struct radau *work, void *context, int i);
/* R, R_w and R_y at stage i. Status of the residual. */
enum status radau_linearise(struct radau *work, void *context, int i);
/* size of R at all stages, where it was linearised. */
void radau_sizes(struct radau *work);
/* R and size of the linear equations R' = load + R_y Y + R_w W of a column > 0. */
void radau_linear_residual(struct radau *work, int column);
/* The largest R in units of its rounding; and as it is. */
double radau_backward_error(const struct radau *work, double *largest);

/* --- radau_blocks.c ----------------------------------------------------------------- */

/* Lays the blocks out for the equations of a mode, whose chains have been followed. */
void stage_blocks_init(struct stage_blocks *blocks,
                       const struct implicit_equations *equations,
                       const struct chains *chains);
void stage_blocks_clear(struct stage_blocks *blocks);
/* Factorises the blocks of the Jacobians; false: one is singular. */
bool stage_blocks_factor(struct radau *work);
/* x [s][k] becomes about N^-1 x, to first order in h. */
void stage_blocks_solve(const struct radau *work, double *x);

/* --- radau_matrix.c ----------------------------------------------------------------- */

/* Factorises N of the Jacobians, which is laid out at first use in a mode; false: it is
   singular. */
bool stage_matrix_factor(struct radau *work);
void stage_matrix_clear(struct stage_matrix *matrix);

/* --- radau_newton.c ----------------------------------------------------------------- */

/* An iteration with approximate factors; all zero to begin with. */
struct iteration {
    int count;                  /* corrections so far */
    double error, before;       /* last backward error; the one before */
    double largest, largest_before;     /* last of the largest R; the one before */
    double fastest;             /* least factor so far of two corrections, in the mean */
};
enum course { GOES_ON, LAST_CORRECTION, FAILS };
/* The course of the iteration, after the next residual. `correction` is scratch. */
enum course radau_course(struct radau *work, struct iteration *iteration);
/* Factorises the blocks, or N; false: singular. */
bool radau_factor(struct radau *work);
/* x [s][k] becomes N^-1 x, or about that. */
void radau_solve(const struct radau *work, double *x);
/* N takes the place of the blocks for this step and, if these fail one step after the
   other, for some after it. */
void radau_go_direct(struct radau *work);
/* Solves for W of the solution, to rounding, from the W that is there. Status of the
   residual; SINGULAR, NO_CONVERGENCE. */
enum status radau_newton(struct radau *work, void *context);

/* --- radau_tangents.c --------------------------------------------------------------- */

/* Solves for W of all derivatives at the stages found, from the W that is there. Status
   of the residual; SINGULAR. */
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
