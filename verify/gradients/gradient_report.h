/*
 * gradient_report.h - gradients by several methods side by side, as a table or as JSON.
 */
#ifndef SALTUS_GRADIENT_REPORT_H
#define SALTUS_GRADIENT_REPORT_H

#include <stdio.h>

#include "gradients/cost_gradient.h"

/* The caller sets every member. */
struct gradient_report {
    const struct adjoint_request *request;
    int methods;
    const struct cost_gradient_method *const *method;   /* [methods] */
    const struct cost_gradient *gradient;               /* [methods] */
    bool timing;                                        /* processor times are told */
};

void gradient_report_table(FILE *stream, const struct gradient_report *report);
void gradient_report_json(FILE *stream, const struct gradient_report *report);
/* The line that says why a method is refused. */
void gradient_report_refusal(FILE *stream, const char *method,
                             const struct diagnosis *diagnosis);

#endif
