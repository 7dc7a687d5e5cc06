/*
 * bernstein_roots.h - Bernstein root isolation by Descartes' rule of signs (Rouillier,
 * Zimmermann 2004): the first root of a function on a step, from samples of the function.
 *
 * The function is interpolated at Chebyshev-Lobatto points, both ends included, and the
 * interpolant written in the Bernstein basis. By Descartes' rule the sign variations of
 * the coefficients bound the number of roots: none means no root, one means exactly one;
 * a piece with more is subdivided. So two crossings within one step are both found
 * (Corner et al. 2019 (28), a product of guards with a sign test at step ends, misses
 * them). The end values are coefficients of the basis: consecutive steps agree on the
 * sign between them, and a root exactly at a step's end is not lost.
 */
#ifndef SALTUS_BERNSTEIN_ROOTS_H
#define SALTUS_BERNSTEIN_ROOTS_H

#include <stdbool.h>

enum { BERNSTEIN_POINTS = 15, BERNSTEIN_CHECKS = 5 };

struct bernstein {
    double node[BERNSTEIN_POINTS]; /* interpolation points, 0 .. 1, increasing */
    double to_bernstein[BERNSTEIN_POINTS * BERNSTEIN_POINTS]; /* values to coefficients */
    double check[BERNSTEIN_CHECKS]; /* points at which the interpolant is tested */
    double to_check[BERNSTEIN_CHECKS * BERNSTEIN_POINTS]; /* values to those at `check` */
    double to_start[BERNSTEIN_POINTS - 1]; /* values at nodes 1, 2, .. to the one at 0 */
};

/* Sets all members, which depend on the degree alone. */
void bernstein_init(struct bernstein *bernstein);

/* The interpolation defect: the largest difference of the interpolant of value
   [BERNSTEIN_POINTS] from at_check [BERNSTEIN_CHECKS], the function at the points
   `check`. If the function varies faster than the nodes can follow, neither the
   interpolant nor its roots mean anything. */
double bernstein_defect(const struct bernstein *bernstein, const double *value,
                        const double *at_check);

/* The limit of the function at 0, extrapolated from its values at the other nodes;
   value [BERNSTEIN_POINTS]. */
double bernstein_limit(const struct bernstein *bernstein, const double *value);

/*
 * The first theta in (0, 1] at which the function with value [BERNSTEIN_POINTS] at the
 * nodes goes through zero in `direction` (-1 from + to -, +1 from - to +, 0 either). NAN
 * stands for none. *touching is set if two roots could not be told apart: the root is
 * even, or nearly so.
 */
double bernstein_first(const struct bernstein *bernstein, const double *value,
                       int direction, bool *touching);
/* The product of the signs that the function has before theta and after it, as near to
   theta as these are beyond doubt; 0: they are not. */
int bernstein_beside(const struct bernstein *bernstein, const double *value,
                     double theta);

#endif
