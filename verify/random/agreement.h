/*
 * agreement.h - do two solutions of one random mechanism agree, number by number?
 *
 * Nobody has set a bar for a mechanism that was drawn a moment ago; it is measured. Every
 * solver in double runs twice, with tolerances a factor of 100 apart: the change of a
 * number between both bounds the error of the finer run, with whatever growth the motion
 * has. Two solutions disagree in a number if they differ by more than ten times the
 * largest such change so far, of this number in both of them. A change that happens to be
 * zero does not forbid what the others allow: a tenth of their largest, relative to their
 * scales, counts as well; and nobody asks for more than the finer tolerance.
 *
 * Scales are the noise of each quantity (size.h), as `want` has it, and at least 1e-30: a
 * coordinate that rests may be 4e-50.
 */
#ifndef SALTUS_AGREEMENT_H
#define SALTUS_AGREEMENT_H

#include "quantity/results.h"

/* The answer of one solver. */
struct solution {
    char name[48];              /* name of the solver: "index1", "complex-step of index1",
                                   "reference" */
    const struct formulation *formulation;  /* formulation of the run; NULL: the
                                               reference */
    enum status status;         /* status of the finer run */
    enum status coarse_status;
    bool by_complex_step;
    bool late;                  /* the solver was stopped: nothing is known */
    bool unanswered;            /* the solver asks for a lower rtol than it may have, or
                                   cannot be asked: nothing is known */
    double condition;           /* largest condition of an event, of a run in double */
    struct diagnosis diagnosis;
    int events;
    struct results *fine, *coarse;  /* numbers of the finer and the coarser run; NULL:
                                       refused, or coarse of an oracle: not asked */
};
void solution_clear(struct solution *solution);

/* A number in which two solutions differ. */
struct difference {
    bool found;
    char name[96];              /* name of the quantity: "dq.x0/dp1" */
    double t, got, want, scale;
    double allowed;             /* largest difference that is allowed */
    double excess;              /* the difference over the allowed one */
    int judged, weak;           /* numbers compared; numbers with a bar above a percent */
};

/* The first number, in order of time, in which `got` differs from `want`. Both have
   answered, with as many events. */
struct difference solutions_differ(const struct solution *got,
                                   const struct solution *want);

#endif
