/*
 * certified_orbit.h - a periodic motion found in double, certified in MPFR, and compared
 * with certified values.
 */
#ifndef SALTUS_CERTIFIED_ORBIT_H
#define SALTUS_CERTIFIED_ORBIT_H

#include <stdio.h>

#include "orbits/orbit.h"
#include "reference.h"

/* Certifies the orbit that was found for a request (mp_orbit_certify); the progress is
   that of request->run. NO_ORBIT: the orbit in MPFR has other events, too. The caller
   frees *out. */
enum status certified_orbit_make(const struct orbit_request *request,
                                 const struct orbit *orbit, int digits, int threads,
                                 struct certificate **out, struct diagnosis *diagnosis);
/* The path of its file of certified values in a folder. Statuses of
   model_nominal_values. */
enum status certified_orbit_path(const struct orbit_request *request,
                                 const struct orbit *orbit, const char *folder,
                                 char *path, int size, struct diagnosis *diagnosis);

/* Digits on which an orbit agrees with certified ones: the least of each kind; NAN: there
   is none. States after events, and their derivatives, by the largest magnitude of the
   component there and at nodes, those that advance left out: they depend on where the
   orbit begins. */
struct orbit_agreement {
    double period, states, derivatives, multipliers;
};
/* False: values are certified of another motion: parameters, groups, or events. */
bool certified_orbit_compare(const struct certificate *certificate,
                             const struct orbit_request *request,
                             const struct orbit *orbit,
                             struct orbit_agreement *agreement);

/* Prints period, multipliers and states with the digits asked for, and on how many the
   routes agree. */
void certified_orbit_table(FILE *stream, const struct certificate *certificate,
                           int digits);
/* Prints one line. */
void certified_orbit_line(FILE *stream, const struct certificate *certificate,
                          const struct orbit_agreement *agreement);

#endif
