/*
 * optimise_request.h - the command line of `saltus optimise`, made into a request.
 */
#ifndef SALTUS_OPTIMISE_REQUEST_H
#define SALTUS_OPTIMISE_REQUEST_H

#include "motion/reference_motion.h"
#include "optimise/uncertainty.h"
#include "options/args.h"

struct optimise_request {
    const struct args *args;
    struct model *model;
    const char *option[MAX_OPTIONS];
    double *value;              /* [model->p] values of the parameters */
    double *bound;              /* [3][n] start, lower and upper bounds */
    int *parameter;             /* [model->p] indices of those that vary */
    struct optimisation_request request;
    bool uncertain;             /* `uncertainty` is asked for */
    struct uncertainty_request uncertainty;
};

/* Reads all of the command line, before anything is computed or written; false after one
   line of complaint. To be cleared in either case. */
bool optimise_request_read(struct optimise_request *asked, const struct args *args);
void optimise_request_clear(struct optimise_request *asked);

#endif
