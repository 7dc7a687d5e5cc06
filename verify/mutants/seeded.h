/*
 * seeded.h - every bug of seeded.def on every case.
 */
#ifndef SALTUS_SEEDED_H
#define SALTUS_SEEDED_H

#include "mutants/mutant_job.h"

struct seeded {
    int number;
    const char *title;
    const char *rule;               /* BY_RULE: its name */
    const char *formulation;        /* NULL: the default one of each case */
    const char *waits_for;          /* LATER, else NULL */
    struct wrong wrong;             /* without the rule */
};
extern const struct seeded seeded[];
extern const int seeded_count;

/* What came of one bug on one case. */
enum outcome {
    OUTCOME_NONE,                   /* not tried: the rule applies to no event, the
                                       formulation not to the case */
    OUTCOME_SAME,                   /* no number changes by more than its bar */
    OUTCOME_CAUGHT,                 /* by one oracle at least */
    OUTCOME_MISSED
};
struct seeded_result {
    enum outcome outcome;
    struct findings findings;
    const char *oracle[MUTANT_JOB_ORACLES];  /* of findings.by; NULL: no more */
};

/* The seeded bugs on one case; a task. */
struct seeded_task {
    struct task task;
    const struct case_desc *desc;
    bool skipped;                   /* there is no right run with certified numbers */
    bool missing;                   /* because the certified values are missing */
    struct diagnosis why;
    struct seeded_result *result;   /* [seeded_count] */
};
void seeded_run(struct task *task);

#endif
