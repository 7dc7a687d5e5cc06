/*
 * orbit_numbers.h - the numbers of a periodic motion (mp_orbit.x) from its equations,
 * where they were evaluated last: period, events, nodes, multipliers.
 */
#ifndef SALTUS_ORBIT_NUMBERS_H
#define SALTUS_ORBIT_NUMBERS_H

#include "orbit_equations.h"

/* Sets nodes, events and groups of an orbit that has nothing yet. */
void orbit_numbers_shape(const struct orbit_equations *e, struct mp_orbit *orbit);
/* Makes room for the numbers, once the multipliers are counted. */
void orbit_numbers_room(struct mp_orbit *orbit, mpfr_prec_t precision);
void orbit_numbers_free(struct mp_orbit *orbit);
/* Have the segments run through the events of the orbit? */
bool orbit_numbers_same_events(const struct orbit_equations *e,
                               const struct mp_orbit *orbit);

/* Fills the lanes of x [1 + parameters of the segments][count] but for the multipliers.
   Values have one more step of Newton's method in them. */
void orbit_numbers_fill(const struct orbit_equations *e, const struct mp_orbit *orbit,
                        mpfr_ptr x);

/* The eigenvalues of the product of all segments. */
struct orbit_spectrum {
    int n;                      /* independent components of node 1 */
    int zeros, ones, multipliers;
    mpfr_ptr root;              /* [multipliers][2], of twice the digits */
    double trivial;             /* digits to which the ones are 1, and the zeros 0 */
};
/* Finds them. NOT_APPLICABLE: two of them are equal. To be cleared in any case. */
enum status orbit_spectrum_find(const struct orbit_equations *e,
                                struct orbit_spectrum *spectrum,
                                struct diagnosis *diagnosis);
/* Moves those of a spectrum nearby, as many ones and zeros, to those of the equations.
   False: they cannot be followed. */
bool orbit_spectrum_follow(const struct orbit_equations *e,
                           const struct orbit_spectrum *from,
                           struct orbit_spectrum *spectrum);
void orbit_spectrum_clear(struct orbit_spectrum *spectrum);
/* Writes the multipliers into the lane of the values. */
void orbit_spectrum_take(const struct orbit_spectrum *spectrum,
                         const struct mp_orbit *orbit, mpfr_ptr x);

#endif
