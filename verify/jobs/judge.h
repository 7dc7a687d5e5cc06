/*
 * judge.h - the jobs of `saltus verify`, each with its rows of verdicts.
 *
 * Two kinds of job. A *solution* runs one case in one formulation in double and judges
 * it by every oracle. A *reference motion* judges the certified values of one case and
 * variant: along one direction in the space of parameters, or, where there are none yet
 * or with --thorough, all of the reference by both of its routes. Each job records its
 * own model; the jobs of a case share its sample times and the answer of its closed form.
 */
#ifndef SALTUS_JUDGE_H
#define SALTUS_JUDGE_H

#include "jobs/pool.h"
#include "motion/reference_motion.h"
#include "motion/samples.h"
#include "oracles/oracle.h"
#include "run.h"
#include "verdict/verdict_rows.h"

enum { DEFAULT_MP_DIGITS = 60 };

struct judge_settings {
    double rtol;                        /* relative tolerance, atol is rtol/1000; NAN:
                                           tolerances.def */
    double digits;                      /* digits asked of solvers in double; NAN: derived
                                           (bars.h) */
    int mp_digits;                      /* decimal digits that the reference carries */
    unsigned oracles;                   /* set of enum oracle_bit */
    bool thorough;                      /* certified values in full, not along one
                                           direction */
    enum reset_policy reset;
    const struct integrator *integrator;    /* NULL: integrator_default() */
    const struct jump_rule *rule;       /* NULL: the default rule */
    const struct formulation *only;     /* NULL: every formulation that applies */
    const char *const *option;          /* texts of the options of `only`; NULL:
                                           nominal */
    double timeout;                     /* seconds that the code of a plug-in may take */
    bool json;
};

/* The integrator of a solution in this formulation. */
const struct integrator *judge_integrator(const struct judge_settings *settings,
                                          const struct formulation *formulation);
/* The rtol of a solution in this formulation. */
double judge_rtol(const struct judge_settings *settings, const struct case_desc *desc,
                  const struct formulation *formulation);

/* How a solution in this formulation is made, from which its bars are derived. */
struct made judge_made(const struct judge_settings *settings,
                       const struct case_desc *desc,
                       const struct formulation *formulation);

/* Sample times, which no formulation changes: the first job of a case that needs them
   makes them for all. */
struct shared_times {
    pthread_mutex_t lock;
    bool chosen;
    enum status status;
    struct diagnosis diagnosis;
    double t[SAMPLES];
};
/* The answer of an oracle to the first job that asked, for all others with its key: a
   closed form is evaluated once for a case, complex step runs once for every index of a
   DAE. */
struct shared_answer {
    pthread_mutex_t lock;
    bool asked;
    struct answer_key key;
    struct oracle_answer answer;
};
struct shared {
    int users;                          /* number of jobs; the last one frees the
                                           structure */
    struct shared_times times;
    struct shared_answer answer[ORACLE_COUNT];
};

struct job {
    struct task task;                   /* first member: a task is a job */
    const struct judge_settings *settings;
    const struct case_desc *desc;
    const struct formulation *formulation;
    const char *option[MAX_OPTIONS];
    struct shared *shared;              /* NULL: the job of a foreign solver (foreign/) */
    bool is_reference;                  /* the job judges certified values, not a
                                           solution */
    unsigned oracles;                   /* set of oracles that judge the job, or might;
                                           the first job of a case has those that judge a
                                           case once: native, published */
    bool follows;                       /* an earlier job of the case has this reference
                                           motion, too, and says what is wrong with the
                                           certified values */
    bool gap;                           /* the motion is compared with the exact one,
                                           too */
    char solution[64];                  /* name in the rows: "ode", "MPFR exact" */
    struct reference_motion motion;
    struct rows rows;
};

/* The most CPU seconds that certified values are recomputed for, unless --thorough. */
extern const double judge_patience;

/* The work of a job that judges a solution (struct task: run). */
void judge_solution(struct task *task);
/* The work of a job that judges certified values (struct task: run). */
void judge_reference(struct task *task);

/* Adds a row that says why the job has no others. */
void judge_refused(struct job *job, const char *oracle,
                   const struct diagnosis *diagnosis);
/* Makes a job for one formulation that applies, appended to (*job)[*count]. The refusal
   is one of an option. */
enum status schedule_solution(const struct judge_settings *settings,
                              const struct model *model,
                              const struct formulation *formulation, struct job ***job,
                              int *count, struct diagnosis *diagnosis);
/* Only penalty motions can be continuous where constraints are added. If this one cannot,
   `why` says so in words. */
bool policy_applies(enum reset_policy reset, const struct formulation *formulation,
                    const struct model *model, const char **why);

/* Makes the jobs for one case, in the order of their rows, appended to (*job)[*count]. On
   a refusal (the model is malformed, an option is) nothing is appended. */
enum status schedule_case(const struct judge_settings *settings,
                          const struct case_desc *desc, struct job ***job, int *count,
                          struct diagnosis *diagnosis);
/* Makes a job for a malformed case, with one row, which says what is wrong with the
   case. */
void schedule_malformed(const struct judge_settings *settings,
                        const struct case_desc *desc, struct job ***job, int *count);
void jobs_free(struct job **job, int count);

#endif
