/*
 * scales.h - how large each quantity has been, and how well it can be known at all.
 *
 * A quantity ("q.x2", "dv.x2/dL01", "event.t") is followed by itself along the motion,
 * over samples and both sides of events: x of 1e6 m says nothing about y of a micrometre.
 *
 *     size    the largest |x| up to here
 *     noise   what relative errors of all data, of one each, would make of it up to here,
 *             so that errors of eps leave eps noise:
 *                 a value         |x| + sum over parameters of |rho_j dx/drho_j|
 *                 a derivative    the noise of its value over |rho_j|; or what the growth
 *                                 of errors makes of itself, noise / size of its value
 *             or what the oracle knows of it (struct entry: spread).
 *
 * noise / size is the condition number of the quantity. All of it is taken from the
 * numbers of the oracle, nothing from those that are judged.
 */
#ifndef SALTUS_SCALES_H
#define SALTUS_SCALES_H

#include "quantity/results.h"

struct scale {
    double size;
    double condition;       /* noise / size, at least 1 */
};

/*
 * One for each entry of `want`, to be freed. rho [want->count]: |rho_j| of the parameter
 * that a derivative is by, 0: not known. floor: what is smaller was never asked for of
 * whoever made the numbers that are judged (atol / rtol), an absolute number in the unit
 * of each quantity. digits: that `want` is good to; a quantity that is zero as far as
 * these can tell is measured by the noise of the quantities of its kind, up to here or,
 * where there is none yet, later.
 */
struct scale *scales_of(const struct results *want, const double *rho, double floor,
                        double digits);

#endif
