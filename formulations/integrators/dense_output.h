/*
 * dense_output.h - dense output: polynomials over a step, nested as in HNW (1993) II.6:
 *
 *     p(theta) = c0 + theta (c1 + (1 - theta) (c2 + theta (c3 + (1 - theta) (c4 + ...))))
 *
 * c0..c3 make the cubic Hermite polynomial; the basis functions of c4, c5, ... are
 * theta^a (1 - theta)^b with a, b >= 2, so they change neither end nor the slope there.
 */
#ifndef SALTUS_DENSE_OUTPUT_H
#define SALTUS_DENSE_OUTPUT_H

/* c1..c3 [dim] from states and slopes [dim] at both ends of a step h; c0 is x itself. */
void dense_output_ends(int dim, double h, const double *x, const double *dx,
                       const double *x_new, const double *dx_new, double *const *c);
/* x [count] = components [first, first + count) of p(theta), from `terms` >= 4
   coefficients c. */
void dense_output_value(int terms, double *const *c, double theta, int first, int count,
                        double *x);
/* Slope d/dtheta of the basis function of c_i, i >= 1. */
double dense_output_slope(int i, double theta);

#endif
