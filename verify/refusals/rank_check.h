/*
 * rank_check.h - are the constraints dependent on the certified motion, always or at one
 * time? The answer tells whether a solver that refuses for that reason is right.
 */
#ifndef SALTUS_RANK_CHECK_H
#define SALTUS_RANK_CHECK_H

#include <stdbool.h>

#include "reference.h"

/* The first mode found to have dependent constraints: the rank and the rows of its
   Phi_q. */
struct dependence {
    const struct mode *mode;
    int rank, rows;
};

/*
 * Rank of Phi_q at every sample of the motion by singular values, rows scaled to one:
 * those below 1e-9 of the largest count as zero (the samples are exact to double). False:
 * every mode has full rank wherever it was seen. Shares with the solvers: the formulas of
 * Phi_q; no factorisation, no pivot rule.
 */
bool constraints_depend(const struct model *model, const struct mp_trajectory *motion,
                        struct dependence *found);

/*
 * Does the motion cross a singular configuration between its only two samples
 * (singular_crossing.h), of one mode that has independent constraints at both? At *t, if
 * Phi_q is linear on the way.
 */
bool constraints_cross(const struct model *model, const struct mp_trajectory *motion,
                       double *t);

#endif
