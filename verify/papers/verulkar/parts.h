/*
 * parts.h - the parts of equations (1)-(8) of Verulkar, Sandu, Dopico, Sandu,
 * made from the formulas of a case and evaluated along its motion by penalty.
 */
#ifndef SALTUS_PAPERS_VERULKAR_PARTS_H
#define SALTUS_PAPERS_VERULKAR_PARTS_H

#include "papers/paper_run.h"
#include "papers/probe.h"

/* The parts that are evaluated, in their order: matrices by rows, of n or m rows. */
enum part {
    M_, B_Q, B_V, B_RHO, F_, F_LAMBDA, PHI, PHID, PHIDD, PHI_Q, PHID_Q, PHIDD_Q, PHIDD_V,
    PHI_RHO, PHID_RHO, PHIDD_RHO,
    CURVED,                     /* (Phi_q)' v, of (3) */
    DRIVEN,                     /* (Phi_t)', of (3) */
    PARTS
};

/* A motion by penalty with alpha diagonal, xi = 1 and omega = 10 1/s, and the values of
   all parts at one of its points. */
struct equations {
    struct paper_run run;
    struct trajectory *exact;   /* by complex step; the run itself without parameters */
    struct model *branch;
    struct probe probe;         /* all parts */
    int n, m, begin[PARTS + 1]; /* first output of each part */
    double *value;              /* [begin[PARTS]] */
    double *signed_lambda;      /* [m] multipliers that the parts are evaluated with */
    double *alpha;              /* [m] diagonal */
    const double *q, *v, *a, *lambda;           /* columns of the point */
    const double *by_q, *by_v, *by_a, *by_lambda;   /* likewise their derivatives; NULL
                                                       without parameters */
};

/* Runs a case to t_end, with `points` points behind the start, and with derivatives by
   the parameter `sens`, "": by none; alpha: "1000" or m numbers. Returns
   all->run.status. */
enum status equations_open(struct equations *all, const char *name, const char *sens,
                           const char *alpha, double t_end, int points);
void equations_close(struct equations *all);
/* Evaluates all parts at a point, with its multipliers times `sign`. */
void equations_at(struct equations *all, int point, double sign);
/* The values of a part at the point. */
const double *part_value(const struct equations *all, enum part part);
/* (2): matrix [n*n] = M + Phi_q' alpha Phi_q at the point. */
void equations_mass(const struct equations *all, double *matrix);
/* force [n] -= Phi_q' alpha c for c [m]. */
void equations_press(const struct equations *all, double *force, const double *c);

#endif
