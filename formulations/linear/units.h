/*
 * units.h - scaling of unknowns by masses and constraints: units in which neither metres
 * nor micrometres matter.
 *
 * A coordinate is measured in 1/sqrt(M_jj), so that its mass is one and columns of the
 * constraints weigh the motion. Ranks, pivots and norms in these units do not depend on
 * the units in which a case is written. Every unit is a power of two, so that scaling
 * rounds nothing.
 *
 * A mass may vanish, for a moment or for good, where the constraints leave such a
 * coordinate no freedom. The constraints then decide: the largest entry of the coordinate
 * is about one.
 */
#ifndef SALTUS_UNITS_H
#define SALTUS_UNITS_H

/* A power of two between 1/2 and 1 over `size`; 0 if the size is not positive and
   finite. */
double unit_of_size(double size);
/* The unit of a coordinate of mass M_jj, in which the mass is between 1/2 and 2; 0 if the
   mass is not positive and finite. */
double unit_of_mass(double mass);

/* A row of C. */
struct sparse_row {
    int count;                  /* number of values */
    const int *column;          /* [count] columns; NULL: 0, 1, .. count - 1 */
    const double *value;        /* [count] */
};
/* Returns row i, which remains valid until the next call. */
typedef struct sparse_row row_of_constraints(void *context, int i);

/* Units of n coordinates and of m rows of C. unit [n + m] comes with those of coordinates
   by mass (0: none) and returns with all. The largest entry of every row is about one in
   these units. */
void units_by_constraints(int n, int m, row_of_constraints *row, void *context,
                          double *unit);
/* units_by_constraints where masses are uneven (6.7e7 apart), so that mixed units must be
   the reason; else ones. A case that is written in one system of units stays in this
   system: the author's units then decide which coordinate is the better pivot, an angle
   or a length. */
void units_where_uneven(int n, int m, row_of_constraints *row, void *context,
                        double *unit);

/* unit [n + m] of accelerations and multipliers for K (linear.h) [(n+m)^2], by rows, as
   by units_where_uneven. */
void units_of_saddle(int n, int m, const double *K, double *unit);

#endif
