/*
 * multipliers.h - formulas of the penalty formulation as printed, and the
 * functions that they are derivatives of; for multipliers.c and
 * appendix.c.
 *
 * Phi, M and F are the formulas of a case; what the paper builds from them is built as
 * printed: Phi_q, Phi_t, d/dt Phi_q, d/dt Phi_t, and products of their derivatives along
 * directions dq, dv, dv', drho. Each sum is judged by a complex step of the function that
 * it is the derivative of.
 */
#ifndef SALTUS_PAPERS_CORNER_MULTIPLIERS_H
#define SALTUS_PAPERS_CORNER_MULTIPLIERS_H

#include "papers/corner/formulas.h"

/* Formulas of one motion. */
struct penalty_formulas {
    const struct tried *tried;
    struct model *branch;
    int n, m, nz;
    struct probe function;          /* extended F [n], extended M a [n], lambda* [m],
                                       extended M [n*n], g [nz] */
    struct probe printed;           /* all parts; all parts by differentiation of the
                                       functions on the tape; (A.10) as it is printed [m];
                                       rates of the costs [nz] by (66) as printed, with
                                       g_lambda lambda*_rho, with lambda*_v' V' too */
    int part[PARTS + 1];            /* first output of each part of `printed` */
    int own;                        /* first output of (A.10) there */
    double *column;                 /* outputs of `printed` */
    double *value, *derivative;     /* outputs of `function` */
};

/* The function that a part is a derivative of, and the block that moves. */
enum function_part { OF_F, OF_M, OF_LAMBDA };
struct differentiated {
    enum function_part of;
    enum block block;
};
extern const struct differentiated differentiated[PARTS];
/* The first output of a function of `function`. */
int function_begin(const struct penalty_formulas *formulas, enum function_part of);

#endif
