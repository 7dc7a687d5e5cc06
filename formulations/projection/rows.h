/*
 * rows.h - what the projections share: some rows of the constraints, and when an
 * iteration on them has arrived.
 *
 * Sizes are relative and per row, so that units of constraints and of coordinates do not
 * matter. x stands for q and Phi, or for v and Phid, or for their derivatives.
 */
#ifndef SALTUS_ROWS_H
#define SALTUS_ROWS_H

#include "monitors/constraints.h"

struct rows {
    int count;
    const int *index;       /* [count] which rows of the constraints */
    const struct constraint_matrix *matrix;     /* Phi_q of positions, Phid_v of
                                                   velocities */
};

/* Entry (i, j) of the matrix of these rows, at the point last evaluated. */
static inline double rows_entry(const struct constraints *constraints,
                                const struct rows *rows, int i, int j)
{
    return constraints_at_place(constraints, rows->matrix, rows->index[i], j);
}
/* Row i of Phi, if `output` is constraints->Phi; of Phid, Phi_dot, Phid_dot alike. */
static inline double rows_value(const struct constraints *constraints,
                                const struct rows *rows, int output, int i)
{
    return constraints_value(constraints, output + rows->index[i]);
}
/* Have q [n], v [n], and Phi, Phid, their matrices and M at the point last evaluated, a
   value? */
bool rows_finite(const struct constraints *constraints, const double *q, const double *v);

/* Units of the coordinates and of the rows (linear/units.h), M and C at the point last
   evaluated: unit [n + rows]; value [n] is scratch. In any case, or where masses are
   uneven. */
void rows_units(const struct constraints *constraints, const struct rows *rows,
                double *value, double *unit);
void rows_units_where_uneven(const struct constraints *constraints,
                             const struct rows *rows, double *value, double *unit);

/* How far from its end an iteration is that started at x0 [n] and is going to take the
   step dx [n] from x [n], with the matrix C of the rows: the largest
   max(|residual_i|, sum_j |C_ij dx_j|) divided by sum_j |C_ij| max(|x_j|, |x0_j|), or by
   1e-8 of what that is for the row that has most of it, rows scaled to a largest entry of
   one. NAN when something is not finite. */
double rows_distance(const struct constraints *constraints, const struct rows *rows,
                     int output, const double *x0, const double *x, const double *dx);

enum progress {
    ARRIVED,        /* x is right as it stands */
    LAST_STEP,      /* it will be after this step */
    GOING_ON,
    STUCK           /* steps no longer become shorter, far from rounding */
};

/* From this distance and the one before (at first INFINITY). What a step leaves of its
   length grows with `off`, how far from here the matrix is that of Newton's method: this
   distance if it is the matrix here, or that of the point whose curvature is left out. A
   step is the last if, by this and by the steps so far, it leaves nothing but rounding.
   Where steps no longer become shorter, rounding is the reason if half of the digits are
   there. */
enum progress rows_progress(double distance, double before, double off);

#endif
