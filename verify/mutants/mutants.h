/*
 * mutants.h - `saltus mutants`: is the judge sharp?
 *
 * Three questions. Seeded faults (seeded.h): is every bug that solvers have had caught?
 * Generated ones (generated.h): is every row of a derivative that is made wrong caught?
 * Faint ones: rows multiplied by 1 + x, how small may x be and still be seen?
 */
#ifndef SALTUS_MUTANTS_H
#define SALTUS_MUTANTS_H

#include <stdio.h>

#include "mutants/generated.h"
#include "mutants/seeded.h"

/* The mutants of a population, and the tasks they are cut into. */
struct generated {
    const struct population *population;
    int programs, rows;                 /* programs -1: they cannot be judged, */
    struct diagnosis why;               /* because */
    struct derived *derived;            /* [programs] */
    int mutants;
    struct mutant *mutant;              /* [mutants] */
    int tasks;
    struct generated_task *task;        /* [tasks] */
};

enum { FAINT_CASES = 2, FAINTEST = 14 };    /* 1e-6 .. 1e-14 */
struct faint {
    const char *case_name;
    struct generated_task task[FAINTEST + 1];   /* [k]: x = 1e-k, from 6 on */
};

struct mutants {
    int every;                          /* of the generated ones every so manieth */
    bool whole;                         /* all of the catalogue: every seeded fault must
                                           be felt somewhere */
    int cases;
    struct seeded_task *seeded;         /* [cases] */
    int populations;
    struct generated *generated;        /* [populations] */
    int faints;
    struct faint faint[FAINT_CASES];
};

/* The share of the generated mutants that must be caught. */
extern const double mutants_bar;

/* What there is to do on these cases; populations are surveyed. */
void mutants_schedule(struct mutants *mutants, const struct case_desc *const *desc,
                      int cases, bool whole, int every);
void mutants_run(struct mutants *mutants, int threads);
void mutants_free(struct mutants *mutants);

/* One bug on all cases. */
struct seeded_sum {
    int tried, felt, caught;            /* cases: with an effect; caught there */
    int refused;                        /* of those caught: by the run itself */
    struct seeded_oracle {
        const char *name;
        int caught;                     /* cases in which it saw it */
        double spare;                   /* the most digits below a bar */
    } by[MUTANT_JOB_ORACLES];
    const struct case_desc *best;       /* where the most digits are missing */
    const struct seeded_result *best_result;
};
void seeded_sum(const struct mutants *mutants, int k, struct seeded_sum *sum);
/* Those of the population that count: caught, and in all. */
void generated_score(const struct generated *generated, int *caught, int *counted);

/* Was the seeded fault with this sum caught wherever it changes anything? */
bool seeded_held(const struct mutants *mutants, int k, const struct seeded_sum *sum);
/* Could any fault be judged at all? Without certified values none can. */
bool mutants_judged(const struct mutants *mutants);
/* How many cases and populations there are no certified values for. */
int mutants_missing(const struct mutants *mutants);
/* Something was judged, no certified values were missing, all seeded ones were caught,
   and enough of the generated ones. */
bool mutants_held(const struct mutants *mutants);

void mutants_report(FILE *stream, const struct mutants *mutants);
void mutants_json(FILE *stream, const struct mutants *mutants);

#endif
