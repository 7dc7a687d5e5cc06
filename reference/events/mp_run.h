/*
 * mp_run.h - one trajectory of the reference: arcs, events, samples, and what it needs.
 */
#ifndef SALTUS_MP_RUN_H
#define SALTUS_MP_RUN_H

#include "equations/plan.h"
#include "motion/taylor.h"
#include "reset.h"
#include "roots.h"

/* Decimal text of the request as numbers; made once a run. */
struct run {
    const struct plan *plan;
    const struct model *model;
    const struct reference_request *request;
    int parameters;             /* lanes - 1: directions; 0 in a run of values only */
    int digits, width;          /* width of the state: 2n + ns + nz */
    mpfr_prec_t precision;
    double resolution;          /* log2 of 10^-(digits/2): closer times are one */
    mpfr_ptr rho;               /* [p], of run_careful_precision */
    mpfr_ptr unit;              /* [parameters][p] directions of the lanes */
    mpfr_ptr sample;            /* [samples] */
    mpfr_ptr t_end, dt_end;     /* and its derivatives [parameters] */
    struct taylor **taylor;     /* [modes] */
    /* The same with twice the digits, and a state with as many; NULL until they are
       needed, near a configuration in which constraints become dependent (arcs.c). */
    struct taylor **careful;    /* [modes] */
    mpfr_ptr careful_y;         /* [lanes][width] */
    struct reset **reset;       /* [events] */
    struct roots *roots;

    /* where the run is */
    struct mode *mode;
    mpfr_ptr t, y;              /* y [lanes][width] */
    mpfr_ptr tau;               /* [parameters] of the last event */
    mpfr_ptr t0;
    mpfr_ptr next, moving;      /* [lanes][width] work */
    mpfr_ptr stash;             /* [samples][lanes][width] states at sample times */
    mpfr_ptr work;              /* [8] */
    double *amplitude;          /* [lanes * TAYLOR_GROUPS], taylor_step */
    struct mp_trajectory *out;
    int sampled;
    mpfr_ptr *rates;            /* [events] see run_rates; NULL entries unless kept */
    int rates_room, events_room;
    bool keep_rates, only_start;

    struct diagnosis *diagnosis;
};

/*
 * A whole trajectory with the programs of `plan`. rho [model->p] NULL: those of the
 * request (nominal where not given). With `keep_rates`, rates[e] is [4 * columns.width]:
 * d/dt of every value column before event e, after it, and d^2/dt^2 of both; each vector
 * to be freed.
 */
enum status run_trajectory(const struct plan *plan,
                           const struct reference_request *request, mpfr_srcptr rho,
                           struct mp_trajectory **out, mpfr_ptr **rates,
                           struct diagnosis *diagnosis);

/* A plan has a branch of the model: what has been recorded becomes that of the model. */
void run_settle(struct mp_trajectory *trajectory, const struct model *model);

/* reference_run; the time of a refusal as exactly as it is known, NAN where there is
   none. */
enum status run_or_refuse(const struct reference_request *request,
                          struct mp_trajectory **out, mpfr_ptr refused_at,
                          struct diagnosis *diagnosis);

/* Parameters of the request into rho [model->p]; BAD_INPUT for what is no number. */
enum status run_parameters(const struct plan *plan,
                           const struct reference_request *request, mpfr_ptr rho,
                           struct diagnosis *diagnosis);

/* BAD_INPUT for digits or parameter numbers out of range. */
enum status run_check(const struct plan *plan, const struct reference_request *request,
                      struct diagnosis *diagnosis);

/* Decimal text as a number; false if it is none. */
bool run_number(const char *text, mpfr_ptr x);

/* How many derivatives the request asks for; their directions unit [that many][model->p]
   in the space of parameters, zeros at first (along.c). BAD_INPUT for weights that are no
   numbers, or all zero. */
int run_directions(const struct reference_request *request);
enum status run_units(const struct reference_request *request, mpfr_ptr unit,
                      struct diagnosis *diagnosis);

/* log2 of the largest h with h |unit_k| <= max(1, |rho_k|) for all k; both [p]. */
double run_reach(mpfr_srcptr rho, mpfr_srcptr unit, int p);

/* Bits of the steps taken with care, and of the parameters: what is known exactly there
   must be exact there, too. */
mpfr_prec_t run_careful_precision(int digits);
/* The workspace of the mode the run is in for such steps. */
struct taylor *run_careful(struct run *run);

/* --- parts (each in the file of its name) ------------------------------------------- */

/* start.c: t0, t_end, and y [lanes][width] at t0 with its sensitivities. */
enum status run_start(struct run *run);

/* edges.c: is an edge of the reset met at run->t, run->next; `after` [width] has q+, v+,
   s+. Of terminal costs, at run->t, run->y; of what depends on parameters only. */
enum status run_event_edges(struct run *run, const struct event *event,
                            const struct taylor *before, mpfr_srcptr after);
enum status run_end_edges(struct run *run);
enum status run_steady_edges(struct run *run);

/* arcs.c: from the start to the end. */
enum status run_arcs(struct run *run);

/* How a guard gets to its root: what run_jump must know of the arc before. */
struct approach {
    int guard;              /* of the mode */
    bool chained;           /* its event follows another at the same time */
    double rate_scale;      /* log2 of what its rate is measured by */
    double largest;         /* log2 of the largest |r| on the arc */
};

/* jump.c: the event of that guard, at run->t, run->next; leaves the state after it in
   run->y and moves to its mode. */
enum status run_jump(struct run *run, const struct approach *approach);

/* condition.c: of the time of the event that approach->guard fires (condition.h), and the
   rate rd of the guard, where the mode has been expanded to order 2. Without derivatives
   both are 0: not known. */
void run_condition(struct run *run, const struct approach *approach, double *rate,
                   double *condition);

/* The sum of |x dr/dx| for all x that r depends on, at the point of `taylor`: of a
   program of an event (plan.h) with this output the derivative of r along everything. */
double run_spread(const struct run *run, const struct taylor *taylor,
                  const struct program *program, int output);

/* The events from number `first` on dropped; or joined: their sides become those of all
   of them together. */
void run_drop_events(struct run *run, int first);
void run_join_events(struct run *run, int first);

/* ends.c: terminal costs and gradients; `event`: the run ended in one. */
enum status run_psi(struct run *run, bool event);

/* trajectory.c: zeros and NANs at first (one of no parameter, NULL: along a direction); a
   point and an event added; the state, the unknowns and their derivatives at a point
   written down; d/dt and d^2/dt^2 of the value columns there ([columns.width] each); all
   but the first `samples` samples dropped. */
struct mp_trajectory *mp_trajectory_new(const struct model *model, int parameters,
                                        const int *parameter, int samples,
                                        mpfr_prec_t precision);
void mp_trajectory_point(struct mp_trajectory *trajectory, struct mp_point *point);
void mp_trajectory_record(const struct mp_trajectory *trajectory,
                          const struct taylor *taylor, struct mp_point *point);
struct mp_event *mp_trajectory_event(struct mp_trajectory *trajectory, int *room);
void mp_trajectory_drop_event(struct mp_trajectory *trajectory);
void mp_trajectory_rates(const struct mp_trajectory *trajectory,
                         const struct taylor *taylor, mpfr_ptr out, mpfr_ptr second);
void mp_trajectory_cut(struct mp_trajectory *trajectory, int samples);

#endif
