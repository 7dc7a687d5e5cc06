/*
 * five_bar.h - workload W written by hand, as a careful programmer would for this one
 * mechanism: the standard of comparison for code made from formulas.
 *
 * The case is five-bar of Corner, Sandu and Sandu 2019, section 7, springs on 1-B and
 * 2-B, in the penalty formulation (64) with alpha = 1e5, xi = 1, omega = 10,
 * differentiated by the natural lengths rho = (L01, L02) of the springs. The files share
 * no code with the solver.
 *
 * Values of the three points are x1 y1 x2 y2 x3 y3; the derivatives of a point are four
 * lanes, x and y by L01, x and y by L02. Positions (or velocities, or accelerations) with
 * their derivatives are one half of the state,
 *
 *     value [6], two unused, derivative [3][4]       in metres, seconds
 *
 * so that whole vectors of four are loaded and stored everywhere.
 */
#ifndef SALTUS_FIVE_BAR_H
#define SALTUS_FIVE_BAR_H

#include <stdbool.h>

#include "peers/peer.h"

/* Lengths of `value`, of one half, and of the state without the unused numbers. */
enum { FIVE_BAR_VALUES = 8, FIVE_BAR_HALF = 20, FIVE_BAR_COMPONENTS = 36 };

/* The end of the motion in seconds, and the height of the ground in metres. */
static const double five_bar_end = 5, five_bar_ground = -2.35;
/* The index of the height of point 2 among the values. */
enum { FIVE_BAR_Y2 = 3 };

/* Accelerations a [8] and their derivatives A [12] in one pass: values and both tangents
   share the factorisation. Arrays need no alignment. */
void five_bar_accelerations(const double *q, const double *Q, const double *v,
                            const double *V, double *a, double *A);
/* Accelerations a [8] without derivatives. */
void five_bar_motion(const double *q, const double *v, double *a);

/* The state at the start, q [8], Q [12], v [8], V [12]: point 2 at rest at the place that
   the case gives, points 1 and 3 on the outer branch. The start does
   not depend on rho. */
void five_bar_start(double *q, double *Q, double *v, double *V);

/* The height of point 2 above the ground. */
double five_bar_height(const double *q);
/* True if point 2 has gone down through the ground and turned within a step of h. The
   step is then to be tried again with *shorter, which ends at the lowest point. */
bool five_bar_dipped(const double *q, const double *v, const double *q_new,
                     const double *v_new, double h, double *shorter);

/* The impact, with q on the ground: v, V and Q become those after it, by the general
   saltation (Corner, Sandu, Sandu 2019, (33), (80)-(81), in the corrected form). */
void five_bar_impact(const double *q, double *Q, double *v, double *V);

/* The answer of workload W in a state. */
struct answer five_bar_answer(const double *q, const double *Q, const double *v);

#endif
