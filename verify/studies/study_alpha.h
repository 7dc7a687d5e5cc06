/*
 * study_alpha.h - a penalty formulation at growing alpha: the runs and their measures.
 */
#ifndef SALTUS_STUDY_ALPHA_H
#define SALTUS_STUDY_ALPHA_H

#include "studies/study.h"

/* alpha, 10 alpha, 100 alpha; kinds of measures at each. */
enum { STEPS = 3, MEASURED = 8 };

/* A measure: an invariant of the run, or the gap of one kind of quantity to the exact
   motion. */
struct alpha_measured {
    const char *title, *group;      /* group: pattern on groups of entries (results.h);
                                       NULL: an invariant */
};
extern const struct alpha_measured alpha_measured[MEASURED];

/* One case in one formulation at one alpha. */
struct alpha_run {
    struct task task;
    const struct judge_settings *settings;
    const struct case_desc *desc;
    const struct formulation *formulation;
    enum reset_policy reset;
    char alpha[40];
    double size[MEASURED];
    struct rows rows;               /* numerical error against complex step */
    struct diagnosis diagnosis;
    enum status status;
    bool no_motion;                 /* the run was refused, and rightly so */
};

/* study_alpha_table.c: prints run[STEPS] and fills the JSON object `item`. Did all that
   is judged hold? */
bool alpha_print(const struct alpha_run *run, cJSON *item);

#endif
