/*
 * generated.h - every row of every derivative program of a few cases, made wrong.
 *
 * A population is a case in a formulation. Its programs are those that a run seals; their
 * rows are what the derivatives among their outputs reach, leaves included. Each row is
 * dropped (zero), negated and multiplied by 1 + 1e-6, one at a time, in the derivatives
 * alone: where a value uses the same row, the value stays right.
 */
#ifndef SALTUS_GENERATED_H
#define SALTUS_GENERATED_H

#include "mutants/mutant_job.h"

enum mutation { DROPPED, NEGATED, SCALED, MUTATIONS, POISONED = MUTATIONS };
extern const char *const mutation_text[];   /* names of the mutations: "dropped",
                                               "negated", "times 1 + 1e-06" */

/* Cases and formulations, generated.def. */
struct population {
    const char *case_name, *formulation;
    const char *further;            /* formulation that survivors are tried in; or NULL */
    bool faint;                     /* faint faults are looked for in it, too */
};
extern const struct population populations[];
extern const int population_count;

/* A program that a run seals, in the order of sealing. */
struct derived {
    char what[24], of[64];
    int rows;
};

enum fate {
    FATE_CAUGHT,
    FATE_REFUSED,       /* caught, as the run ends with a refusal */
    FATE_UNREAD,        /* no mutant: no number of the run comes of the row, for the run
                           is the same to the bit when the row is not a number */
    FATE_EQUIVALENT,    /* no mutant: the derivatives are the same functions, in every
                           direction that is asked for; equal at random points */
    FATE_UNFELT,        /* read, but no number of the run changes */
    FATE_BELOW          /* numbers change by less than their bars */
};
struct mutant {
    const struct derived *program;
    int row;
    enum mutation mutation;
    enum fate fate;
    unsigned seen;      /* set of enum oracle_bit: the oracles that have caught the
                           mutant */
    double agreed;      /* FATE_BELOW: digits in common with the right run */
    char text[80];      /* the row, set for survivors */
};

/* A task: some of the mutants of a population. */
struct generated_task {
    struct task task;
    const struct population *population;
    double factor;                  /* SCALED multiplies by 1 + this */
    unsigned oracles;
    int mutants;
    struct mutant *mutant;          /* [mutants] */
};

/* Finds the programs of a population: malloc'ed into *derived; returns how many. -1: they
   cannot be judged, and the diagnosis says why (no certified values, say). */
int generated_survey(const struct population *population, struct derived **derived,
                     struct diagnosis *diagnosis);
/* The work of the task (struct task: run): judges the mutants. */
void generated_run(struct task *task);

#endif
