/*
 * mutants.h - `saltus mutants`: mutation analysis of the judges.
 *
 * Seeded faults (seeded.h): is every bug that solvers have had caught? Generated faults
 * (generated.h): is every row of a derivative that is made wrong caught? Faint faults:
 * rows are multiplied by 1 + x; how small may x be and still be seen?
 */
#ifndef SALTUS_MUTANTS_H
#define SALTUS_MUTANTS_H

#include <stdio.h>

#include "mutants/generated.h"
#include "mutants/seeded.h"

/* The mutants of a population, and the tasks they are cut into. */
struct generated {
    const struct population *population;
    int programs, rows;                 /* number of programs and of their rows; programs
                                           -1: the population cannot be judged */
    struct diagnosis why;               /* why the population cannot be judged */
    struct derived *derived;            /* [programs] */
    int mutants;
    struct mutant *mutant;              /* [mutants] */
    int tasks;
    struct generated_task *task;        /* [tasks] */
};

enum { FAINT_CASES = 2, FAINTEST = 14 };    /* x from 1e-6 to 1e-14 */
struct faint {
    const char *case_name;
    struct generated_task task[FAINTEST + 1];   /* [k] for x = 1e-k, from k = 6 on */
};

struct mutants {
    int every;                          /* only every n-th generated fault is made */
    bool whole;                         /* the cases are all of the catalogue: every
                                           seeded fault must be felt in one */
    int cases;
    struct seeded_task *seeded;         /* [cases] */
    int populations;
    struct generated *generated;        /* [populations] */
    int faints;
    struct faint faint[FAINT_CASES];
};

/* The part of the generated mutants that must be caught. */
extern const double mutants_bar;

/* Makes the tasks on these cases, and surveys the populations. */
void mutants_schedule(struct mutants *mutants, const struct case_desc *const *desc,
                      int cases, bool whole, int every);
void mutants_run(struct mutants *mutants, int threads);
void mutants_free(struct mutants *mutants);

/* One seeded fault on all cases. */
struct seeded_sum {
    int tried, felt, caught;            /* cases in which the fault was tried, has an
                                           effect, was caught */
    int refused;                        /* caught cases in which the run itself was
                                           refused */
    struct seeded_oracle {
        const char *name;
        int caught;                     /* cases in which the oracle has seen the fault */
        double spare;                   /* most digits below a bar */
    } by[MUTANT_JOB_ORACLES];
    const struct case_desc *best;       /* case in which the most digits are missing */
    const struct seeded_result *best_result;
};
void seeded_sum(const struct mutants *mutants, int k, struct seeded_sum *sum);
/* Counts the mutants of a population that are no equivalents: caught, and in all. */
void generated_score(const struct generated *generated, int *caught, int *counted);

/* Was the seeded fault with this sum caught wherever it changes anything? */
bool seeded_held(const struct mutants *mutants, const struct seeded_sum *sum);
/* Could any fault be judged? None can without certified values. */
bool mutants_judged(const struct mutants *mutants);
/* The number of cases and populations without certified values. */
int mutants_missing(const struct mutants *mutants);
/* Was something judged, were no certified values missing, all seeded faults caught, and
   enough of the generated ones? */
bool mutants_held(const struct mutants *mutants);

void mutants_report(FILE *stream, const struct mutants *mutants);
void mutants_json(FILE *stream, const struct mutants *mutants);

#endif
