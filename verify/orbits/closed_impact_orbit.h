/*
 * closed_impact_orbit.h - the closed form of a periodic motion of impact-oscillator, with
 * one impact in a period of the drive.
 *
 * The form is written in complex numbers, so that a complex step differentiates it.
 */
#ifndef SALTUS_CLOSED_IMPACT_ORBIT_H
#define SALTUS_CLOSED_IMPACT_ORBIT_H

#include <complex.h>

#include "model.h"

/* The state (x, x', phase) after the impact and the period, at parameters rho [p]. There
   are two such motions; the one is meant that hits the wall with about this speed. */
void closed_impact_orbit(const struct model *model, const double complex *rho,
                         double speed, double complex state[3], double complex *period);
/* The amplitude of the drive with which such a motion hits the wall at this speed. */
double closed_impact_amplitude(const struct model *model, const double *rho,
                               double speed);
/* The amplitude of the drive at which both are one: the fold. */
double closed_impact_fold(const struct model *model, const double *rho);
/* The amplitude of the drive at which the steady oscillation touches the wall. */
double closed_impact_grazing(const struct model *model, const double *rho);

#endif
