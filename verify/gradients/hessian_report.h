/*
 * hessian_report.h - second derivatives by the methods that were asked, as tables or as
 * JSON.
 */
#ifndef SALTUS_HESSIAN_REPORT_H
#define SALTUS_HESSIAN_REPORT_H

#include <stdio.h>

#include "gradients/cost_hessian.h"

/* The caller sets every member. */
struct hessian_report {
    const struct hessian_request *request;
    int methods;
    const struct cost_hessian_method *const *method;    /* [methods] */
    const struct cost_hessian *hessian;                 /* [methods] */
};

void hessian_report_table(FILE *stream, const struct hessian_report *report);
void hessian_report_json(FILE *stream, const struct hessian_report *report);

#endif
