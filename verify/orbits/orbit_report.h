/*
 * orbit_report.h - a periodic motion for people and as JSON: its events, nodes,
 * multipliers, derivatives, and the steps of Newton's method.
 */
#ifndef SALTUS_ORBIT_REPORT_H
#define SALTUS_ORBIT_REPORT_H

#include <stdio.h>

#include "orbits/orbit.h"

struct orbit_report {
    const struct orbit_request *request;
    const struct orbit *orbit;
};

void orbit_report_table(FILE *stream, const struct orbit_report *report);
void orbit_report_json(FILE *stream, const struct orbit_report *report);

/* Commands for gnuplot that draw, as SVG, velocities over coordinates (over one state the
   next, where there are no coordinates) with the jumps at events, and the multipliers in
   the unit circle. */
void orbit_report_plot(FILE *gnuplot, const struct orbit_report *report);

/* The largest magnitude of the multipliers that are not trivial; 0: there are none. */
double orbit_report_largest(const struct orbit *orbit);

#endif
