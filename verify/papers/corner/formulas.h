/*
 * formulas.h - the ledger of errata of Corner, Sandu, Sandu 2019: the motions that
 * its formulas are tried on, and the trials.
 */
#ifndef SALTUS_PAPERS_CORNER_FORMULAS_H
#define SALTUS_PAPERS_CORNER_FORMULAS_H

#include "papers/finding.h"
#include "papers/paper_run.h"
#include "papers/match.h"
#include "papers/probe.h"

/* The motions. */
enum ledger_motion {
    FIVE_BAR, FIVE_BAR_PENALTY, FIVE_BAR_EVENTS, CAUGHT_SOFTLY, CAUGHT_MOVING, SLEIGH,
    DRAUGHT, CAR, CAR_PENALTY, ARM, ARM_PENALTY, SWING,
    LEDGER_MOTIONS
};

struct tried {
    struct paper_run run;           /* by the general jump rule */
    struct trajectory *exact;       /* by complex step */
};

struct penalty_formulas;            /* (64)-(69), (A.1)-(A.11) of one motion */

struct ledger {
    struct tried motion[LEDGER_MOTIONS];
    struct penalty_formulas *car, *arm;
};

/* The number of the first event of this name, from 0; a trajectory that has none is a
   programming error. */
int ledger_event(const struct trajectory *trajectory, const char *name);

/* Writes Phi_t [m] of a mode on its tape. */
void ledger_Phi_t(const struct model *branch, const struct mode *mode, formula *Phi_t);

/* The fewest digits of several numbers. */
struct least {
    double digits;                  /* INFINITY: there is no number yet */
    char where[100];                /* the number that has the fewest */
};
void least_add(struct least *least, double digits, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A function of a row of the ledger (struct printed_formula). */
typedef void trial_function(const void *study, const struct printed_formula *row,
                            struct trial *trial);

/* --- jumps.c ------------------------------------------------------------------------ */

/* By jump rules; `subject`: enum rule_trial. */
enum rule_trial {
    RULE_33_GENERAL, RULE_33_POSITION, RULE_88, RULE_90, RULE_82, RULE_91, RULE_94,
    RULE_95
};
trial_function try_rule, try_33;
/* Jumps as they follow from the numbers before an event. */
trial_function try_35, try_38, try_44, try_48, try_97, try_remark_19;

/* --- impulse.c ---------------------------------------------------------------------- */

/* The linear system (91), with one piece as it is printed; `subject`: enum piece_91. */
enum piece_91 {
    PRINTED_RATES = 1, PRINTED_MASS = 2, PRINTED_TIME = 4, PRINTED_MIXED = 8
};
trial_function try_91;
extern const struct case_desc caught_moving;    /* a case of the ledger's own */

/* --- multipliers.c, appendix.c ------------------------------------------------------ */

struct penalty_formulas *penalty_formulas_new(const struct tried *tried);
void penalty_formulas_free(struct penalty_formulas *formulas);
/* `subject`: enum derivative_part. */
enum derivative_part {
    PART_F_Q, PART_F_V, PART_F_RHO, PART_M_Q, PART_M_RHO, PART_LAMBDA_A, PART_LAMBDA_V,
    PART_LAMBDA_Q, PART_LAMBDA_RHO, PARTS
};
trial_function try_appendix;
trial_function try_64, try_65, try_66, try_69;

/* --- motion.c ----------------------------------------------------------------------- */

trial_function try_14, try_51c, try_52, try_56;

/* --- dependent.c -------------------------------------------------------------------- */

trial_function try_73, try_86;
/* Sets the dependent components of Q and V [n], which the caller has filled, from (86)
   and (87), or (88b) and (90c), at a point in its mode. */
void dependent_sensitivities(const struct tried *tried, const struct run_point *point,
                             int j, double *Q, double *V);

/* --- statements.c ------------------------------------------------------------------- */

trial_function try_23, try_28, try_remark_8, try_section_7;
/* `subject`: true: with multipliers, (62). */
trial_function try_dimension;

#endif
