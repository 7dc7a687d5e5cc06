/*
 * complex_run.h - one trajectory with one parameter moved into the complex plane.
 *
 * Every decision (step size, which guard, which branch) is taken on real parts.
 * Imaginary parts are of the size of eps = 1e-40, so their squares vanish: an imaginary
 * part divided by eps is a derivative, exact to rounding.
 */
#ifndef SALTUS_COMPLEX_RUN_H
#define SALTUS_COMPLEX_RUN_H

#include "integrators/control.h"
#include "oracles/complex_model.h"
#include "oracles/singular_crossing.h"

/* The course of a guard since the arc began (complex_event.c). */
struct complex_guard {
    bool begun;             /* the first step of the arc has been sampled */
    bool armed;             /* the guard has been on the side from which it may fire */
    bool at_once;           /* the guard fires where the arc begins: an event set it
                               off */
    bool tied;              /* the guard crossed zero together with another, at the real
                               time tied_at */
    double tied_at;
    double noise;           /* value when the arc began, if it counts as zero */
    double last;            /* real value at the sample before */
    double scale;           /* largest real magnitude in this run */
    double swing;           /* largest imaginary magnitude in this run */
    double rate;            /* rate in time at the root found last */
    int gone;               /* the motion has gone through the guard: sign of its rate,
                               twice the sign if the motion may go on from there; at real
                               time gone_at */
    double gone_at;
    double low, high;       /* part of the step that is looked at, or holds the
                               crossing */
};

struct complex_run {
    const struct run_request *request;
    const struct integrator *integrator;    /* explicit: the one asked for, or the
                                               default */
    struct complex_model *cm;
    struct complex_values *values;      /* values of the latest evaluation */
    const char *parameter;              /* name of the parameter that is moved; NULL:
                                           none */
    int dim;                            /* number of complex components: q, v, s, z */
    double eps;                         /* size of the imaginary part of the parameter */
    double part;                        /* eps over the parameter, or over 1 */

    /* The place of the run: mode, time, and `x` with dim real parts, then dim imaginary
       parts / eps. */
    int mode;
    const struct event *last;           /* latest event, or NULL */
    bool reversed;                      /* among events together the last declared comes
                                           first */
    bool tie;                           /* the event found is together with another */
    int chained;                        /* number of events that this one and others set
                                           off at once */
    double complex t;
    double complex *z;                  /* [nz] complex z and cost each, scratch */
    double *x, *dx, *x_new, *dx_new, *x_at, *dx_at;
    double *err[2];

    /* The path in complex time: t(sigma) = origin + sigma direction, sigma real. */
    double complex origin, direction;

    struct ode ode;
    void *work;
    bool dense;                         /* the dense output of the last step is
                                           prepared */
    struct control control;
    double h;                           /* length of the next step, by the error
                                           control */
    bool fresh;                         /* no step has been taken since the start or an
                                           event */
    struct complex_guard *guard;        /* [model->events] course of each guard */
    double complex *r;                  /* guards of the mode at one point */
    double *table, *theta;              /* samples of the guards over a step; places of
                                           their roots */
    int parts;                          /* parts of the step between samples */
    bool *crossed;
    double rate;                        /* d(guard)/dt at the event found last */

    struct crossing *crossing;          /* [model->modes] watchers of singular
                                           configurations */
    bool watched;                       /* constraints are independent on this arc */
    double *Phi_q;
    double step, span, end;             /* last step on this arc; length of the run, and
                                           where it ends */

    long steps, evaluations;
    enum status failure;                /* status of the right-hand side */
    struct diagnosis *diagnosis;
};

/* Opens a run at the consistent start; `parameter` is moved by i eps, -1: none. */
enum status complex_run_init(struct complex_run *run, const struct run_request *request,
                             struct complex_model *cm, int parameter,
                             double complex *t_end, struct diagnosis *diagnosis);
void complex_run_clear(struct complex_run *run);
/* Times closer than this are one: 1e-12 of the time, of 1, or of the length of a shorter
   run. */
double complex_run_instant(const struct complex_run *run);

/* Integrates to the complex time `target`, or to the first event (*fired, else NULL),
   whose complex time and state before the reset the run then has. */
enum status complex_run_advance(struct complex_run *run, double complex target,
                                const struct event **fired);

/* Resets the state: the event's J = 0, its costs, its mode. */
enum status complex_run_reset(struct complex_run *run, const struct event *event);

/* Puts (t, x) into run->values. */
void complex_run_set(struct complex_run *run, double complex t, const double *x);
/* Puts (t, x) into run->values, and solves for accelerations and multipliers there. */
enum status complex_run_load(struct complex_run *run, double complex t, const double *x);

/* Takes one step of any complex length from (t, x, at the start of the present path); the
   result is in run->x_at. */
enum status complex_run_leap(struct complex_run *run, double complex dt);
/* Prepares the dense output of the last step, if that has not been done. */
enum status complex_run_prepare(struct complex_run *run);

/* complex_event.c: begins an arc; looks for the first event in the step just taken, from
   run->x to run->x_new over [t, t + h]; when there is one, *fired, and t and x of the run
   become those at the event. */
enum { GUARD_SAMPLES = 16, MOST_GUARD_SAMPLES = 8192 };     /* samples per step; most
                                                               samples of a run */
enum status complex_guards_start(struct complex_run *run);
/* NOT_FINITE: a guard, or its derivative, is not finite where an arc begins. */
enum status complex_guards_finite(struct complex_run *run);
enum status complex_guards_search(struct complex_run *run, double h,
                                  const struct event **fired);

/* --- complex_gate.c ----------------------------------------------------------------- */

/* OK, or NOT_FINITE with the name of a number that is not finite, or whose derivative is
   not: one number, named `what` and `of`; a state with imaginary parts [2 dim], as in
   run->x. */
enum status complex_gate(struct complex_run *run, double complex x, const char *what,
                         const char *of);
enum status complex_gate_state(struct complex_run *run, const double *x,
                               const char *before);

/* --- complex_guard_conditions.c ----------------------------------------------------- */

/* The event that happens at the present place of the run, of those that share the guard
   of *fired and cross zero with it; NULL: none. CONDITION_EDGE. */
enum status complex_choose(struct complex_run *run, const struct event **fired);
/* Do the conditions of an event of the mode hold at the present place of the run? */
enum status complex_may_happen(struct complex_run *run, const struct event *event,
                               bool *may);
/* Has the motion gone through the guard at this instant already, and only goes on to the
   side of that sign? */
bool complex_goes_on(const struct complex_run *run, const struct event *event, int sign);

/* --- complex_together.c ------------------------------------------------------------- */

/* Gives the events from number `first` on that are at one time the sides of all of
   them. */
void complex_together_join(struct trajectory *trajectory, int first);
/* Runs in which events together, the first of them number `first`, came in opposite
   order: SIMULTANEOUS if they differ. */
enum status complex_together_compare(const struct trajectory *a,
                                     const struct trajectory *b, int first,
                                     struct diagnosis *diagnosis);

/* Evaluates all guards on the continuous extension, at a part theta of the step, into
   run->r. */
enum status complex_guards_inside(struct complex_run *run, double h, double theta);

/* --- complex_turn.c ----------------------------------------------------------------- */

/* May guard g, of one sign at both ends of sample k, have been beyond zero in between? */
bool complex_may_turn(const struct complex_run *run, int g, int k);
/* The largest value of sign * guard g between its low and high, or the first that is
   found to be positive: *value of the guard, at a part *theta of the step. */
enum status complex_turn(struct complex_run *run, int g, double h, double sign,
                         double *theta, double *value);

/* --- complex_singular.c ------------------------------------------------------------- */

/* complex_singular.c: begins an arc at the point last evaluated. */
void complex_singular_start(struct complex_run *run);
/* Watches the point (t, x), a step of real length h after the one before: RANK_LOSS where
   constraints become dependent, or come so near that the motion turns into another
   branch. */
enum status complex_singular_watch(struct complex_run *run, double complex t,
                                   const double *x, double h);
/* The time at which a run that cannot go on would meet dependent constraints, if that is
   about to come, else the time where it stands. */
double complex_singular_time(const struct complex_run *run);

#endif
