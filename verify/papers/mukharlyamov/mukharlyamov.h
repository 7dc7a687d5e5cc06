/*
 * mukharlyamov.h - the arm of Mukharlyamov, Deressa 2014, example 1, by the laws of
 * motion that the paper prints, and what its studies share.
 *
 * The arm of the catalogue (two-link-driven) has constraints, and starts on them. The
 * arms here have none: a law gives the accelerations at once, from the start that is
 * printed, which satisfies the constraints to five digits only.
 */
#ifndef SALTUS_PAPERS_MUKHARLYAMOV_H
#define SALTUS_PAPERS_MUKHARLYAMOV_H

#include "papers/finding.h"
#include "papers/paper_run.h"

/* --- laws of motion ----------------------------------------------------------------- */

/* A name and the formula that it stands for. */
struct arm_word {
    const char *name, *text;
};

/* A law M a = F in texts of formulas. The description comes first, since the law is
   found by it when the model is recorded. */
struct arm_law {
    struct case_desc desc;
    const struct arm_word *words[4];        /* lists, each ended by name NULL */
    const char *M[3];                       /* M11, M12, M22 */
    const char *F[2];
    const char *T, *V;                      /* energies that Lagrange's equations are
                                               added of; NULL: none */
    const char *damping[2];                 /* forces along Thetad1, Thetad2; NULL:
                                               none */
    const char *power;                      /* rate of the energy of the arm; NULL: not
                                               stated */
};

extern const struct arm_law
    arm_baumgarte,      /* (16) = 0 solved for the accelerations: m = n, M and Q cancel */
    arm_21,             /* (21), M and Q from the energies */
    arm_33,             /* (33) as printed, without a transpose; M and Q likewise */
    arm_34,             /* (34), M and Q from the energies */
    arm_34_printed_M, arm_34_printed_Q, arm_34_printed,     /* with those printed */
    arm_25,             /* Lagrange's equations of the energies (25) */
    arm_25_scaled,      /* likewise, with A K_P and A K_D for K_P and K_D */
    arm_display;        /* no law: the displayed formulas as costs, for arm_values */

/* Sets up a run of a law from the printed start to t_end. */
enum status arm_run_init(struct paper_run *run, const struct arm_law *law, int points,
                         double t_end);

/* --- displayed formulas ------------------------------------------------------------- */

/* The costs of arm_display. */
enum arm_display_cost {
    THETA,                              /* constraints */
    THETAD = THETA + 2,                 /* their rates, as in the display after (32) */
    RATE_23 = THETAD + 2,               /* rates as in (23) */
    THETADD = RATE_23 + 2,              /* (32) */
    JACOBIAN = THETADD + 2,             /* Theta_q, by rows */
    XI = JACOBIAN + 4,                  /* Xi, as in its display */
    STABILISED = XI + 2,                /* expression (16), as in its display */
    PRINTED_M = STABILISED + 2,         /* M11, M12, M22 */
    PRINTED_Q = PRINTED_M + 3,
    OWN_M = PRINTED_Q + 2,              /* M and Q from the energies */
    OWN_Q = OWN_M + 3,
    KINETIC = OWN_Q + 2,                /* energies of bars between points */
    POTENTIAL,
    ARM_COSTS
};

/* A state with accelerations. */
struct arm_point {
    double t, q[2], v[2], a[2];
};
/* The model of arm_display, sealed for evaluation, parameters as printed or declared. One
   thread at a time may use a sheet. */
struct arm_sheet;
struct arm_sheet *arm_sheet_new(void);
void arm_sheet_free(struct arm_sheet *sheet);
/* Takes the parameters of a run, by their names, as far as the run has them. */
void arm_sheet_like(struct arm_sheet *sheet, const struct paper_run *run);
/* Evaluates all costs at a point. */
void arm_values(struct arm_sheet *sheet, const struct arm_point *point,
                double value[ARM_COSTS]);
/* Evaluates their rates along (t, q, v)' = (1, v, a), by complex step. */
void arm_rates(struct arm_sheet *sheet, const struct arm_point *point,
               double rate[ARM_COSTS]);
/* Evaluates them and their derivatives by q along dq, by complex step. */
void arm_along(struct arm_sheet *sheet, const struct arm_point *point, const double dq[2],
               double value[ARM_COSTS], double derivative[ARM_COSTS]);
/* Evaluates all costs at a point of a trajectory of the arm. */
void arm_values_at(struct arm_sheet *sheet, const struct trajectory *trajectory,
                   const struct run_point *point, double value[ARM_COSTS]);
/* The largest |Theta_i| of the samples from `begin` to `end`; i = -1: of both. */
double arm_residual(struct arm_sheet *sheet, const struct trajectory *trajectory, int i,
                    double begin, double end);

/* --- the exact motion --------------------------------------------------------------- */

/* A motion in MPFR: its start, and samples every so many milliseconds. */
struct arm_exact {
    struct model *model;
    double *value;                      /* [model->p] parameters */
    int samples;                        /* those reached, the start included */
    struct arm_exact_sample {
        double t, q[2], v[2], lambda1;  /* lambda1: NAN without constraints */
    } *sample;                          /* [samples]; NULL: the motion was refused */
    struct diagnosis diagnosis;
    enum status status;
};
void arm_exact_run(struct arm_exact *exact, const struct case_desc *desc, int digits,
                   int step, int end);
/* Likewise with another speed v. */
void arm_exact_run_at(struct arm_exact *exact, const struct case_desc *desc, int digits,
                      int step, int end, double v);
void arm_exact_clear(struct arm_exact *exact);
const struct arm_exact_sample *arm_exact_last(const struct arm_exact *exact);

/* --- studies ------------------------------------------------------------------------ */

extern const struct study mukharlyamov_baumgarte, mukharlyamov_modified,
    mukharlyamov_formulas;

/* Times at which an arm on its constraints is folded and stretched. */
double arm_folded(const struct model *model, const double *value);
double arm_stretched(const struct model *model, const double *value);
double arm_parameter(const struct model *model, const double *value, const char *name);

enum { PAPER_CASES = 3 };
/* The gains of the three cases of the modified Lagrange's equation. */
extern const struct arm_case {
    const char *alpha, *K_D, *K_P;
} arm_case[PAPER_CASES];

/* The runs that rows and figures on the Baumgarte method share. */
enum { TOLERANCES = 10, ROUNDED = 5 };
struct baumgarte_study {
    struct arm_sheet *sheet;
    struct arm_exact exact;             /* the arm of the catalogue, nearly to the
                                           stretched arm */
    struct paper_run printed;           /* arm_baumgarte from the printed start */
    struct arm_exact mp[2];             /* this run in MPFR, with two precisions; the
                                           pole ends both */
    double ends[ROUNDED * ROUNDED];     /* times at which runs end whose start is printed
                                           alike; NAN: at the end */
    int consistent_refused;             /* runs of the catalogue's arm that are refused */
    double consistent_finest;           /* coarsest tolerance at which all finer ones
                                           are */
    double v_folded;                    /* speed with which the arm is folded at the
                                           printed time */
    struct arm_exact slow;              /* arm_baumgarte with this speed, in MPFR */
};

/* The runs that rows and figures on the modified equation share. */
enum { ALPHAS = 8, BEYOND = 6, GRID_ALPHAS = 10, GRID_TOLERANCES = 4 };
/* Case 1 within reach by alpha = 10 to 1e10 and rtol = 1e-6, 1e-8, 1e-10, 1e-12. */
struct alpha_grid {
    int refused;                        /* runs that are */
    double alpha, rtol;                 /* least alpha that is refused, and the coarsest
                                           tolerance at which it is; NAN: none */
    long least, most;                   /* steps of the other runs */
};
struct modified_study {
    struct arm_sheet *sheet;
    struct arm_exact exact;             /* the arm of the catalogue, nearly to the
                                           stretched arm */
    struct arm_exact far;               /* the exact motion asked for beyond reach */
    struct paper_run own[PAPER_CASES];  /* the three cases, to the printed failure time */
    struct paper_run held[PAPER_CASES]; /* these cases with the tip held, v = 0 */
    struct paper_run near[ALPHAS];      /* case 1 by alpha = 10 to 1e8, within reach */
    struct paper_run beyond[BEYOND];    /* likewise by alpha = 10 to 1e6, beyond
                                           reach */
    struct alpha_grid saddle, normal;   /* both forms of the equation */
    struct paper_run baumgarte;         /* two-link-driven, gains of case 1 */
};
/* Times between which the residual of a run of `near` is called the plateau, and those
   between which the arm is folded. */
extern const double plateau_time[2], folded_time[2];

void mukharlyamov_draw_arm(FILE *gnuplot, const void *study);
void mukharlyamov_draw_baumgarte(FILE *gnuplot, const void *study);
void mukharlyamov_draw_case_1(FILE *gnuplot, const void *study);
void mukharlyamov_draw_case_2(FILE *gnuplot, const void *study);
void mukharlyamov_draw_case_3(FILE *gnuplot, const void *study);
void mukharlyamov_draw_plateau(FILE *gnuplot, const void *study);
void mukharlyamov_draw_steps(FILE *gnuplot, const void *study);

#endif
