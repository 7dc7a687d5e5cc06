/*
 * report.h - the end of an optimisation as text, as JSON and as a picture.
 */
#ifndef SALTUS_OPTIMISE_REPORT_H
#define SALTUS_OPTIMISE_REPORT_H

#include <stdio.h>

#include "optimise/uncertainty.h"

/* Start, answer, bounds, gradient; u unless it is NULL; costs, evaluations, events; the
   reason: as a text. */
void optimisation_report(FILE *stream, const struct optimisation *o,
                         const struct uncertainty *u);
/* The part of u: a table of standard deviations and correlations, and how psi fits them;
   a refusal is one line. */
void uncertainty_report(FILE *stream, const struct optimisation *o,
                        const struct uncertainty *u);
/* All of the report as one JSON object. */
void optimisation_report_json(FILE *stream, const struct optimisation *o,
                              const struct uncertainty *u);
/* Cost and norm of the gradient by the number of the evaluation: commands for gnuplot. */
void optimisation_plot(FILE *gnuplot, const struct optimisation *o);

#endif
