/*
 * defect.h - how far an approximate motion is from satisfying the equations, all along a
 * step.
 *
 * The residual d(t) of the equations along the track is analytic, since the track is a
 * polynomial. At the K roots of a Chebyshev polynomial on [0, H] it is evaluated in
 * balls; between them
 *
 *     |d| <= L max |d(t_i)| + 4 M r^(1 - K)/(r - 1),      L = 1 + (2/pi) log K
 *
 * where M bounds |d| on the ellipse with foci 0, H whose semi-axes have the sum r H/2
 * (Trefethen 2013, theorems 8.2 and 15.2; Rivlin 1974 for L). M is taken on boxes that
 * cover the boundary of the ellipse; jets.h tells why the boundary is enough.
 */
#ifndef SALTUS_DEFECT_H
#define SALTUS_DEFECT_H

#include "stage.h"

/* bound [lanes][rows] of |residual| on [0, span]. `bits`: accuracy that is aimed at.
   False: the equations are not known to be analytic near the step. */
bool defect_bound(struct stage *stage, double bits, mag_ptr bound);

#endif
