/*
 * value_scales.h - the sizes by which digits of a motion count (struct certificate).
 */
#ifndef SALTUS_VALUE_SCALES_H
#define SALTUS_VALUE_SCALES_H

#include "reference.h"

/* Largest number of each kind in a trajectory; of a derivative at least value / max(1,
   |rho|): one that is zero in truth (by a mass that cancels) counts by that. */
struct value_scales {
    const struct columns *columns;
    mpfr_ptr largest;           /* [(1 + p) * (GROUPS + 1)] one row a derivative, psi
                                   last in each */
};
/* rho [model->p]; NULL: derivatives, too, count by the largest of their own. */
void value_scales_init(struct value_scales *scales, const struct mp_trajectory *t,
                       mpfr_srcptr rho);
void value_scales_clear(struct value_scales *scales);

/* The scale of a group of columns (GROUPS: of psi) by parameter j; -1: of the values. */
mpfr_ptr value_scale(const struct value_scales *scales, int group, int j);
/* tau counts by t / max(1, |rho|), t the time of the last event. */
void value_scale_of_tau(mpfr_srcptr t, mpfr_srcptr rho, mpfr_ptr scale);

#endif
