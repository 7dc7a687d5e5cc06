/*
 * oracle.h - the judges, and what each of them shares with what it judges.
 */
#ifndef SALTUS_ORACLE_H
#define SALTUS_ORACLE_H

#include "quantity/results.h"
#include "reference.h"
#include "run.h"

/*
 * Complex step through events. One run per parameter with rho_j + i eps; the event time
 * is complex: its real part is located on real parts, then a derivative-free (secant)
 * iteration on the guard in complex t. Fills every column of *out, derivative columns
 * from imaginary parts: at a sample Q = Im q / eps, at an event tau = Im t_e / eps and
 * Q = Im q(t_e) / eps - v tau on either side.
 *
 * Of a DAE the reduced formulation is run, by an explicit method: the exact motion is the
 * same. Multipliers of dependent constraints are those of least norm where the
 * formulation takes them (complex_saddle.h), else RANK_LOSS; an iteration for the
 * multipliers is differentiated as a whole.
 *
 * Shares with the judged run: the recorded formulas and their residual (values only), the
 * integrator's tableau. Does not share: any derivative row by rho, any tangent, event
 * location, reset differentiation, saltation, adaptive control of sensitivities.
 */
enum status complex_step_run(const struct run_request *request, struct trajectory **out,
                             struct diagnosis *diagnosis);

/*
 * Sets the spread (results.h) of all a and lambda of `want`, the numbers of an oracle
 * that has the points of the trajectory: how much they change by relative errors of q,
 * v, s and of the parameters. Of the trajectory only its modes and parameters are looked
 * at. Where the equations cannot be solved nothing is set. Shares with the complex-step
 * oracle its equations, with the judged run their formulas.
 */
void spread_unknowns(const struct run_request *request,
                     const struct trajectory *trajectory, struct ledger *want);

/*
 * Closed forms, to any number of digits: complex numbers with error bounds (ball.h);
 * derivatives by complex step in the closed form itself. Shares with the judged run:
 * nothing but the parameter values.
 */
struct closed_form {
    const char *case_name;
    const char *title;          /* the formula, in one line, with its source */
    const struct closed_rules *rules;   /* closed.h */
};
extern const struct closed_form *const closed_forms[];  /* NULL-terminated */
const struct closed_form *closed_form_find(const char *case_name);

/* More digits than certified values have. */
enum { CLOSED_DIGITS = 60 };
/* All entries of results.h, each with an error below 10^-digits max(1, |entry|). Values
   of the request are taken as the doubles they are; without them the nominal values are
   exact. PRECISION where an error bound is wider than that, or leaves open what happens
   next; *out is then NULL. */
enum status closed_form_evaluate(const struct closed_form *form,
                                 const struct run_request *request, int digits,
                                 struct ledger **out, struct diagnosis *diagnosis);
/* Sets the spread of every entry of an answer to the same request (results.h), to about
   six digits, from answers at moved parameters; leaves it unknown where one of these has
   other events. */
void closed_form_condition(const struct closed_form *form,
                           const struct run_request *request, struct ledger *ledger);

/*
 * Native oracle: the case file compiled as plain complex __float128 C (native/case.h), no
 * reader, tape or AD; Phi_q and gamma by 8th-order differences of Phi. Evaluates, at the
 * points of a trajectory, a and lambda of the exact motion, guards and explicit resets,
 * and their derivatives by each parameter at fixed (t, q, v, s) by complex step.
 * Entries: "a.x2", "lambda.1", "guard.NAME", and with "/dL01" for partial derivatives;
 * native_of_model gives the same entries from the tape, for comparison.
 */
enum status native_evaluate(const struct run_request *request,
                            const struct trajectory *trajectory, struct ledger **out,
                            struct diagnosis *diagnosis);
enum status native_of_model(const struct run_request *request,
                            const struct trajectory *trajectory, struct ledger **out,
                            struct diagnosis *diagnosis);

/*
 * The twin: another case with the same motion, and equalities between the two (model.h).
 * *got are their own sides along the trajectory, *want those of the twin along its
 * motion: values, rates along the motion, derivatives of both by every parameter that
 * both cases differentiate; times of events and their derivatives where there are as
 * many. Entries: "twin.NAME", "twin.v.NAME" (the rate), "dtwin.NAME/dL01", "event.K.t",
 * ... BAD_INPUT: no such case or coordinate, or a parameter of one name has two values.
 * Shares with the judged run: the solver. Not: coordinates, constraints, the reduction.
 */
enum status twin_evaluate(const struct run_request *request,
                          const struct trajectory *trajectory, struct ledger **want,
                          struct ledger **got, struct diagnosis *diagnosis);

#endif
