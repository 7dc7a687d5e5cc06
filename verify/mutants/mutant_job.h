/*
 * mutant_job.h - a case in a formulation that is run wrong on purpose.
 *
 * What the oracles say of it is worked out once; every wrong run is then compared with
 * that, by the bars of `saltus verify`. Only the wrong run's own copy of the model, and
 * its own request, are touched by what is wrong.
 */
#ifndef SALTUS_MUTANT_JOB_H
#define SALTUS_MUTANT_JOB_H

#include "events/faults.h"
#include "jobs/job.h"
#include "program/fault.h"

/* What is wrong with a run; parts not set are right. */
struct wrong {
    const struct jump_rule *rule;       /* where it applies */
    unsigned faults;                    /* enum run_fault */
    bool at_events;                     /* further samples at the times of the events */
    void (*alter)(void *context, struct model *model);  /* its copy of the model */
    void (*spoil)(void *context, struct trajectory *trajectory);    /* what comes out */
    struct fault derivative;            /* .alter NULL: none; .context NULL: the model */
    void *context;                      /* of alter and spoil */
};

enum { MUTANT_JOB_ORACLES = 3 };
struct mutant_job {
    struct judge_settings settings;
    struct job **job;                   /* one */
    int jobs;
    struct job_work work;               /* the right run */
    int wants;
    struct want { const char *oracle; struct results *results; double cap; }
        want[MUTANT_JOB_ORACLES];
    bool missing;                       /* certified values that can be read are not
                                           there: it is not the case that has none */
};

/* What an oracle says of a wrong run. */
struct finding {
    bool caught;
    double spare;                       /* digits below the bar of the worst number */
    struct verdict worst, first;        /* first: short of its bar, in order of time */
};
struct findings {
    bool refused;                       /* instead of numbers: caught by the run itself */
    struct diagnosis refusal;
    struct finding by[MUTANT_JOB_ORACLES];
    bool effect;                        /* numbers differ from those of the right run by
                                           more than their bars */
    double agreed;                      /* when nobody has caught it: the fewest digits
                                           that it has in common with the right run */
};

/*
 * Runs the case as it should be; `formulation` NULL: its default one. `asked`: which of
 * ORACLE_CERTIFIED, ORACLE_COMPLEX_STEP and ORACLE_CLOSED_FORM; one that has no answer is
 * left out. NOT_APPLICABLE: there are no certified values (mutant_job->missing), or a
 * refusal is what is certified; otherwise the status of the run. To be closed in either
 * case.
 */
enum status mutant_job_open(struct mutant_job *mutant_job, const struct case_desc *desc,
                            const struct formulation *formulation, unsigned asked,
                            struct diagnosis *diagnosis);
void mutant_job_close(struct mutant_job *mutant_job);

/* Runs it wrong, and judges that. */
void mutant_job_try(const struct mutant_job *mutant_job, const struct wrong *wrong,
                    struct findings *findings);

#endif
