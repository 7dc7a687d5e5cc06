/*
 * mp_run.h - one trajectory of the reference: integration of a hybrid system in MPFR with
 * its variational equations.
 */
#ifndef SALTUS_MP_RUN_H
#define SALTUS_MP_RUN_H

#include "equations/plan.h"
#include "motion/taylor.h"
#include "reset.h"
#include "roots.h"

/* One run; numbers are made from the decimal text of the request once. */
struct run {
    const struct plan *plan;
    const struct model *model;
    const struct reference_request *request;
    int parameters;             /* number of directions, lanes - 1; 0 in a run of
                                   values only */
    int digits, width;          /* decimal digits; length of the state, 2n + ns + nz */
    mpfr_prec_t precision;
    double resolution;          /* log2 of 10^-(digits/2), relative: closer times are
                                   one */
    mpfr_ptr rho;               /* [p] parameters, of run_careful_precision */
    mpfr_ptr unit;              /* [parameters][p] directions of the lanes */
    double *reach;              /* [parameters] run_reach of each direction */
    mpfr_ptr sample;            /* [samples] */
    mpfr_ptr t_end, dt_end;     /* end, and its derivatives [parameters] */
    struct taylor **taylor;     /* [modes] workspaces */
    struct taylor **end;        /* [modes] workspaces at the ends of steps; NULL until
                                   they are needed */
    mpfr_ptr end_y;             /* [lanes][width] state there */
    /* Workspaces with twice the digits, and a state with as many; NULL until they are
       needed, near a configuration in which constraints become dependent (arcs.c). */
    struct taylor **careful;    /* [modes] */
    mpfr_ptr careful_y;         /* [lanes][width] */
    struct reset **reset;       /* [events] */
    struct roots *roots;

    /* The state of the run. */
    struct mode *mode;
    mpfr_ptr t, y;              /* time, and state [lanes][width] */
    mpfr_ptr tau;               /* [parameters] dt_e/drho of the last event */
    mpfr_ptr t0;                /* start */
    mpfr_ptr next, moving;      /* [lanes][width] work */
    mpfr_ptr stash;             /* [samples][lanes][width] states at sample times */
    mpfr_ptr work;              /* [8] */
    double *amplitude;          /* [lanes * TAYLOR_GROUPS] raised by taylor_step */
    double *raised;             /* [lanes * TAYLOR_GROUPS] the least that derivatives are
                                   measured by (arcs.c) */
    struct mp_trajectory *out;
    int sampled;                /* samples recorded so far */
    mpfr_ptr *rates;            /* [events] see run_trajectory; NULL unless kept */
    int rates_room, events_room;
    bool keep_rates, only_start;

    struct diagnosis *diagnosis;
};

/*
 * A whole trajectory with the programs of `plan`. rho [model->p]; NULL: the parameters of
 * the request (nominal where not given). With `rates` not NULL, (*rates)[e] is [4 *
 * columns.width]: d/dt of every value column before event e, after it, and d^2/dt^2
 * before and after; each vector and the array are the caller's to free. On refusal the
 * status is returned.
 */
enum status run_trajectory(const struct plan *plan,
                           const struct reference_request *request, mpfr_srcptr rho,
                           struct mp_trajectory **out, mpfr_ptr **rates,
                           struct diagnosis *diagnosis);

/* A plan has a branch of the model: what has been recorded becomes that of the model. */
void run_settle(struct mp_trajectory *trajectory, const struct model *model);

/* reference_run, with the time of a refusal in refused_at, as exactly as it is known;
   NAN where there is none. */
enum status run_or_refuse(const struct reference_request *request,
                          struct mp_trajectory **out, mpfr_ptr refused_at,
                          struct diagnosis *diagnosis);

/* Parameters of the request into rho [model->p]. BAD_INPUT: a text is no number. */
enum status run_parameters(const struct plan *plan,
                           const struct reference_request *request, mpfr_ptr rho,
                           struct diagnosis *diagnosis);

/* BAD_INPUT: the digits or parameter numbers of the request are out of range. */
enum status run_check(const struct plan *plan, const struct reference_request *request,
                      struct diagnosis *diagnosis);

/* A decimal text as a number. False: it is none. */
bool run_number(const char *text, mpfr_ptr x);

/* The number of derivatives that the request asks for (along.c). */
int run_directions(const struct reference_request *request);
/* The directions of these derivatives, unit [run_directions][model->p], in the space
   of parameters; the caller has set unit to zeros. BAD_INPUT: weights are no numbers,
   or all zero. */
enum status run_units(const struct reference_request *request, mpfr_ptr unit,
                      struct diagnosis *diagnosis);

/* log2 of the largest h with h |unit_k| <= the size of rho_k (size.h) for all k; both
   [p]. */
double run_reach(mpfr_srcptr rho, mpfr_srcptr unit, int p);

/* Bits of the steps taken with care. Parameters have them, too: numbers that are known
   exactly must be exact there. */
mpfr_prec_t run_careful_precision(int digits);
/* The workspace for such steps in the mode of the run; made at the first call. */
struct taylor *run_careful(struct run *run);
/* The workspace at the ends of steps in the mode of the run; made at the first call. */
struct taylor *run_end(struct run *run);

/* --- parts, each in the file named -------------------------------------------------- */

/* Sets t0, t_end, and y [lanes][width] at t0 with its sensitivities (start.c). */
enum status run_start(struct run *run);

/* Tests the edges of the reset at run->t, run->next; `after` [width] has q+, v+, s+.
   BRANCH_CUT, POLE or DOMAIN_EDGE: one is met; NOT_FINITE: a formula is outside its
   domain (domain_edges.c). */
enum status run_event_edges(struct run *run, const struct event *event,
                            const struct taylor *before, mpfr_srcptr after);
/* Tests the edges of the conditions there. */
enum status run_condition_edges(struct run *run, const struct event *event,
                                const struct taylor *before);
/* Tests the edges of start rows, or of terminal costs, at run->t, run->y. */
enum status run_start_edges(struct run *run);
enum status run_end_edges(struct run *run);
/* Tests the edges of formulas that depend on parameters only. */
enum status run_steady_edges(struct run *run);

/* The gate of numbers (cases/model/gate.h), in gate.c. Each returns OK, or NOT_FINITE
   with the name of a number that is not finite: of a state y [lanes][width], whose
   component is named between two texts; of the costs in run->out, from the program
   `end`; of one number of a lane, named `what` and `of`. */
enum status run_gate_state(struct run *run, mpfr_srcptr y, const char *before,
                           const char *after);
enum status run_gate_costs(struct run *run, const struct mp_series *end);
enum status run_gate_number(struct run *run, mpfr_srcptr x, int lane, const char *what,
                            const char *of);

/* Integrates from the start to the end (arcs.c). */
enum status run_arcs(struct run *run);

/* The approach of a guard to its root, as run_jump must know it. */
struct approach {
    int guard;              /* guard of the mode */
    bool chained;           /* the event follows another at the same time */
    double rate_scale;      /* log2 of the scale of the guard's rate */
    double largest;         /* log2 of the largest |r| on the arc; -INFINITY if chained */
};

/* Lets the event of a guard happen at run->t, run->next (jump.c); leaves the state
   after it in run->y and moves to its mode. GRAZING: the guard does not cross zero;
   SIMULTANEOUS: a chained event does not follow for neighbouring parameters;
   INCONSISTENT, INADMISSIBLE: the constraints of the mode entered do not hold; the
   statuses of reset_apply, taylor_expand and run_event_edges. */
enum status run_jump(struct run *run, const struct approach *approach);

/* The condition number (condition.h) of the time of the event that approach->guard
   fires, and the rate rd of the guard, where the mode has been expanded to order 2
   (condition.c). In a run without derivatives both are 0, not known. */
void run_condition(struct run *run, const struct approach *approach, double *rate,
                   double *condition);

/* The sum of |x dr/dx| for all x that r depends on, at the point of `taylor`. `output`
   of the program of an event (plan.h) is the derivative of r along all blocks. */
double run_spread(const struct run *run, const struct taylor *taylor,
                  const struct program *program, int output);

/* Drops the events from number `first` on. */
void run_drop_events(struct run *run, int first);
/* Joins the events from number `first` on: their sides become those of all of them
   together. */
void run_join_events(struct run *run, int first);

/* Computes terminal costs and gradients (ends.c); `event`: the run ended in an event. */
enum status run_psi(struct run *run, bool event);

/* A trajectory without events, its points NAN and its numbers zero (trajectory.c).
   parameter [parameters]; NULL: the derivative is along a direction. */
struct mp_trajectory *mp_trajectory_new(const struct model *model, int parameters,
                                        const int *parameter, int samples,
                                        mpfr_prec_t precision);
/* Allocates the columns of a point, all NAN. */
void mp_trajectory_point(struct mp_trajectory *trajectory, struct mp_point *point);
/* Writes the state, the unknowns and their derivatives where `taylor` was expanded
   into a point. */
void mp_trajectory_record(const struct mp_trajectory *trajectory,
                          const struct taylor *taylor, struct mp_point *point);
/* Adds an event with empty points; *room is the array's capacity. */
struct mp_event *mp_trajectory_event(struct mp_trajectory *trajectory, int *room);
/* Drops the last event. */
void mp_trajectory_drop_event(struct mp_trajectory *trajectory);
/* d/dt and d^2/dt^2 of the value columns where `taylor` was expanded to order 2: out
   and second [columns.width]. */
void mp_trajectory_rates(const struct mp_trajectory *trajectory,
                         const struct taylor *taylor, mpfr_ptr out, mpfr_ptr second);
/* Drops all samples but the first `samples`. */
void mp_trajectory_cut(struct mp_trajectory *trajectory, int samples);

#endif
