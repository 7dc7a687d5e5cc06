/*
 * neville.h - the value at zero of the polynomial through some points.
 */
#ifndef SALTUS_NEVILLE_H
#define SALTUS_NEVILLE_H

enum { NEVILLE_POINTS = 8 };

/* The value at zero of the polynomial through (x_i, y_i), count <= NEVILLE_POINTS, by
   Neville's scheme; *error is the larger difference to those without the first and
   without the last point. */
double neville_zero(const double *x, const double *y, int count, double *error);

#endif
