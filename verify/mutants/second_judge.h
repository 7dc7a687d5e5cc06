/*
 * second_judge.h - second derivatives of the costs of a case, made wrong and judged.
 *
 * Numbers are w' H w of each cost, "d2psi.work along w", along one direction w in the
 * space of parameters. H comes by tangent over adjoint (adjoint.h); differences of first
 * derivatives in MPFR at moved parameters judge it (second_along.h), to which t_e'' and
 * second derivatives of formulas and resets are unknown.
 */
#ifndef SALTUS_SECOND_JUDGE_H
#define SALTUS_SECOND_JUDGE_H

#include "motion/moved_runs.h"
#include "mutants/mutant_job.h"

/* The name of the judge among those of the oracles. */
extern const char second_judge_name[];

/* The judge of one case. The caller sets `job`, the rest is zero. */
struct second_judge {
    const struct mutant_job *job;   /* an open one, which outlives the judge */
    bool begun, asked;              /* the right Hessian, the judge was asked for */
    bool silent;                    /* nothing is to be judged: no costs, no events, no
                                       right Hessian; or the judge refused, would take too
                                       long, or does not hold the right one to its bar */
    struct moved_runs runs;
    struct want right, judge;       /* their numbers; .results NULL: there are none */
};

/* Judges the Hessian with `faults`, a set of enum adjoint_fault; findings->by[0] is the
   judge's. The right Hessian is made for the first one, the differences for the first one
   that changes a number by more than its bar. false: the judge is silent. */
bool second_judge_try(struct second_judge *judge, unsigned faults,
                      struct findings *findings);
void second_judge_close(struct second_judge *judge);

#endif
