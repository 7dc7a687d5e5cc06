/*
 * match.h - how numbers are compared: the digits on which they agree, their distance, and
 * the order in which distances fall.
 */
#ifndef SALTUS_MATCH_H
#define SALTUS_MATCH_H

#include "run.h"

/* --- numbers beside numbers --------------------------------------------------------- */

/* Many numbers compared: the largest difference, and the largest number wanted. */
struct match {
    double error, size;
};

/* Adds got [count] beside want [count]. A wanted number that is NAN does not count; a NAN
   beside a number is an infinite error. */
void match_add(struct match *match, const double *got, const double *want, int count);
/* Adds a group of columns at all samples of two trajectories with the same samples:
   `derivatives`: those by all parameters, else the values. */
void match_add_columns(struct match *match, const struct trajectory *got,
                       const struct trajectory *want, enum column_group group,
                       bool derivatives);
/* The largest difference over the largest number. */
double match_relative(const struct match *match);
/* Decimal digits, 0 to 16. A size below 1e-3 counts as 1e-3. */
double match_digits(const struct match *match);

/* Decimal digits, 0 to 16, of a number of this size with this error; an error that is NAN
   has none. */
double error_digits(double error, double size);
/* Decimal digits, 0 to 16, of one number beside another. */
double number_digits(double got, double want);
/* Decimal digits, 0 to 16, of got [count] beside the largest of want [count]. */
double array_digits(const double *got, const double *want, int count);

/* --- sizes and orders --------------------------------------------------------------- */

/* The largest magnitude of x [count]. */
double largest_size(const double *x, int count);
/* The least of x [count]; INFINITY for none. */
double least_of(const double *x, int count);
/* The observed order of two errors, the second one at a step that is `factor` times
   smaller. */
double observed_order(double first, double second, double factor);

#endif
