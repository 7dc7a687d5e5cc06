/*
 * double_series.h - are the Taylor recurrences of the solvers right?
 *
 * In double they place events, tell their sides and are the integrator `taylor`
 * (cases/program/recurrences.def); runs by other integrators hardly show them. Here all
 * formulas of a mode are run on series through a point of the certified motion, whose
 * higher coefficients are made up, in double and by the recurrences of the reference in
 * MPFR, which share no line with them.
 */
#ifndef SALTUS_DOUBLE_SERIES_H
#define SALTUS_DOUBLE_SERIES_H

#include "reference.h"

/* The fewest digits on which both agree, relative to the largest coefficient of a formula
   on either side; at most 15. NAN: there is nothing to compare. *t: the time of that
   point. */
double double_series_digits(const struct model *model, const struct mp_trajectory *motion,
                            double *t);

#endif
