/*
 * corner.h - the case study of Corner, Sandu, Sandu 2019, section 7, in two declared
 * attachments of the springs, and how its curves are measured.
 */
#ifndef SALTUS_PAPERS_CORNER_H
#define SALTUS_PAPERS_CORNER_H

#include "papers/paper.h"
#include "papers/paper_run.h"

/* --- what is not printed ------------------------------------------------------------ */

/* Only Fig. 3a shows where the springs attach. */
enum { ATTACHMENTS = 2, LENGTHS = 2 };
struct attachment {
    const char *case_name;
    const char *springs;
};
extern const struct attachment corner_attachment[ATTACHMENTS];
/* The parameters of section 7: natural lengths of the springs. */
extern const char *const corner_length[LENGTHS];
/* The penalty factor of section 7, declared: from it on both numbers of Fig. 3b hold
   (penalty.c). xi = 1 and omega = 10 are the nominal ones of the formulation. */
#define CORNER_ALPHA "1e6"

/* --- runs --------------------------------------------------------------------------- */

/* Twins: runs at rho - drho/2 and rho + drho/2, Definition 9 and (30). */
struct twins {
    struct paper_run lower, upper;
};

/* One attachment; all runs have the same sample times, some of them between the events of
   twins. */
struct bars {
    const struct attachment *attachment;
    struct paper_run run;               /* penalty, by L01 and L02 */
    struct trajectory *exact;           /* of the same by complex step */
    struct twins twins[LENGTHS];
};

struct case_study {
    struct bars bars[ATTACHMENTS];
    double forward, whole;              /* of y2 at the end by L01, first attachment:
                                           (y2(rho + drho) - y2(rho))/drho and (y2(rho +
                                           drho) - y2(rho - drho))/drho, both over the
                                           derivative */
};
/* The step: "drho of magnitude 10^-4". */
extern const double corner_drho;

enum status corner_open(struct task *task, void **study, char *why, int size);
void corner_close(void *study);

/* The central difference by length j of a column of the values, at a sample. */
double corner_difference(const struct bars *bars, int j, int sample, int column);
/* Is the sample between the times at which the twins of length j have an event? */
bool corner_between_twins(const struct bars *bars, int j, int sample);

/* --- measures ----------------------------------------------------------------------- */

/* A measure stands for a statement in one of these ways: it is zero but for rounding
   errors, less than a per cent or the printed number, or far from zero. */
enum wanted { EXACT, ABOUT, PRINTED, APART };
struct measure {
    double (*of)(const struct bars *bars);
    enum wanted wanted;
    const char *what;
};
enum { REVERSAL, KEPT, ERROR_Y2, ERROR_VY2, SPIKES, WIDTHS, FALL, JERK, JERK_ON_ARCS,
       ERROR_FALL, ERROR_JERK, DFALL, DJERK, DJERK_ON_ARCS };
extern const struct measure corner_measures[];

/* Sets the least and the largest relative change of the kinetic energy at events. */
void corner_energy_changes(const struct bars *bars, double *least, double *largest);

/* The least and the largest height of the spikes of the difference of vy2, and the
   largest relative distance of a height from |2 vy2-|/drho. */
struct spikes {
    double least, largest, apart;
};
struct spikes corner_spikes(const struct bars *bars);

/* Largest error of the derivatives of y2 and vy2, analytic and by differences, at all
   samples, relative to the largest size of each so far. */
struct errors {
    double analytic;
    double away, all;           /* by differences: away from spikes, and with them */
};
struct errors corner_errors(const struct bars *bars);

/* The least digits of all jumps of derivatives at events, the largest error of a group of
   columns relative to its largest jump; NAN: other events. */
enum jump_kind {
    JUMPS_OF_MOTION,            /* of positions and velocities */
    JUMPS_OF_REST,              /* of accelerations, multipliers and quadratures */
    JUMP_KINDS
};
double corner_jump_digits(const struct trajectory *got, const struct trajectory *want,
                          enum jump_kind kind);

/* --- studies ------------------------------------------------------------------------ */

extern const struct study corner_case_study, corner_penalty, corner_formulations,
    corner_constraints, corner_singular, corner_formulas;
extern const struct figure corner_figures[], corner_penalty_figures[];

#endif
