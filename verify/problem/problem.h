/*
 * problem.h - the problem for a foreign solver, as JSON: `saltus problem`.
 */
#ifndef SALTUS_PROBLEM_H
#define SALTUS_PROBLEM_H

#include "jobs/judge.h"
#include "motion/samples.h"

enum {
    PROBLEM_FORMAT = 1,
    TEXT_LIMIT = 2000       /* characters of a formula; a longer one is written with
                               definitions */
};

/* Digits that a foreign solver is asked for: enough to see that no term is missing, few
   enough for the usual tolerances. */
extern const double foreign_bar;

struct problem {
    const struct model *model;
    struct truth truth;         /* the motion: exact, or of a penalty formulation */
    int parameters;             /* number of parameters that are differentiated */
    const int *parameter;
    const double *t;            /* [times] times asked for: t0 first, then increasing */
    int times;
    double digits;              /* digits asked for */
};

/*
 * The JSON text, malloc'ed. Its keys "syntax", "equations", "answer" explain it; a
 * summary is in verify/README.md. Refusals are those of the reference at the start.
 */
enum status problem_json(const struct problem *problem, char **text,
                         struct diagnosis *diagnosis);

/* t0, the times of choose_samples and about `more` (0: none) further ones, evenly from t0
   to the end; [*count], malloc'ed. */
enum status problem_times(const struct model *model, int more, double **t, int *count,
                          struct diagnosis *diagnosis);

#endif
