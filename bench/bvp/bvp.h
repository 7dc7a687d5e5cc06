/*
 * bvp.h - a periodic motion as a two-point boundary value problem over segments, in C
 * that AUTO-07p is linked with, generated from the formulas of the case.
 *
 * The segments are the arcs between the events of a period, side by side on [0, 1], arc k
 * from event k - 1 to event k in the mode of event k:
 *
 *     x_k' = T_k f(x_k, rho),     r_k(x_k(1)) = 0,     x_{k+1}(0) = the reset of x_k(1)
 *
 * with the durations T_k as parameters. The reset is the residual J of the event
 * (model.h); M a = F is solved by elimination in the text. Columns of derivatives may be
 * appended, each as a boundary value problem of its own along the orbit,
 *
 *     y_k' = T_k f_x y_k + dT_k f,     r_x y_k(1) = 0,     y_{k+1}(0) by J,
 *
 * where column c = 1 .. width begins with the reset of a unit vector: the ends of its
 * last arc are a column of the derivative of the return map, from before the last event
 * of a period to before the last event of the next. Its eigenvalues that are not 0 are
 * the multipliers that are not trivial. One more column closes, like the orbit, and has
 * the derivatives by the parameter that is continued, f_rho and r_rho being added.
 * Neither jump rules nor monodromy matrices of this program take part.
 *
 * Unknowns are u[(c*arcs + k)*width + i], where c = 0 is the orbit.
 */
#ifndef SALTUS_BVP_H
#define SALTUS_BVP_H

#include "orbits/orbit.h"

/* The caller sets every member. */
struct bvp {
    const struct model *model;
    const struct orbit *orbit;      /* the events of a period and, rounded to BVP_GUESS
                                       digits, the first guess; all components come
                                       back */
    const double *value;            /* [model->p] parameters */
    int parameter;                  /* the one that is continued */
};
enum { BVP_GUESS = 3 };

/* All columns. */
static inline int bvp_columns(const struct bvp *bvp)
{
    return bvp->orbit->width + 1;
}
/* The size of the problem with `columns` columns, none or all: unknowns, and boundary
   conditions. */
static inline int bvp_unknowns(const struct bvp *bvp, int columns)
{
    return (1 + columns)*bvp->orbit->events*bvp->orbit->width;
}
static inline int bvp_conditions(const struct bvp *bvp, int columns)
{
    return (1 + columns)*bvp->orbit->events*(bvp->orbit->width + 1);
}
/* Parameters of the problem, counted from 0: the one that is continued, T_k (c = 0) or
   dT_k of a column, and one that no equation contains. */
enum { BVP_RHO };
static inline int bvp_duration(const struct bvp *bvp, int c, int k)
{
    return 1 + c*bvp->orbit->events + k;
}
static inline int bvp_idle(const struct bvp *bvp)
{
    return bvp_duration(bvp, 1 + bvp_columns(bvp), 0);
}
static inline int bvp_parameters(const struct bvp *bvp)
{
    return bvp_idle(bvp) + 1;
}

/* The place among the unknowns of component i at the begin of the arc that event k leads
   to, c as above. */
static inline int bvp_after(const struct bvp *bvp, int c, int k, int i)
{
    int arcs = bvp->orbit->events;
    return (c*arcs + (k + 1)%arcs)*bvp->orbit->width + i;
}
/* The place of component i at the end of the arc that event k ends. */
static inline int bvp_before(const struct bvp *bvp, int c, int k, int i)
{
    return (c*bvp->orbit->events + k)*bvp->orbit->width + i;
}

/* Writes the C texts into a folder, bvp_*.c. OK, or
     NOT_APPLICABLE   constraints, impulses, guards or rates with accelerations, a motion
                      that is one of a family: not this problem
     BAD_ANSWER       a file cannot be written */
enum status bvp_write(const struct bvp *bvp, const char *folder,
                      struct diagnosis *diagnosis);
/* The text that is the same for every problem (bvp_driver.c), in parts that NULL ends. */
extern const char *const bvp_driver[];

#endif
