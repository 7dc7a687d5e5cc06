/*
 * seeded.h - every bug of seeded.def on every case.
 */
#ifndef SALTUS_SEEDED_H
#define SALTUS_SEEDED_H

#include "mutants/mutant_job.h"

struct seeded {
    int number;
    const char *title;
    const char *rule;               /* name of the rule of BY_RULE */
    const char *formulation;        /* formulation of the run; NULL: the default one of
                                       each case */
    unsigned second;                /* set of enum adjoint_fault of BY_SECOND: second
                                       derivatives alone are wrong (second_judge.h) */
    struct wrong wrong;             /* the fault, without the rule */
};
extern const struct seeded seeded[];
extern const int seeded_count;

/* The outcome of one bug on one case. */
enum outcome {
    OUTCOME_NONE,                   /* not tried: the rule applies to no event, the
                                       formulation not to the case; there are no second
                                       derivatives that their judge holds */
    OUTCOME_SAME,                   /* no number changes by more than its bar */
    OUTCOME_CAUGHT,                 /* one oracle at least has caught the bug */
    OUTCOME_MISSED
};
struct seeded_result {
    enum outcome outcome;
    struct findings findings;
    const char *oracle[MUTANT_JOB_ORACLES];  /* names of the oracles of findings.by; NULL:
                                                there are no more */
};

/* A task: the seeded bugs on one case. */
struct seeded_task {
    struct task task;
    const struct case_desc *desc;
    bool skipped;                   /* there is no right run with certified numbers */
    bool missing;                   /* the certified values are missing, though the case
                                       should have some */
    struct diagnosis why;
    struct seeded_result *result;   /* [seeded_count] */
};
void seeded_run(struct task *task);

#endif
