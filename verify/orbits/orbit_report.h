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
    int x, y;                   /* components of (q, v, s) that are drawn; -1: velocities
                                   over all coordinates */
};

void orbit_report_table(FILE *stream, const struct orbit_report *report);
void orbit_report_json(FILE *stream, const struct orbit_report *report);

/* Commands for gnuplot that draw the motion in the plane of the components, or
   of coordinates and velocities, with the jumps at events, and the multipliers in the
   unit circle. */
void orbit_report_plot(FILE *gnuplot, const struct orbit_report *report);

/* The name of component i of (q, v, s): x, vx. */
void orbit_report_name(const struct model *model, int i, char *text, int size);
/* The largest magnitude of the multipliers that are not trivial; 0: there are none. */
double orbit_report_largest(const struct orbit *orbit);

#endif
