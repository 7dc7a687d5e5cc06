/*
 * scales.h - how large each number of an oracle is, and how well it can be known at all:
 * the sizes of size.h for entries of results.
 */
#ifndef SALTUS_SCALES_H
#define SALTUS_SCALES_H

#include "quantity/results.h"

struct scale {
    double size;      /* log2; -INFINITY: nothing says how large it would be */
    double condition;       /* noise / size, at least 1 */
};

/*
 * One for each entry of `want`, to be freed. rho [want->count]: |rho_j| of the parameter
 * that a derivative is by, 0: not known. floor: what is smaller was never asked for of
 * whoever made the numbers that are judged (atol / rtol), an absolute number in the unit
 * of each quantity. digits: that `want` is good to.
 */
struct scale *scales_of(const struct results *want, const double *rho, double floor,
                        double digits);

#endif
