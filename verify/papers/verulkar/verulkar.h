/*
 * verulkar.h - the studies of Verulkar, Sandu, Dopico, Sandu, a file for each.
 */
#ifndef SALTUS_PAPERS_VERULKAR_H
#define SALTUS_PAPERS_VERULKAR_H

#include "papers/paper.h"
#include "papers/paper_run.h"

/* Penalty against index-1 on the slider-crank with friction (verulkar.c). */
extern const struct study verulkar_rod;
/* Operations of both formulations (cost.c). */
extern const struct study verulkar_cost;
/* Redundant constraints and singular configurations (limits.c). */
extern const struct study verulkar_limits;
/* The printed equations (1)-(8), evaluated (equations.c). */
extern const struct study verulkar_equations;

/* The power of ten that is not below x, 1e-14 at least: what of a number that is rounding
   alone can be told. */
double verulkar_power(double x);

/* --- penalty against index-1 -------------------------------------------------------- */

/* Friction of all joints. */
struct friction_choice {
    double mu_s, mu_d, v_t;
};
enum { DECLARED, FRICTIONLESS, FRICTIONS = 10 };
extern const struct friction_choice friction_choice[FRICTIONS];

/* Options of the penalty formulation: decades of alpha, then other natural frequencies
   and damping ratios. */
struct penalty_choice {
    const char *alpha, *xi, *omega;
};
enum { PRINTED = 1, DECADES = 6, PENALTIES = 10 };
extern const struct penalty_choice penalty_choice[PENALTIES];

/* An RMSE is relative to the sensitivity: which of its sizes is meant is not printed. */
enum norm { BY_RMS, BY_RANGE, BY_LARGEST, NORMS };

/* The largest RMSE of the derivatives of the rod's centre by the crank's length, relative
   to each size, and the coordinate that has it. */
struct rmse {
    double relative[NORMS];
    const char *worst[NORMS];
};

/* The runs, and their errors. */
struct rod {
    struct paper_run index1, penalty;       /* `penalty` as printed */
    struct trajectory *exact[FRICTIONS], *soft[FRICTIONS];
    double digits;                          /* of the RMSE, by complex step */
    struct rmse by_friction[FRICTIONS];
    struct rmse by_penalty[PENALTIES];      /* friction as declared */
    struct rmse frictionless[DECADES];
    double multiplier_gap[DECADES];
};

extern const struct figure verulkar_rod_figures[];

#endif
