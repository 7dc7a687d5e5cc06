/*
 * oracle.h - test oracles: how each is asked, and which parts it shares with the run it
 * judges.
 *
 * A test oracle decides whether a result is right. All of them stand in one table,
 * oracles.def; jobs/judge_oracles.c asks them.
 */
#ifndef SALTUS_ORACLE_H
#define SALTUS_ORACLE_H

#include "motion/reference_motion.h"
#include "quantity/results.h"
#include "reference.h"
#include "run.h"

/* --- the table ---------------------------------------------------------------------- */

/* How an oracle judges. */
enum oracle_way {
    WAY_NUMBERS,        /* its numbers are compared with those of the run */
    WAY_PRINTED,        /* it has single numbers as they are printed (published.h) */
    WAY_REFERENCE       /* it judges certified values: a job of its own */
};

/* When a solution asks. Cheap oracles are asked first: their rows need not wait for those
   of dear ones. */
enum oracle_stage {
    STAGE_STORED,       /* the answer is read */
    STAGE_EVALUATED,    /* the answer is evaluated */
    STAGE_RUN,          /* the answer takes one run for each parameter or cost */
    STAGE_TWIN,         /* the answer takes a run of another case */
    STAGE_CASE          /* the answer is about the case, though the run was refused */
};

enum oracle_trait {
    TELLS_REFUSALS = 1 << 0,    /* its refusal is a statement on the motion */
    ONCE_A_CASE    = 1 << 1,    /* the first formulation of a case is judged, no other; a
                                   rule or reset policy that is not the default, never */
    ANY_SOLVER     = 1 << 2,    /* the answer needs no formulation: solvers in other
                                   languages are judged, too */
    ANY_DIGITS     = 1 << 3,    /* the answer has as many digits as are asked for, and its
                                   conditions: certified values are judged, too */
    JUDGES_STORED  = 1 << 4     /* certified values are judged, too, with the digits that
                                   the answer has */
};

/* A question to an oracle: a motion, and a run of it. */
struct inquiry {
    const struct run_request *run;      /* request of the run; integrator NULL: the
                                           default one */
    const struct trajectory *trajectory;    /* the run; NULL: there is none of saltus */
    const struct truth *truth;          /* the motion that the run approximates */
    const struct certificate *certified;    /* certified values of the motion, read by the
                                               caller; NULL: there are none */
    bool unreadable;                    /* there are certified values that cannot be read,
                                           which has been said */
    int digits;                         /* decimal digits asked of an ANY_DIGITS oracle */
    double cap;                         /* number of these digits that is shown */
    bool conditions;                    /* conditions are asked of an ANY_DIGITS oracle,
                                           too */
};

enum answer_kind {
    ANSWER_NUMBERS,     /* `want` is set, and perhaps `got` */
    ANSWER_REFUSED,     /* the diagnosis says why */
    ANSWER_ABSENT,      /* no values: the place of the diagnosis says what makes them */
    ANSWER_EMPTY,       /* nothing to judge, and rightly so: the diagnosis says why */
    ANSWER_NONE         /* the oracle has nothing to say */
};

struct oracle_answer {
    enum answer_kind kind;
    struct diagnosis diagnosis;
    struct results *want;               /* numbers of the oracle; owned */
    struct results *got;                /* numbers of the run to compare with, made by the
                                           oracle; owned; NULL: all numbers of the run */
    double cap;                         /* digits of `want` that are shown */
    bool at_points;                     /* the states of the run are taken as they are: no
                                           tolerance excuses numbers made of them */
    const struct mp_trajectory *motion; /* certified motion, of inquiry->certified; or
                                           NULL */
};
void answer_clear(struct oracle_answer *answer);

/* Two inquiries about one case with equal keys have one answer. */
struct answer_key {
    const struct formulation *formulation;
    const struct integrator *integrator;
    double rtol;
};
bool same_key(const struct answer_key *a, const struct answer_key *b);

/* The functions of an oracle, which its own file defines. */
struct oracle_calls {
    /* Has the oracle an answer on this motion of the model? NULL: always. */
    bool (*applies)(const struct model *model, const struct truth *truth);
    /* Fills *answer, which is blank; the caller clears it. NULL: not WAY_NUMBERS. */
    void (*ask)(const struct inquiry *inquiry, struct oracle_answer *answer);
    /* Sets the key of the answer; false: the answer is to this inquiry alone. NULL: every
       answer is. */
    bool (*key)(const struct inquiry *inquiry, struct answer_key *key);
};

struct oracle {
    const char *name;
    enum oracle_way way;
    enum oracle_stage stage;
    unsigned traits;                    /* set of enum oracle_trait */
    const struct oracle_calls *calls;
    const char *shared, *apart;         /* comma separated IDs of parts (shared_parts.def)
                                           */
    const char *more;
};

enum {
#define ORACLE(ID, ...) PLACE_##ID,
#include "oracles/oracles.def"
#undef ORACLE
    ORACLE_COUNT
};
/* Sets of oracles, a bit for each. */
enum oracle_bit {
#define ORACLE(ID, ...) ORACLE_##ID = 1 << PLACE_##ID,
#include "oracles/oracles.def"
#undef ORACLE
    ORACLES_ALL = (1 << ORACLE_COUNT) - 1
};
extern const struct oracle oracles[ORACLE_COUNT];
/* The place of a name in `oracles`; -1: there is none. */
int oracle_find(const char *name);
/* All oracles of the set with the trait. */
unsigned oracles_with(enum oracle_trait trait);
bool oracle_applies(const struct oracle *oracle, const struct model *model,
                    const struct truth *truth);

/* A double carries just under 16 digits. */
extern const double double_digits;

/* --- what they compute -------------------------------------------------------------- */

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
/* The request that the oracle runs about a judged one: of a DAE the reduced formulation,
   at its own tolerance; of a formulation that solves the residual of another this other,
   where its tolerance is a little tighter; and never the rule. `nominal` holds the
   options. */
struct run_request complex_step_request(const struct run_request *judged,
                                        const char *nominal[MAX_OPTIONS]);

/*
 * Sets the spread (results.h) of all a and lambda of `want`, the numbers of an oracle
 * that has the points of the trajectory: how much they change by relative errors of q, v,
 * s and of the parameters. Only modes and parameters of the trajectory are looked at.
 * Nothing is set at points where the equations cannot be solved. Shares with the
 * complex-step oracle its equations, with the judged run their formulas.
 */
void spread_unknowns(const struct run_request *request,
                     const struct trajectory *trajectory, struct results *want);

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
/* That of a compiled case; NULL: there is none. A model file may have any name. */
const struct closed_form *closed_form_of(const struct case_desc *desc);

/* More digits than certified values have. */
enum { CLOSED_DIGITS = 60 };
/* All entries of results.h, each with an error below 10^-digits max(1, |entry|). Values
   of the request are taken as the doubles they are; without them the nominal values are
   exact. PRECISION where an error bound is wider than that, or leaves open what happens
   next; *out is then NULL. */
enum status closed_form_evaluate(const struct closed_form *form,
                                 const struct run_request *request, int digits,
                                 struct results **out, struct diagnosis *diagnosis);
/* Sets the spread of every entry of an answer to the same request (results.h), to about
   six digits, from answers at moved parameters; leaves it unknown where one of these has
   other events. */
void closed_form_condition(const struct closed_form *form,
                           const struct run_request *request, struct results *results);

/*
 * Native oracle: the case file compiled as plain complex __float128 C (native/case.h), no
 * reader, tape or AD; Phi_q and gamma by 8th-order differences of Phi. Evaluates, at the
 * points of a trajectory, a and lambda of the exact motion, guards and explicit resets,
 * and their derivatives by each parameter at fixed (t, q, v, s) by complex step.
 * Entries: "a.x2", "lambda.1", "guard.NAME", and with "/dL01" for partial derivatives;
 * native_of_model gives the same entries from the tape, for comparison.
 */
enum status native_evaluate(const struct run_request *request,
                            const struct trajectory *trajectory, struct results **out,
                            struct diagnosis *diagnosis);
enum status native_of_model(const struct run_request *request,
                            const struct trajectory *trajectory, struct results **out,
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
                          const struct trajectory *trajectory, struct results **want,
                          struct results **got, struct diagnosis *diagnosis);

/*
 * The identity mu' Y + G = const along a run: the weights mu, G of a sweep backwards that
 * transposes the steps of the run (adjoint/adjoint.h), for every cost. *want are the
 * gradients that the run has, *got mu' Y + G at events, on both sides, and at samples,
 * and last the whole gradient at the start: "before.2.dpsi.work/dL01", "dpsi.work/dL01".
 * `faults`: set of enum adjoint_fault (adjoint/adjoint_faults.h). NOT_APPLICABLE: the
 * integrator has no transposed steps; BAD_ANSWER: the sweep's run is another one; every
 * status of adjoint_run. Shares with the judged run: the solver, but for its columns on
 * arcs.
 */
enum status adjoint_identity_evaluate(const struct run_request *request,
                                      const struct trajectory *trajectory,
                                      unsigned faults, struct results **want,
                                      struct results **got, struct diagnosis *diagnosis);

#endif
