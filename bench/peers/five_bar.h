/*
 * five_bar.h - workload W written by hand: what a careful programmer would write for this
 * one mechanism, and the bar that code made from formulas is held against.
 *
 * five-bar of Corner, Sandu and Sandu 2019, section 7, springs on 1-B and 2-B, in the
 * penalty formulation (64) with alpha = 1e5, xi = 1, omega = 10, differentiated by the
 * natural lengths rho = (L01, L02) of the springs. It shares no code with the solver.
 *
 * Shapes. Values of the three points are x1 y1 x2 y2 x3 y3; the derivatives of a point
 * are four lanes, x and y by L01, x and y by L02. Positions (or velocities, or
 * accelerations) with their derivatives are one half of the state,
 *
 *     value [6], two unused, derivative [3][4]       in metres, seconds
 *
 * so that whole vectors of four are loaded and stored everywhere.
 */
#ifndef SALTUS_FIVE_BAR_H
#define SALTUS_FIVE_BAR_H

#include <stdbool.h>

#include "peers/peer.h"

enum { FIVE_BAR_VALUES = 8, FIVE_BAR_HALF = 20, FIVE_BAR_COMPONENTS = 36 };

/* Seconds; height of the ground; where the height of point 2 is among the values. */
static const double five_bar_end = 5, five_bar_ground = -2.35;
enum { FIVE_BAR_Y2 = 3 };

/* Accelerations and their derivatives in one pass: value and both tangents share the
   factorisation. The vectors of `value` and `derivative` may lie anywhere. */
void five_bar_accelerations(const double *q, const double *Q, const double *v,
                            const double *V, double *a, double *A);
/* The same without derivatives. */
void five_bar_motion(const double *q, const double *v, double *a);

/* The start: point 2 at rest where the case says, points 1 and 3 on the outer branch. It
   does not depend on rho. q [8], Q [12], v [8], V [12]. */
void five_bar_start(double *q, double *Q, double *v, double *V);

/* Of point 2, above the ground. */
double five_bar_height(const double *q);
/* Has it gone down through the ground and turned within a step of h? Then the step is to
   be tried again, *shorter, up to the lowest point. */
bool five_bar_dipped(const double *q, const double *v, const double *q_new,
                     const double *v_new, double h, double *shorter);

/* The impact: v and V become those after it, Q too, by the general saltation (Corner,
   Sandu, Sandu 2019, (33), (80)-(81), in the corrected form). q is on the ground. */
void five_bar_impact(const double *q, double *Q, double *v, double *V);

struct answer five_bar_answer(const double *q, const double *Q, const double *v);

#endif
