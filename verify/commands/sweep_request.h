/*
 * sweep_request.h - the command line of `saltus sweep`, made into a request.
 */
#ifndef SALTUS_SWEEP_REQUEST_H
#define SALTUS_SWEEP_REQUEST_H

#include "motion/reference_motion.h"
#include "options/args.h"
#include "sweep/sweep.h"

struct sweep_request {
    const struct args *args;
    struct model *model;
    const char *option[MAX_OPTIONS];
    double *value;              /* [model->p] values of the parameters */
    int *parameter;             /* [model->p] indices of those differentiated */
    long threads;               /* threads of this process */
    struct sweep sweep;
};

/* Reads all of the command line, before anything is computed or written; false after one
   line of complaint. `threads`: the default of --jobs. To be cleared in either case. */
bool sweep_request_read(struct sweep_request *asked, const struct args *args,
                        int threads);
void sweep_request_clear(struct sweep_request *asked);

#endif
