/*
 * arm.h - the study of the arm of Pan, Ding, Wang 2004: its runs (pan.c), and what is
 * drawn of them (figures.c).
 */
#ifndef SALTUS_PAPERS_PAN_ARM_H
#define SALTUS_PAPERS_PAN_ARM_H

#include "papers/pan/pan.h"

/* One formulation: the direct method and the adjoint method. */
struct both_methods {
    struct paper_run run;
    struct gradient *back;
    double direct, adjoint;     /* digits of the gradient, by complex step */
};

struct arm {
    struct both_methods index1, implicit;
    struct trajectory *exact;   /* by complex step */
    double want[PAN_NUMBERS];   /* psi and its gradient, by complex step */
    double quadrature;          /* digits of psi and its gradient as differential
                                   equations, by quadrature over the same motion */
    double running;             /* digits of the integrals of (24) up to every sample */
    double tip;                 /* |tip(T)|^2 of the run */
    struct paper_run drawn;     /* the first part of the motion, for Fig. 1 */
};

extern const struct figure pan_figures[];   /* ends with name NULL */

#endif
