/*
 * job.h - what a job works with, and its rows; for the judge*.c files.
 */
#ifndef SALTUS_JOB_H
#define SALTUS_JOB_H

#include "jobs/judge.h"
#include "motion/samples.h"

/* All that one job works with; job_open sets it. */
struct job_work {
    struct job *job;
    struct model *model;
    struct samples samples;
    int parameters, *parameter;
    struct run_request request;
    struct trajectory *trajectory;
    struct results *got;
    struct results *known;          /* numbers of the first oracle of the whole motion
                                       that was asked: scales and conditions for all;
                                       NULL: none yet */
    bool conditioned;               /* `known` has the conditions that take a while */
    struct certificate *own;        /* certified values of job->motion; NULL: none */
    bool unreadable;                /* there are certified values that cannot be read,
                                       which a row says */
    bool noted;                     /* the first row has the notes of the run */
    bool weighed;                   /* every oracle was asked, and rows_weigh was
                                       called */
};

/* Opens the model, the times and the request of a job. To be closed when it fails,
   too. */
enum status job_open(struct job_work *work, struct job *job, struct diagnosis *diagnosis);
void job_close(struct job_work *work);

/* The certified values of a reference motion; OK and *out NULL: there are none.
   BAD_INPUT: they cannot be read, or are by other parameters or at other times than those
   asked for. */
enum status job_certificate(const struct job_work *work, const struct truth *truth,
                            struct certificate **out, struct diagnosis *diagnosis);

/* Adds a row of the job about its solution. */
struct row *job_row(struct job_work *work, enum row_kind kind, const char *oracle);
/* Adds a row of the job about its reference motion ("MPFR exact"). */
struct row *job_reference_row(struct job_work *work, enum row_kind kind,
                              const char *oracle);
/* Adds a row that says why there are no numbers. */
void job_refuse(struct job_work *work, const char *oracle,
                const struct diagnosis *diagnosis);

/* All rows there are will not change any more, but for a note that this makes; unless one
   fell short, which the oracles that are still to be asked may excuse. */
void job_settle(struct job_work *work);

/* --- of a solution ------------------------------------------------------------------ */

/* judge_oracles.c: asks the oracle about the run, or copies the answer that another job
   of the case got to the same question. The caller clears *answer. */
void job_ask(const struct job_work *work, const struct oracle *oracle,
             struct oracle_answer *answer);
/* judge_oracles.c: judges a run by every oracle that is asked for. */
void judge_by_oracles(struct job_work *work);
/* judge_oracles.c: judges a run by the oracles of one stage. */
void judge_stage(struct job_work *work, enum oracle_stage stage);
/* judge_published.c: judges the certified motion, or the run, by printed numbers. */
void judge_published(struct job_work *work, const struct oracle *oracle);
/* judge_refusals.c: judges a refusal of the run, which falls short unless it is right. */
void judge_refusal(struct job_work *work, struct diagnosis *diagnosis);
/* judge_refusals.c: judges an oracle that refuses because of the motion, which falls
   short unless it is right. */
void judge_refused_oracle(struct job_work *work, const char *oracle,
                          struct diagnosis *diagnosis);
/* judge_refusals.c: judges a run whose refusal is certified; `status` of the run may be
   OK. */
void judge_certified_refusal(struct job_work *work, const struct certificate *certificate,
                             enum status status, struct diagnosis *diagnosis);

/* --- of a reference motion ---------------------------------------------------------- */

/* judge_stored.c: judges certified values along one direction in the space of
   parameters. */
void judge_stored(struct job_work *work, const struct certificate *certificate);
/* judge_refusals.c: judges a refusal that is certified, by both routes. */
void judge_stored_refusal(struct job_work *work, const struct certificate *certificate);
/* judge_refusals.c: judges that there is no motion in MPFR although none is certified:
   right if there is none in double either. */
void judge_reference_refused(struct job_work *work, const struct diagnosis *diagnosis);
/* The request to the reference for the job's motion: all samples, all derivatives.
   `nominal` [model->p] are NULLs. */
struct reference_request job_reference_request(const struct job_work *work,
                                               const char *const *nominal);
/* Digits to carry: as many as are asked for; more where the motion is so ill-conditioned
   that to certify it the precision had to be raised. `stored` may be NULL. */
int job_reference_digits(const struct job_work *work, const struct certificate *stored);
/* Faults of what both routes share, gamma, M and resets, show in the constraints and the
   energy along a run of the reference that carried so many digits, and in the laws that
   the case states beside its equations, by values that hold so many: a row for the exact
   motion. */
void judge_invariants(struct job_work *work, const struct mp_trajectory *motion,
                      int digits, const struct mp_trajectory *values, int value_digits);
/* Lowers the bar to so many digits: --precision may ask for more digits than certified
   values have. */
void job_bar_at_most(struct job_work *work, double digits);

#endif
