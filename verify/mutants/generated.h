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
extern const char *const mutation_text[];   /* "dropped", "negated", "times 1 + 1e-06" */

/* Cases and formulations, generated.def. */
struct population {
    const char *case_name, *formulation;
    const char *further;            /* formulation for survivors, or NULL */
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
    FATE_REFUSED,       /* caught: the run ends with a refusal */
    FATE_UNREAD,        /* no mutant: no number of the run comes of the row, for the run
                           is the same to the bit when the row is not a number */
    FATE_EQUIVALENT,    /* no mutant: the derivatives are the same functions, in every
                           direction that is asked for; equal at random points */
    FATE_UNFELT,        /* read, but no number of the run is another */
    FATE_BELOW          /* numbers change by less than their bars */
};
struct mutant {
    const struct derived *program;
    int row;
    enum mutation mutation;
    enum fate fate;
    unsigned seen;      /* by which oracles, of enum oracle_bit */
    double agreed;      /* FATE_BELOW: digits in common with the right run */
    char text[80];      /* of survivors: the row */
};

/* Some of the mutants of a population; a task. */
struct generated_task {
    struct task task;
    const struct population *population;
    double factor;                  /* of SCALED: 1 + this */
    unsigned oracles;
    int mutants;
    struct mutant *mutant;          /* [mutants] */
};

/* The programs of a population: malloc'ed into *derived; returns how many. -1, and the
   reason: there are no certified values to judge them by, say. */
int generated_survey(const struct population *population, struct derived **derived,
                     struct diagnosis *diagnosis);
/* Judges the mutants. */
void generated_run(struct task *task);

#endif
