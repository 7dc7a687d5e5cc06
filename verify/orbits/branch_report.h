/*
 * branch_report.h - branches of periodic motions: tables, JSON and a bifurcation diagram.
 */
#ifndef SALTUS_BRANCH_REPORT_H
#define SALTUS_BRANCH_REPORT_H

#include <stdio.h>

#include "orbits/branch.h"

struct branch_report {
    const struct branch_request *request;
    const struct branch *branch;    /* with those that follow it */
    int component;              /* of (q, v, s), drawn and printed */
};

/* A row for each point of each branch, then its bifurcations and its end. */
void branch_report_table(FILE *stream, const struct branch_report *report);
void branch_report_json(FILE *stream, const struct branch_report *report);
/* Commands for gnuplot that draw the component after the event that ends the period over
   the parameter as SVG: stable orbits as full lines, unstable ones dashed. */
void branch_report_plot(FILE *gnuplot, const struct branch_report *report);

/* Number of multipliers outside of the unit circle that are not trivial. */
int branch_report_outside(const struct branch_point *point);
/* The end of a branch in words: "the end of the range", .. */
const char *branch_report_end(const struct branch *branch);

#endif
