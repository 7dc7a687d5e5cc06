/*
 * moved_runs.h - runs of the reference whose parameters are moved along one direction w
 * (direction.h): rho + h w.
 */
#ifndef SALTUS_MOVED_RUNS_H
#define SALTUS_MOVED_RUNS_H

#include "motion/direction.h"
#include "reference.h"

/* All that the runs of one motion have in common; moved_runs_open sets every member. */
struct moved_runs {
    struct reference_request request;   /* the run at rho, with its derivative along w and
                                           without samples, which the caller may add */
    struct parameter_direction direction;
    int *parameter;                     /* [request.parameters] indices in the model */
    double *rho;                        /* [model->p] nominal values, as doubles */
    const char **value;                 /* [model->p] decimal text of these doubles */
};

/* Takes the nominal parameters, rounded to doubles, so that a run in double has the same,
   and a direction in which all count that have a derivative; `digits` are carried. The
   texts of `truth` must outlive the runs. NOT_FINITE: a nominal value is not a number;
   NOT_APPLICABLE: no parameter has a derivative. To be closed in either case. */
enum status moved_runs_open(struct moved_runs *runs, const struct model *model,
                            const struct truth *truth, int digits,
                            struct diagnosis *diagnosis);
void moved_runs_close(struct moved_runs *runs);

/* Runs at rho + h w; `derivative`: with the derivative along w. Statuses of
   reference_run. */
enum status moved_runs_at(const struct moved_runs *runs, double h, bool derivative,
                          struct mp_trajectory **out, struct diagnosis *diagnosis);
/* NOT_APPLICABLE and a diagnosis: the two runs have not as many events. */
enum status moved_runs_alike(const struct mp_trajectory *a, const struct mp_trajectory *b,
                             struct diagnosis *diagnosis);

/* The power of two next below 10^-digits, as a step h. */
double moved_runs_step(double digits);

#endif
