/*
 * pan.h - what the studies of Pan, Ding, Wang 2004 share (pan.c): a variant of the arm,
 * the printed numbers, digits of a gradient.
 */
#ifndef SALTUS_PAPERS_PAN_H
#define SALTUS_PAPERS_PAN_H

#include "papers/finding.h"
#include "papers/paper_run.h"

/* The arm of two-link-absolute with an implicit start and an implicit end, (2) and (3):
   the tip begins at rest at a given place, and the run ends where the tip passes a
   vertical line. Costs: reach, that of the paper; delay, a terminal cost G(x, t, b);
   effort, an H with x' in it (model.c). */
extern const struct case_desc pan_ends;

/* --- studies, in the order of the report -------------------------------------------- */

extern const struct study pan_arm_study, pan_ends_study, pan_search_study;

/* --- the printed numbers, and digits ------------------------------------------------ */

enum { PAN_BY = 4, PAN_NUMBERS = 1 + PAN_BY, PAN_DIGITS = 6 };
/* psi and its derivatives by l1, l2, m1, m2 as they are printed; PAN_DIGITS is the number
   of digits of the longest. */
#define PAN_PSI "17.2747"
#define PAN_PSI_L1 "17.2184"
#define PAN_PSI_L2 "11.2866"
#define PAN_PSI_M1 "0.4683"
#define PAN_PSI_M2 "-0.2361"
extern const char *const pan_printed[PAN_NUMBERS];
/* Number k of these, and one unit of its last place. */
double pan_number(int k, double *unit);

/* b1 x1 + b2 x2 of two printed numbers, and the most that rounding of their digits can
   add to it. */
double pan_sum(const double b[2], const char *const printed[2], double *rounding);

#endif
