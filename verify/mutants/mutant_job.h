/*
 * mutant_job.h - a case in a formulation that is run wrong on purpose.
 *
 * The answers of the oracles are worked out once; every wrong run is then compared with
 * them, by the bars of `saltus verify`. A fault touches only the wrong run's own copy of
 * the model, and its own request.
 */
#ifndef SALTUS_MUTANT_JOB_H
#define SALTUS_MUTANT_JOB_H

#include "adjoint/adjoint_faults.h"
#include "events/faults.h"
#include "jobs/job.h"
#include "program/fault.h"

/* The fault of a run; members that are not set are right. */
struct wrong {
    const struct jump_rule *rule;       /* a wrong jump rule, at events to which it
                                           applies */
    unsigned faults;                    /* set of enum run_fault */
    unsigned sweep;                     /* set of enum adjoint_fault: the run is right,
                                           and its gradients are those of a wrong sweep
                                           backwards */
    bool at_events;                     /* the run has further samples at the times of the
                                           events */
    void (*alter)(void *context, struct model *model);  /* changes the run's copy of the
                                                           model */
    void (*corrupt)(void *context, struct trajectory *trajectory);  /* changes the result
                                                                       of the run */
    struct fault derivative;            /* changes derivatives; .alter NULL: none;
                                           .context NULL: the model */
    void *context;                      /* first argument of alter and corrupt */
};

enum { MUTANT_JOB_ORACLES = 4 };    /* of a run 3; of a sweep its identity, too */
struct mutant_job {
    struct judge_settings settings;
    struct job **job;                   /* [jobs] one job */
    int jobs;
    struct job_work work;               /* work of the right run */
    int wants;
    struct want { const char *oracle; struct results *results; double cap; }
        want[MUTANT_JOB_ORACLES];
    double sweep_cap;                   /* digits of adjoint-identity; 0: it was not
                                           asked, or has nothing to say of the right
                                           run */
    bool missing;                       /* certified values that can be read are not
                                           there: they are missing, not the case's to
                                           lack */
};

/* The verdict of one oracle on a wrong run. */
struct finding {
    bool caught;
    double spare;                       /* digits below the bar of the worst number */
    struct verdict worst, first;        /* worst: fewest spare digits; first: first one
                                           that fell short (verdict_rows.h) */
};
struct findings {
    bool refused;                       /* the wrong run was refused, which catches it */
    struct diagnosis refusal;
    struct finding by[MUTANT_JOB_ORACLES];
    bool effect;                        /* numbers differ from those of the right run by
                                           more than their bars */
    double agreed;                      /* fewest digits in common with the right run,
                                           where no oracle has caught the wrong one */
};

/*
 * Runs the case right; `formulation` NULL: its default one. `asked`: which of
 * ORACLE_CERTIFIED, ORACLE_COMPLEX_STEP and ORACLE_CLOSED_FORM; an oracle without numbers
 * is left out. With ORACLE_ADJOINT_IDENTITY sweeps may be made wrong, too.
 * NOT_APPLICABLE: there are no certified values (mutant_job->missing), or a refusal is
 * certified; otherwise the status of the run. To be closed in either case.
 */
enum status mutant_job_open(struct mutant_job *mutant_job, const struct case_desc *desc,
                            const struct formulation *formulation, unsigned asked,
                            struct diagnosis *diagnosis);
void mutant_job_close(struct mutant_job *mutant_job);

/* Runs the case wrong, and judges the run. If a sweep is wrong, mutant_job->sweep_cap
   must be known, and findings->by [wants] is that of the identity. */
void mutant_job_try(const struct mutant_job *mutant_job, const struct wrong *wrong,
                    struct findings *findings);

/* Compares numbers with those of one judge, by the bars of the right run. */
struct finding mutant_job_compare(const struct mutant_job *mutant_job,
                                  const struct results *got, const struct want *want);

#endif
