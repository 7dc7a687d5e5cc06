/*
 * orbit_moved.h - derivatives of a periodic motion by differences of whole orbits, each
 * solved at moved parameters.
 */
#ifndef SALTUS_ORBIT_MOVED_H
#define SALTUS_ORBIT_MOVED_H

#include "orbit_numbers.h"

/* An orbit, where its equations were solved, with the numbers of its values and
   derivatives. */
struct orbit_solved {
    const struct orbit_equations *e;
    const struct mp_orbit *orbit;
    const struct orbit_spectrum *spectrum;
    mpfr_srcptr rho;            /* [model->p] its parameters */
};

/*
 * out [count] = [x(rho + h w) - x(rho - h w)] / 2h for all numbers x of the orbit; w
 * [parameters of the request] is the direction, and h = 2^exponent. Both orbits are
 * solved in threads. NO_ORBIT: one of them has other events, or multipliers that cannot
 * be followed; statuses of orbit_equations_solve; *runs moves on by the runs made.
 */
enum status orbit_moved_difference(const struct orbit_solved *from, mpfr_srcptr w,
                                   long exponent, int threads, mpfr_ptr out, long *runs,
                                   struct diagnosis *diagnosis);

#endif
