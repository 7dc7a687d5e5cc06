/*
 * curve_report.h - curves of bifurcations in two parameters: table, JSON, picture.
 */
#ifndef SALTUS_CURVE_REPORT_H
#define SALTUS_CURVE_REPORT_H

#include <stdio.h>

#include "orbits/curve.h"

struct curve_report {
    const struct curve_request *request;
    const struct curve *curve;
};

void curve_report_table(FILE *stream, const struct curve_report *report);
void curve_report_json(FILE *stream, const struct curve_report *report);
/* Commands for gnuplot that draw the curve in the plane of both parameters. */
void curve_report_plot(FILE *gnuplot, const struct curve_report *report);

#endif
