/*
 * rows.h - rows of the constraints, and the convergence of iterations on them, shared by
 * the projections.
 *
 * Sizes are relative and per row, so that units of constraints and of coordinates do not
 * matter. x stands for q and Phi, or for v and Phid, or for their derivatives.
 */
#ifndef SALTUS_ROWS_H
#define SALTUS_ROWS_H

#include "monitors/constraints.h"

/* Some rows of the constraints. The projection sets every member. */
struct rows {
    int count;              /* number of rows */
    const int *index;       /* [count] indices among the rows of the constraints */
    const struct constraint_matrix *matrix;     /* C: Phi_q of positions, Phid_v of
                                                   velocities */
};

/* Entry (i, j) of the matrix of these rows, at the point last evaluated. */
static inline double rows_entry(const struct constraints *constraints,
                                const struct rows *rows, int i, int j)
{
    return constraints_at_place(constraints, rows->matrix, rows->index[i], j);
}
/* Row i of Phi if `output` is constraints->Phi; of Phid, Phi_dot, Phid_dot alike. */
static inline double rows_value(const struct constraints *constraints,
                                const struct rows *rows, int output, int i)
{
    return constraints_value(constraints, output + rows->index[i]);
}
/* True if q [n], v [n], and Phi, Phid, their matrices and M at the point last evaluated
   are finite. */
bool rows_finite(const struct constraints *constraints, const double *q, const double *v);

/* unit [n + rows]: units of the coordinates and of the rows (linear/units.h), with M and
   C at the point last evaluated. value [n] is scratch. */
void rows_units(const struct constraints *constraints, const struct rows *rows,
                double *value, double *unit);
/* rows_units where masses are uneven, else ones. */
void rows_units_where_uneven(const struct constraints *constraints,
                             const struct rows *rows, double *value, double *unit);

/* The relative distance to convergence of an iteration that started at x0 [n] and takes
   the step dx [n] from x [n] next: the largest max(|residual_i|, sum_j |C_ij dx_j|)
   divided by sum_j |C_ij| max(|x_j|, |x0_j|), or by 1e-8 of this sum for the row in which
   it is largest, rows scaled to a largest entry of one. NAN when something is not
   finite. */
double rows_distance(const struct constraints *constraints, const struct rows *rows,
                     int output, const double *x0, const double *x, const double *dx);

/* The progress of an iteration. */
enum progress {
    ARRIVED,        /* x has converged */
    LAST_STEP,      /* x will have converged after this step */
    GOING_ON,
    STUCK           /* steps become no shorter, far from rounding */
};

/* The progress of an iteration, from this distance and the one before (at first
   INFINITY). `off` is the distance from here to the point whose Newton matrix is used:
   this distance if the matrix is that of this point, or the distance of the point whose
   curvature is left out. A step leaves a part of its length that grows with `off`. A step
   is the last if, by `off` and by the steps so far, it leaves nothing but rounding. Where
   steps become no shorter, rounding is taken to be the reason if half of the digits are
   there. */
enum progress rows_progress(double distance, double before, double off);

#endif
