/*
 * orbit_certified.h - `saltus orbit CASE --certify`, and the comparison with what was
 * certified.
 */
#ifndef SALTUS_ORBIT_CERTIFIED_H
#define SALTUS_ORBIT_CERTIFIED_H

#include <stdio.h>

#include "options/args.h"
#include "orbits/orbit.h"

/* Are the options of --certify given as they may be? False after one line of
   complaint. */
bool orbit_certify_possible(const struct args *args, const struct case_desc *desc);
/* Certifies an orbit, prints it and stores it in the folder of certified values, or that
   of --directory. */
enum exit_status orbit_certify(const struct args *args,
                               const struct orbit_request *request,
                               const struct orbit *orbit);
/* Prints how many digits of an orbit agree with certified values, where there are any. */
void orbit_certified_print(FILE *stream, const struct orbit_request *request,
                           const struct orbit *orbit);

#endif
