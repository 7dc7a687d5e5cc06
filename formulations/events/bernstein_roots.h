/*
 * bernstein_roots.h - the first root of a function on a step, from samples of it.
 *
 * The function is interpolated at Chebyshev-Lobatto points, both ends included, and the
 * interpolant written in the Bernstein basis. By Descartes' rule the sign variations of
 * the coefficients bound the number of roots: none means no root, one means exactly one;
 * more are subdivided. So roots are isolated, and two crossings within one step are both
 * found (Corner et al. 2019 (28), a product of guards with a sign test at step ends,
 * misses them). Because the end values are coefficients of the basis, consecutive steps
 * agree on the sign between them, and a root exactly at a step's end is not lost.
 */
#ifndef SALTUS_BERNSTEIN_ROOTS_H
#define SALTUS_BERNSTEIN_ROOTS_H

#include <stdbool.h>

enum { BERNSTEIN_POINTS = 15, BERNSTEIN_CHECKS = 5 };

struct bernstein {
    double node[BERNSTEIN_POINTS]; /* 0 .. 1, increasing */
    double to_bernstein[BERNSTEIN_POINTS * BERNSTEIN_POINTS];
    double check[BERNSTEIN_CHECKS]; /* where the interpolant is tested */
    double to_check[BERNSTEIN_CHECKS * BERNSTEIN_POINTS]; /* its values there */
    double to_start[BERNSTEIN_POINTS - 1]; /* at 0 from the nodes after it */
};

void bernstein_init(struct bernstein *bernstein);

/* Is the interpolant the function? Largest difference from further values of the
   function, at the points `check`. A function that varies faster than the nodes can
   follow gives an interpolant that has nothing to do with it, and so do its roots. */
double bernstein_defect(const struct bernstein *bernstein, const double *value,
                        const double *at_check);

/* What the function tends to at 0, from its values at the other nodes. */
double bernstein_limit(const struct bernstein *bernstein, const double *value);

/*
 * First theta in (0, 1] where the function, given by its values at the nodes, goes
 * through zero in `direction` (-1 from + to -, +1 from - to +, 0 either). NAN: nowhere.
 * *touching is set when two roots could not be told apart: an even root, or nearly one.
 */
double bernstein_first(const struct bernstein *bernstein, const double *value,
                       int direction, bool *touching);

#endif
