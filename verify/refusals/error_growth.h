/*
 * error_growth.h - the growth of errors along a motion in MPFR.
 *
 * formulations/events/error_growth.c claims such a growth of a run in double; this is
 * written again, from other numbers.
 */
#ifndef SALTUS_ERROR_GROWTH_H
#define SALTUS_ERROR_GROWTH_H

#include "reference.h"

/* The largest |rho_j| max |dx/drho_j| / max |x| up to the time t, x being all q or all v
   of a subsystem, or one auxiliary state, at the points of the motion; a parameter that
   is zero counts as one. A ratio above 1e3 that is there at the first point after the
   start is natural, and divided out. */
double growth_on(const struct model *model, const struct mp_trajectory *motion, double t);

#endif
