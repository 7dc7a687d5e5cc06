/*
 * units.h - units of the unknowns in which neither metres nor micrometres matter.
 *
 * A coordinate is measured in 1/sqrt(M_jj): its mass then is one, and columns of the
 * constraints weigh what they move. Ranks, pivots and norms that are taken in these units
 * do not depend on those in which a case is written. Every unit is a power of two, so
 * that scaling rounds nothing.
 *
 * A mass may vanish, for a moment or for good, where the constraints leave such a
 * coordinate no freedom. Then these decide: its largest entry in them is about one.
 */
#ifndef SALTUS_UNITS_H
#define SALTUS_UNITS_H

/* A power of two between 1/2 and 1 over a size; 0 where that is not positive and
   finite. */
double unit_of_size(double size);
/* The unit of a coordinate of this mass, M_jj, which is between 1/2 and 2 in it; 0 where
   there is none. */
double unit_of_mass(double mass);

/* A row of C: `count` values, in these columns; column NULL: in the first ones. */
struct sparse_row {
    int count;
    const int *column;
    const double *value;
};
/* Row i, which stays as it is until the next call. */
typedef struct sparse_row row_of_constraints(void *context, int i);

/* Units of n coordinates and of m rows of C: unit [n + m] holds those by mass and comes
   back with all. The largest entry of every row is about one in them. */
void units_by_constraints(int n, int m, row_of_constraints *row, void *context,
                          double *unit);
/* Such units where masses are so uneven (6.7e7 apart) that units are the reason; else
   ones. A case that is written in one system of units stays in it: which coordinate is
   the better pivot, an angle or a length, is then decided as its author has it. */
void units_where_uneven(int n, int m, row_of_constraints *row, void *context,
                        double *unit);

/* Units of accelerations and multipliers for K (linear.h) [(n+m)^2], by rows, where
   masses are uneven; unit [n + m]. */
void units_of_saddle(int n, int m, const double *K, double *unit);

#endif
