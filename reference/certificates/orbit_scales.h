/*
 * orbit_scales.h - the sizes by which digits of a periodic motion count
 * (mp_orbit_certify).
 */
#ifndef SALTUS_ORBIT_SCALES_H
#define SALTUS_ORBIT_SCALES_H

#include "reference.h"

/* The scale of each number [1 + parameters][count], from the numbers as they are; size
   [width]: log2 of that of each component, which counts where the component is zero but
   for rounding; rho [model->p] and parameter [parameters]. Free by mp_vector_free. */
mpfr_ptr orbit_scales(const struct mp_orbit *orbit, const long *size, mpfr_srcptr rho,
                      const int *parameter);
/* Raises those of the derivatives of multipliers by parameter j to what these are. */
void orbit_scales_multipliers(const struct mp_orbit *orbit, int j, mpfr_ptr scale);
/* size = |rho|, 1 where that is zero (size.h) */
void orbit_parameter_size(mpfr_srcptr rho, mpfr_ptr size);

#endif
