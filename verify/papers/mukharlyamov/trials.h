/*
 * trials.h - how printed formulas of Mukharlyamov, Deressa 2014 are tried
 */
#ifndef SALTUS_PAPERS_MUKHARLYAMOV_TRIALS_H
#define SALTUS_PAPERS_MUKHARLYAMOV_TRIALS_H

#include "papers/mukharlyamov/mukharlyamov.h"

/* --- displays of the example -------------------------------------------------------- */

/* States (t, q, v, a) at which displays are tried. */
enum { STATES = 4 };
struct arm_point trial_state(int k);

/* Sets the numbers that a display should have at a state. */
typedef void judge_display(struct arm_sheet *sheet, const struct arm_point *point,
                           double *want);
/* The least digits of costs from `first` on, over all states. */
double display_digits(struct arm_sheet *sheet, int first, int count,
                      judge_display *judge);

/* Theta', Theta'', Theta_q, Theta'' + K_D Theta' + K_P Theta and Xi by complex step in
   Theta and Theta'; M and Q by the energies. */
judge_display want_rate, want_second_rate, want_jacobian, want_stabilised, want_Xi,
    want_M, want_Q;

/* --- Lyapunov's function ------------------------------------------------------------ */

/* A function of a row; subject 18: both forms of (18), 19: its rate (19). */
void lyapunov_try(const void *study, const struct printed_formula *row,
                  struct trial *trial);

/* --- redundant constraints ---------------------------------------------------------- */

/* A mechanism with redundant constraints at a state of its exact motion, and its
   constraint forces by A^+ (Sec. 2). */
struct redundant {
    int n, m, rank;
    double force_digits, lambda_digits; /* of (12) and (6), against MPFR */
    double part;                        /* |(I - A^+ A) u|/|u| */
    double zero;                        /* digits to which Phi_q' of it is zero */
    double least_M, least_sum;          /* least eigenvalues of M and of
                                           M + 10 Phi_q' Phi_q */
};

void redundant_try(struct redundant *own);

#endif
