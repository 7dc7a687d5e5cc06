/*
 * difference.h - central differences: the runs that are differenced.
 */
#ifndef SALTUS_DIFFERENCE_H
#define SALTUS_DIFFERENCE_H

#include <pthread.h>

#include "events/mp_run.h"

/* One whole trajectory of the values, at moved parameters or at the nominal ones. */
struct job {
    struct difference *all;
    const struct plan *plan;            /* programs of the run: those of all runs, unless
                                           the caller gives it others */
    struct reference_request request;   /* request of the caller, without parameters to
                                           differentiate by */
    mpfr_ptr rho;                       /* [model->p] parameters of the run */
    struct mp_trajectory *out;
    mpfr_ptr *rates;                    /* as run_trajectory returns them */
    enum status status;
    struct diagnosis diagnosis;
    double done;                /* progress, 0 .. 1 */
};

/* All runs of one difference, shared by the threads. */
struct difference {
    const struct plan *plan;
    const struct reference_request *request;
    int directions; /* number of directions, of derivatives mostly */
    int nominal;    /* number of runs at the nominal parameters, 1 or 0; they come
                       first */
    /* All runs: the nominal one, then for each direction rho + h unit_j and rho - h
       unit_j. */
    int jobs;
    struct job *job;
    mpfr_ptr unit;                      /* [directions][model->p] */
    mpfr_ptr h;                         /* [directions] steps */
    /* Writes "L01 is increased", said of the runs along direction j; sign +1 or -1. */
    void (*name)(const struct difference *all, int j, int sign, char *text, int size);
    pthread_mutex_t lock;               /* guards the members below, and job.done */
    int next;                           /* the job that is begun next */
    /* The first job that failed; `jobs`: none. Later jobs are given up. */
    int failed;
    bool stopped;   /* the caller has stopped all runs */
};

/* The run at rho + h unit_j. */
static inline struct job *job_plus(const struct difference *all, int j)
{
    return &all->job[all->nominal + 2 * j];
}

/* The run at rho - h unit_j. */
static inline struct job *job_minus(const struct difference *all, int j)
{
    return job_plus(all, j) + 1;
}

/* Prepares the runs; `plan` and `request` must outlive them. Close by
   difference_close. */
void difference_open(struct difference *all, const struct plan *plan,
                     const struct reference_request *request);
/* Makes all runs with the steps h (`halved`: h/2), `threads` at a time, the caller
   among them. Returns the first failure, with the parameter that was moved, or the
   difference of their events: GRAZING, an event does not happen in one run;
   SIMULTANEOUS, the order of events differs; EVENT_AT_END, the mode of a sample
   differs. */
enum status difference_runs(struct difference *all, bool halved, int threads,
                            struct diagnosis *diagnosis);
void difference_close(struct difference *all);

/* Prepares the runs along other directions than those of the request. The caller goes
   on with difference_begin, sets unit, h and name, and ends with difference_make. */
void difference_open_along(struct difference *all, const struct plan *plan,
                           const struct reference_request *request, int directions,
                           int nominal);
/* Gives each run its request and the nominal parameters. */
enum status difference_begin(struct difference *all, struct diagnosis *diagnosis);
/* Moves the parameters by the steps, and makes all runs; the first failure. */
enum status difference_make(struct difference *all, int threads,
                            struct diagnosis *diagnosis);
/* Compares the events of all runs, in their order, with those of run 0; statuses as of
   difference_runs. */
enum status difference_compare(const struct difference *all, struct diagnosis *diagnosis);

/* Brings events that are at one time in the nominal run into one order in all runs,
   and their sides to one time, as mp_event.together says (difference_together.c). */
void difference_settle(struct difference *all);

/* reference_difference. *nominal: the nominal run itself was refused, not one at moved
   parameters. */
enum status difference_try(const struct reference_request *request, bool halved,
                           int threads, struct mp_trajectory **out, bool *nominal,
                           struct diagnosis *diagnosis);

#endif
