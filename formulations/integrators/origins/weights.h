/*
 * weights.h - order conditions of an explicit Runge-Kutta method: elementary weights of
 * all trees, and their derivatives by its coefficients.
 *
 * Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 1993, II.2.
 */
#ifndef SALTUS_ORIGINS_WEIGHTS_H
#define SALTUS_ORIGINS_WEIGHTS_H

#include "linear.h"
#include "trees.h"

/* A coefficient of a method: on which row of A it stands, and on which slope. */
struct position {
    int row, slope;
};

/*
 * phi [trees][stages]: for each tree of up to `size` vertices its weight at each of the
 * first `stages` stages, (HNW II.2, (2.15)); A [stages][stages], strictly lower.
 */
void weights_at_stages(arb_mat_t phi, const arb_mat_t A, int stages, int size);

/*
 * r [trees][1]: for each tree of up to `size` vertices its weight times gamma, less 1;
 * of the method with rows 0 to stages - 1 of A, and weights of the solution in the row
 * after these. J [trees][count]: derivatives of r by the coefficients at `at`.
 */
void residuals(arb_mat_t r, arb_mat_t J, const arb_mat_t A, int stages, int size,
               const struct position *at, int count);

/*
 * gradient [stages + 1][stages]: derivatives of sum_k (scale_k r_k)^2/2 by each entry of
 * rows 0 to stages of A that is not zero, over all trees of up to `size` vertices, r: the
 * weight less 1/gamma; scale [trees][1]. Returns the sum.
 */
double pull_back(arb_mat_t gradient, const arb_mat_t A, int stages, int size,
                 const arb_mat_t scale);

#endif
