/*
 * radau.h - the inside of Radau IIA, shared by radau*.c and by nobody else.
 *
 * Letters as in Hairer, Wanner 1996 (HW): nodes c, matrix A of the method. The unknowns
 * of a step are the w at the stages, W_i; the stage values Y_i of y follow from them
 * linearly. A derivative of the solution is one more column of the same shape.
 */
#ifndef SALTUS_RADAU_H
#define SALTUS_RADAU_H

#include "base/arena.h"
#include "compensated_sum.h"
#include "integrator.h"
#include "linear/dense_lu.h"

enum { RADAU_STAGES = 3 };

/* Collocation: a polynomial over the step is given by its values at c_1, c_2, c_3. */
struct tableau {
    double c[RADAU_STAGES];
    /* l_j(theta) = sum_m lagrange[j][m] theta^m */
    double lagrange[RADAU_STAGES][RADAU_STAGES];
    double A[RADAU_STAGES][RADAU_STAGES];
    double gamma0;                      /* the real eigenvalue of A */
};

/*
 * How y hangs on w: in the chain y_i' = y_j, y_j' = .. = w_root there are `links`
 * derivatives, so Y_i contains the W_root of all stages times coupling^links.
 */
struct chains {
    int longest;
    int *links, *root;              /* [d] */
    int *order;                     /* [d] components, shortest chains first */
    double (*coupling)[RADAU_STAGES][RADAU_STAGES];     /* [d + 1] (h A)^m */
};

struct radau {
    struct tableau tableau;
    struct chains chains;
    const struct implicit_equations *equations;
    int dim, k;                     /* k: unknowns of the last step */
    double t, h;                    /* of the last step */
    double h_before;                /* of the one that led to its start; 0: none did */
    bool stepped;                   /* it was finished: x, W, K are its own */
    double *x, *x_new;              /* [dim] at t, at t + h */
    double *change;                 /* [dim] from one to the other */
    struct compensated_sum carry;
    double *largest_rate;           /* [dim] so far: of velocities and quadratures */
    double *W;                      /* [1 + columns][RADAU_STAGES][k] */
    double *Y;                      /* [1 + columns][RADAU_STAGES][d] */
    double *K[RADAU_STAGES];        /* [dim] x' at the stages */
    double *R, *size;               /* [RADAU_STAGES][k] residual, and size of what it
                                       sums */
    double *correction;             /* [RADAU_STAGES][k] */
    double *R_w, *R_y;              /* [k*k], [k*d] at one stage */
    double *N;                      /* [RADAU_STAGES*k]^2 dR/dW by rows */
    double *row, *column;           /* [RADAU_STAGES*k] scales of N, powers of two */
    struct dense_lu factor;         /* of N scaled */
    struct arena arena;             /* of all arrays, those of chains and carry, too */
};

static inline double *radau_W(const struct radau *work, int column, int stage)
{
    return work->W + (column*RADAU_STAGES + stage)*work->k;
}

static inline double *radau_Y(const struct radau *work, int column, int stage)
{
    return work->Y + (column*RADAU_STAGES + stage)*work->equations->differential;
}

/* --- radau_stages.c ----------------------------------------------------------------- */

void tableau_init(struct tableau *tableau);
/* l_j(theta), and their integrals from 0 to theta; [RADAU_STAGES] */
void tableau_values(const struct tableau *tableau, double theta, double *weight);
void tableau_integrals(const struct tableau *tableau, double theta, double *weight);

void chains_init(struct chains *chains, struct arena *arena, int d);
/* Those of the equations, for a step h. Slip when the rate of some y never is a w. */
void chains_follow(struct chains *chains, const struct tableau *tableau,
                   const struct implicit_equations *equations, double h);

/* Y and K of the components of y in a column, from x and W. */
void radau_stage_values(struct radau *work, int column);

/* --- radau_newton.c ----------------------------------------------------------------- */

/* W of the solution, to rounding. Status of the residual; SINGULAR, NO_CONVERGENCE. */
enum status radau_newton(struct radau *work, void *context);
/* W of all derivatives, with one factorisation at the stages found. As above. */
enum status radau_tangents(struct radau *work, void *context);
/* K of the quadratures, in all columns. Status of the residual. */
enum status radau_quadratures(struct radau *work, void *context);

/* --- radau_error.c ------------------------------------------------------------------ */

/* Of the component that loses most: in index 3 more than none. */
int radau_orders_lost(const struct implicit_equations *equations);
/* err [dim] of the step, whose end is in x_new; dx [dim] is x' at its start. */
void radau_error(const struct radau *work, const double *dx, double *err);
/* The last step has been accepted: integrands may have become larger than before. */
void radau_remember(struct radau *work);

#endif
