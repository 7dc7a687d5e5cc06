/*
 * difference.h - the runs that are differenced; shared by difference.c and
 * difference_runs.c.
 */
#ifndef SALTUS_DIFFERENCE_H
#define SALTUS_DIFFERENCE_H

#include <pthread.h>

#include "events/mp_run.h"

struct job {
    struct difference *all;
    struct reference_request request;   /* that of the caller, but for the progress */
    mpfr_ptr rho;
    struct mp_trajectory *out;
    mpfr_ptr *rates;                    /* of mp_run.h */
    enum status status;
    struct diagnosis diagnosis;
    double done;
};

struct difference {
    const struct plan *plan;
    const struct reference_request *request;
    int directions;
    int nominal;    /* runs at the nominal parameters, 1 or 0; they come first */
    int jobs;       /* then, for each direction, rho + h unit_j and rho - h unit_j */
    struct job *job;
    mpfr_ptr unit;                      /* [directions][model->p] */
    mpfr_ptr h;                         /* [directions] */
    pthread_mutex_t lock;
    int next;                           /* job */
    int failed;     /* the first job that failed, `jobs`: none; later ones are given up */
    bool stopped;   /* by the caller */
};

/* Runs at rho + h unit_j and rho - h unit_j. */
static inline struct job *job_plus(const struct difference *all, int j)
{
    return &all->job[all->nominal + 2 * j];
}

static inline struct job *job_minus(const struct difference *all, int j)
{
    return job_plus(all, j) + 1;
}

/* Nothing has been run; `plan` and `request` must outlive it. */
void difference_open(struct difference *all, const struct plan *plan,
                     const struct reference_request *request);
/* All runs with steps h, `threads` at a time; the first failure, with the parameter that
   was moved, or what their events differ in: GRAZING where an event does not happen in
   one of them, SIMULTANEOUS where their order, EVENT_AT_END where the mode of a sample
   differs. */
enum status difference_runs(struct difference *all, bool halved, int threads,
                            struct diagnosis *diagnosis);
void difference_close(struct difference *all);

/* difference_together.c: events that are at one time in the nominal run are brought into
   the same order in all runs, and their sides to one time (mp_event.together). */
void difference_settle(struct difference *all);

/* reference_difference; *nominal: what is refused is the nominal run itself, not one at
   moved parameters. */
enum status difference_try(const struct reference_request *request, bool halved,
                           int threads, struct mp_trajectory **out, bool *nominal,
                           struct diagnosis *diagnosis);

#endif
