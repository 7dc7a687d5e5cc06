/*
 * hybrid.h - the inside of run_once(): one workspace for the common event core.
 *
 *   run.c                  request -> start -> arcs -> result
 *   workspace.c            the work space of its runs
 *   drive.c                from the start to the end, through events and sample times
 *   step.c                 one step, ended by the first event on it
 *   guards.c               unknowns and guards at a state
 *   guard_exclusion.c      is a step clear of all guards, seen at little cost?
 *   guard_roots.c          roots of all guards along a step, and whether to trust them
 *   event_location.c       the first of them by Newton on the step length
 *   guard_series.c         Taylor series of the motion and its guards at a point
 *   guard_sides.c          the side of a guard at the start of an arc, by deflation
 *   simultaneous_events.c  events at one instant, in every order in which they may come
 *   simultaneous_orders.c  what these orders lead to
 *   choice.c               which event of a guard happens
 *   accuracy.c             how well each component of the state is known at an event
 *   differentiability.c    does what holds after an event hold for its neighbours?
 *   event.c                both sides, reset, mode change, sensitivity jump
 *   trajectory.c           points, samples, events
 *   terminal_cost.c        costs at the end
 *   zeno.c                 accumulation of events
 *   growth.c               growth of errors: chaos
 *   rank_monitor.c         how far the constraints are from being dependent
 *   singular_stepping.c    steps across a singular configuration
 *   edges.c                branch cuts, poles and ends of domains
 *   stiff.c                goes on with an implicit method where equations are stiff
 *   faults.c               what goes wrong elsewhere, on request
 */
#ifndef SALTUS_HYBRID_H
#define SALTUS_HYBRID_H

#include "accumulation.h"
#include "base/arena.h"
#include "base/tolerances.h"
#include "equations/system.h"
#include "events/bernstein_roots.h"
#include "events/choice.h"
#include "events/edges.h"
#include "events/faults.h"
#include "events/jump.h"
#include "events/jump_services.h"
#include "events/reset.h"
#include "events/simultaneous_orders.h"
#include "events/singular_stepping.h"
#include "events/terminal_cost.h"
#include "initial/start.h"
#include "integrators/control.h"
#include "run.h"

/* --- guards along an arc ------------------------------------------------------------ */

/* The cubic polynomial of a guard on a step, in the Bernstein basis; `from_root`: theta
   has been divided out (exclusion_kernel.h). */
struct shape {
    double b[4];
    bool from_root;
};

/* One guard of the current mode, along an arc. */
struct watch {
    double value, rate;         /* r, rd where the next step begins */
    double end, end_rate;       /* r, rd where the step ends that was tried last, or r at
                                   the end of a piece of it (guard_roots.c); end_rate by
                                   guard_exclusion.c alone */
    struct shape shape;         /* of these, and */
    double room;                /* how far the guard may be from it (guard_exclusion.c) */
    double low, high;           /* least and largest sample on a piece (guard_roots.c) */
    double largest;             /* largest |r| on the step looked through last */
    double scale;               /* largest |r| on the arc, up to the root */
    int fires;                  /* copy of struct guards, for the other orders of an
                                   instant (simultaneous_events.c) */
    int power;                  /* multiplicity of the root at which the next step begins,
                                   by which theta is divided out; 0: no root there */
    double leading;             /* with power > 0: r ~ leading (t - t_start)^power */
    bool doubtful;              /* |r| is less than errors of the run may leave of zero,
                                   but more than rounding does */
};

/* Guards of the current mode [events of the model]. */
struct guards {
    struct watch *watch;        /* after the guards come the other rows of
                                   step_monitors.h */
    int *fires;                 /* the sign of rd of a guard that fires now; 0: it does
                                   not */
    double *root;               /* theta of the first root on a step; NAN: none */
    int sure;                   /* the guard that crosses on the step beyond doubt; -1:
                                   guard_roots.c has to look */
    double scale;               /* R of the guard that fired last (condition.h) */
    struct bernstein bernstein;
    double *value;              /* [..][BERNSTEIN_POINTS + BERNSTEIN_CHECKS] on a piece */
    double *r;                  /* scratch: guards at a point; rows of step_monitors.h at
                                   two */
    double *size;               /* [2n + ns] scratch: the larger state at the ends of a
                                   step */
    double *expansion;          /* [..][HYBRID_ORDER + 1] scratch: hybrid_guard_series at
                                   a point, */
    double *disturbed;          /* and beside that point */
    struct guard_series {
        struct series *guard;
        bool set;               /* to the parameters of this run */
    } *series;                  /* [modes] work of guard_series.c, made when used first */
};

/* --- events ------------------------------------------------------------------------- */

/* Sensitivities on both sides of an event, and the values a rule is shown. */
struct sides {
    double *a, *lambda, *f_s, *g;                   /* before */
    double *a_plus, *lambda_plus, *f_s_plus, *g_plus;
    double *a_dot, *lambda_dot;
    double *A, *Lambda, *A_plus, *Lambda_plus;      /* [p][n], [p][m] */
    double *after;                                  /* [dim] the state after the event */
    double *w;                                      /* reset solution */
    double *tau;                                    /* [p] */
    double *along;                                  /* [3n + ns + m + w] for rules */
    double *held[2];                                /* [2m * (1 + p)] of
                                                       differentiability.c, */
    double *moving;                                 /* [7n + 3m + 3ns + 1] too */
};

/* Whether the equations are stiff, see stiff.c. */
struct stiff {
    bool allowed;                   /* there is a method that could go on, and equations
                                       for it */
    long signs, calm;               /* steps that show it; that do not, one after the
                                       other */
    const struct integrator *integrator;    /* explicit, and its method, while the
                                               implicit one goes on; else NULL */
    void *method;
};

/* The events at one instant, see simultaneous_events.c. */
enum { MOST_TIED = 4 };
struct simultaneous {
    int first;                      /* its first event in the trajectory */
    struct mode_system *before;
    double *x;                      /* [dim] the state before all of them */
    struct watch *watch;            /* [model->events] */
    int ties;
    struct tied {
        const struct event *event;
        int sign;                   /* in which direction its guard is crossed */
        bool fired;                 /* in the order that is being run through */
    } tied[MOST_TIED];              /* that fire together with another */
    bool grown;                     /* a tie has been found that was not known */
    bool counted;                   /* in core->accumulation */
    int *rank;                      /* [model->events] the least is first */
    int *gone;                      /* [model->events] its guard has been gone through at
                                       this instant: the sign of its rate, times GOES_ON
                                       if the motion may go on from there; 0: it has not,
                                       or in a mode that has been left since */
    bool *far;                      /* [model->events] before the last event of this
                                       instant the guard was on its far side */
};
enum { GOES_ON = 2 };

/* --- steps -------------------------------------------------------------------------- */

/* Where a run is going (drive.c). */
struct course {
    int next;                   /* the sample it goes to; request->samples: to the end */
    double stop;                /* s; the steps go up to there */
    bool beyond;                /* that is just after the sample: an event is imminent */
    double passed;              /* s; where the last step began, if it went past the next
                                   sample; INFINITY: it did not */
    enum status status;         /* of the run */
};

/* The step that is tried, and the last one (step.c). Rates lie right behind their states,
   as step_monitors.h wants them. */
struct step {
    double h;                   /* s; of the step that is to be tried */
    double proposed;            /* s; before it was made to fit */
    double retry_length;        /* s; of the accepted step that is retaken up to about
                                   where an event is; 0: no step is retaken */
    int retry_guard;            /* guard whose root the retaken step ends near */
    bool fresh;                 /* it begins neither where the last one ended nor, tried
                                   again, where that began: who makes it starts from
                                   core->x and core->dx */
    enum status cause;          /* why it could not be made when it was tried before */
    double *x_new, *dx_new;     /* [dim] where it ends */
    double *trial, *trial_dx;   /* [dim] a point on it */
    double *err[2];             /* [dim] its error vectors */
    bool looked;                /* the monitors of the mode are those at x_new */
    bool ended;                 /* core->x is where the last step of the integrator
                                   ended */
    double *left_with;          /* [modes] s; `proposed` when a mode was last left by an
                                   event; 0: it never was */
};

/* How well the state is known at events (accuracy.c). */
struct accuracy {
    double *size;               /* [2n + ns] largest magnitude on this arc */
    double *slip;               /* [dim] errors of the step with the last event; or 0 */
    double *beside;             /* [2n + ns] a state as far beside core->x */
};

/* Growth of errors (growth.c). */
struct growth {
    double *early;              /* [2n + ns] where it was noted first, */
    bool noted;                 /* once it has been */
};

/* --- one run ------------------------------------------------------------------------ */

struct hybrid {
    const struct run_request *request;
    unsigned faults;                /* set of enum run_fault (faults.h); 0: none */
    double *snapshot;               /* [dim - state] of faults.h */
    const struct model *model;
    struct system *system;
    const struct jump_rule *rule;
    struct trajectory *out;
    struct diagnosis *diagnosis;
    struct span span;
    long max_steps, max_events;
    struct arena arena;             /* of arrays that each run begins with at zero */
    struct arena kept;              /* of all other arrays */

    double t, *x, *dx;              /* s, [dim], [dim]; where the run is; dx right behind
                                       x */
    double arc_began;               /* s */
    bool finished;                  /* a terminal event has been reached */
    struct course course;

    const struct integrator *integrator;
    void *method;                   /* its work; the runner's, if it can be restarted */
    struct ode ode;
    struct control control;
    struct stiff stiff;
    struct step step;
    int *group, subsystems;         /* model_groups(), for `control` and growth.c */

    struct guards guard;
    struct edge_watch edges;
    struct accuracy accuracy;
    struct growth growth;
    struct singular_crossing singular;

    struct reset *reset;            /* [model->events] */
    struct choice choice;
    struct sides sides;
    struct simultaneous simultaneous;
    struct accumulation accumulation;   /* of events, for zeno.c */
    struct terminal_cost *terminal_cost;
};

/* Times closer than this cannot be told apart at t. */
double time_resolution(const struct hybrid *core);

/* --- guards.c ----------------------------------------------------------------------- */

/* Of the current mode at a state x [2n + ns], t: its unknowns, to system->a, lambda, as
   system_solve; */
enum status hybrid_solve(struct hybrid *core, double t, const double *x);
/* and its guards, to core->guard.r. Those that use the unknowns take the last that were
   solved for. */
void hybrid_guards(struct hybrid *core, double t, const double *x);

/* --- guard_exclusion.c -------------------------------------------------------------- */

/* Is the step h that has just been accepted clear of roots of guards beyond doubt? Asked
   before every scan; core->guard.sure tells it what is beyond doubt otherwise. Sets
   core->edges.clear. */
bool hybrid_clear(struct hybrid *core, double h);

/* --- run.c -------------------------------------------------------------------------- */

/* runner_run in parts: where this is OK, core is where hybrid_begin leaves it (drive.c),
   with `sample` for that of the request, unless NULL; runner_end in any case. */
enum status runner_begin(struct runner *runner, const double *value, const double *sample,
                         struct hybrid *core, struct diagnosis *diagnosis);
void runner_end(struct hybrid *core);
struct system *runner_system(const struct runner *runner);
enum code_use runner_code(const struct run_request *request);

/* --- drive.c ------------------------------------------------------------------------ */

/*
 * From core->x at the start to the end, into core->out, by whoever makes the steps:
 *
 *     hybrid_begin(core);
 *     while (hybrid_wants_step(core)) {
 *         struct tried tried = hybrid_try(core);       or made beside those of other runs
 *         hybrid_stepped(core, &tried);
 *     }
 *     status = hybrid_end(core);
 */
struct tried {
    enum status status; /* of the right-hand side */
    double error;       /* control_error, where that is OK */
};

void hybrid_begin(struct hybrid *core);
/* Then the step core->step.h is to be tried: from core->x, core->dx at core->t to
   core->step.x_new, core->step.dx_new. false: the run is at its end, or refused. */
bool hybrid_wants_step(struct hybrid *core);
/* It has been; with everything up to the next step, events and samples. */
void hybrid_stepped(struct hybrid *core, const struct tried *tried);
/* Nothing has happened on steps up to core->t (batch_accept.c), but that the constraints
   have moved: q is in core->x, and what has been looked at there is known. */
void hybrid_moved(struct hybrid *core);
enum status hybrid_end(struct hybrid *core);

/* --- stiff.c ------------------------------------------------------------------------ */

/* What the step shows that has just been accepted. */
void stiff_note(struct hybrid *core);
/* The same of so many steps that show nothing of the kind. */
void stiff_note_calm(struct hybrid *core, long steps);
/* Before the next one: is it sure by now that the implicit method has to go on? */
void stiff_choose(struct hybrid *core);
/* An arc begins, or the run is over: the explicit method is back. */
void stiff_restart(struct hybrid *core);

/* --- guard_roots.c ------------------------------------------------------------------ */

/* *first: the guard of the current mode that crosses first on the part (0, part] of the
   step h that has just been accepted, -1 if none does; core->guard.root: where, roughly,
   it and the guards that cross soon after; watch->end: the values at the end of the step
   if none does. GRAZING; NOT_FINITE; NO_CONVERGENCE when a guard cannot be resolved. */
enum status hybrid_guard_roots(struct hybrid *core, double h, double part, int *first);
/* Rounding of guard k inside the step tried, relative to the states at its ends: the
   guard may be smaller than that on all of it. Its rows are loaded. */
double hybrid_guard_noise(const struct hybrid *core, int k);

/* --- guard_series.c ----------------------------------------------------------------- */

/* Taylor coefficients 0 .. order (at most HYBRID_ORDER) of every guard of the current
   mode along the motion from x at core->t: c [guards][HYBRID_ORDER + 1]. */
enum { HYBRID_ORDER = 6 };
enum status hybrid_guard_series(struct hybrid *core, const double *x, int order,
                                double *c);
void guard_series_init(struct hybrid *core);
/* Other values of the parameters. */
void guard_series_set(struct hybrid *core);
void guard_series_clear(struct hybrid *core);

/* --- step.c ------------------------------------------------------------------------- */

/* A guard's root on the last step: which, when, and the state there in step.trial. */
struct hit {
    int guard;          /* of the current mode; -1: none */
    double t;
    double rate;        /* rd */
};
/* What comes of a try. */
enum step_end {
    STEP_AGAIN,         /* another is to be proposed from where it began */
    STEP_TAKEN,
    STEP_FIRES          /* as far as to guards that fire, core->guard.fires */
};

/* How many may still be tried. */
long hybrid_steps_left(const struct hybrid *core);
/* Sets core->step.h, a step from core->t, not beyond core->course.stop, unless it is
   placed (singular_stepping.c) in a mode without guards. STEP_TOO_SMALL, or why no
   longer one could be made; TOO_MANY_STEPS. */
enum status hybrid_propose(struct hybrid *core);
/* A step h from core->x, core->dx at core->t to x, dx [dim], with step.err; of the
   integrator alone: not accepted, not projected. What the right-hand side refuses. */
enum status hybrid_step_to(struct hybrid *core, double h, double *x, double *dx);
/* A step from core->t that is not longer cannot be told from none. */
double hybrid_shortest_step(const struct hybrid *core);
/* Makes it, with its error. */
struct tried hybrid_try(struct hybrid *core);
/* Accepts it, or not; if guards fire on it, it ends there. */
enum status hybrid_conclude(struct hybrid *core, const struct tried *tried,
                            enum step_end *end);
/* Is a singular configuration met? RANK_LOSS */
enum status hybrid_note_ahead(struct hybrid *core);
/* The refusal `status` of hybrid_propose: PRECISION, if steps of index 3 became too short
   by rounding of the constraints; else `status`. */
enum status hybrid_rounding_refusal(struct hybrid *core, enum status status);

/* --- event_location.c --------------------------------------------------------------- */

/* Is an event on the step h just scanned, the first of this guard, to be sought on the
   extension? Then that is made, if it is not yet. What keeps it from being made is of no
   account here. */
bool hybrid_extends(struct hybrid *core, double h, int guard);
/* The first event on the step h just scanned, whose guard the scan takes to be
   hit->guard: its time, with the state there in core->step.trial; on the extension, or
   from core->step.trial, to which a step to core->guard.root of that guard has been made.
   GRAZING; NO_CONVERGENCE. */
enum status hybrid_locate(struct hybrid *core, double h, bool extend, struct hit *hit);
/* Sets core->guard.fires: that guard, and others within the resolution of time. */
void hybrid_note_fires(struct hybrid *core, double h, const struct hit *hit);
/* A guard about to fire at core->t, with no step between: its time cannot be told from
   core->t. *guard -1: none. */
enum status hybrid_imminent(struct hybrid *core, int *guard);
/* rd of a guard at the point where the mode was last solved and its guards were loaded */
double hybrid_guard_rate(struct hybrid *core, int guard, const double *x);

/* --- guard_sides.c ------------------------------------------------------------------ */

/* Called when an arc starts (after the start or a reset) with the state in core->x.
   `fired` is the event that led here, or that has not happened, its conditions being
   what they are; NULL at the start. Sets core->guard.fires.
   GUARD_VIOLATED, SLIDING, EVENT_AT_END; GRAZING when a guard that fires has no rate;
   PRECISION when the run is not accurate enough to tell whether one fires. */
enum status hybrid_guard_side(struct hybrid *core, const struct event *fired);

/* --- accuracy.c --------------------------------------------------------------------- */

/* Error of a run, relative to the largest magnitude a component has had on the arc: it
   grows beyond the tolerance of a step. */
double run_accuracy(const struct hybrid *core);
/* The arc begins at core->x. */
void accuracy_begin(struct hybrid *core);
/* It ends at core->x, where x' is core->dx. */
void accuracy_note_size(struct hybrid *core);
/* The step that core->step.err belongs to has an event on it. */
void accuracy_note_step(struct hybrid *core);
/* A state [2n + ns] as far beside core->x as that may be off, to accuracy.beside. */
void state_beside(struct hybrid *core, bool start);
/* How far component i of (q, v, s) in core->x may be off; `start`: before any step. */
double component_accuracy(const struct hybrid *core, int i, bool start);
/* How far component i of x, a derivative in a group whose largest is `most`, may be off
   whatever its own size is. */
double derivative_accuracy(const struct hybrid *core, int i, double most);

/* --- simultaneous_events.c ---------------------------------------------------------- */

void simultaneous_init(struct hybrid *core);
/* The events of the guards in core->guard.fires, and those that they set off at once, up
   to the start of the next arc, or the end. SIMULTANEOUS where their order matters;
   CHAIN_TOO_LONG; what an event may be refused for. */
enum status simultaneous_events(struct hybrid *core);
/* The tie that has the guard of this event, or NULL. */
const struct tied *simultaneous_tied(const struct hybrid *core,
                                     const struct event *event);

/* --- choice.c ----------------------------------------------------------------------- */

/* Of the events that share the guard of event *guard of the mode, and fire with it, the
   one that happens, -1: none. CONDITION_EDGE; what solving for unknowns is refused for,
   which are not those at core->x afterwards. */
enum status choice_take(struct hybrid *core, int *guard);

/* --- differentiability.c ------------------------------------------------------------ */

/* At the start of the arc after the last event: a guard that is zero there must be zero
   for neighbouring parameters too, or the order of events, and with it the motion, is
   different on each side: SIMULTANEOUS. (Not of events that are tied: all of their orders
   are tried.) So must a chained event happen at the time of the first: its own tau is
   then the same. */
enum status differentiable_guards(struct hybrid *core);
/* Rows of the reset that follow from the others where constraints are redundant must hold
   at the solution (j = -1): INCONSISTENT; and for neighbouring values of parameter j of
   the run, at the column that has just been solved: INADMISSIBLE. */
enum status differentiable_reset(struct hybrid *core, const struct event *event, int j);
/* On the exact motion the constraints of the mode entered must hold after the reset, and
   identically in every parameter: INCONSISTENT; INADMISSIBLE where no reset could do
   that. The state after is in core->sides. */
enum status differentiable_constraints(struct hybrid *core, const struct event *event);

/* --- event.c ------------------------------------------------------------------------ */

/* The event of guard `hit->guard` at the state core->x, time core->t: records it and
   leaves the state after it in core->x, the new mode in system->now. `chained`: another
   was at this instant before. GRAZING when its condition leaves no digit of dt_e/drho. */
enum status hybrid_event(struct hybrid *core, const struct hit *hit, bool chained);
double hybrid_guard_scale(const struct hybrid *core, int k);
void event_allocate(struct hybrid *core);
void event_release(struct hybrid *core);

/* --- zeno.c ------------------------------------------------------------------------- */

/* Notes an event at core->t, of which hybrid_event says `status`; ZENO when events
   accumulate before the end of the run, and the intervals between them have become too
   short to go on or the event is refused as GRAZING; else `status`. */
enum status zeno_note(struct hybrid *core, const struct event *event, enum status status);
/* The diagnosis when the event limit is reached: ZENO if they accumulate. */
enum status zeno_limit(struct hybrid *core);

/* --- growth.c ----------------------------------------------------------------------- */

/* Notes the growth of errors up to now in core->out. NO_DIGITS where none is left. */
enum status growth_note(struct hybrid *core);
/* Is it time that it is noted, though there has been no sample and no event? */
bool growth_is_due(const struct hybrid *core);

/* --- trajectory.c ------------------------------------------------------------------- */

/* Column j of a point whose mode is known, -1: the values, from a column of x and a [n],
   lambda [m], or their derivatives; which are not read if nobody asks for unknowns. */
void point_column(const struct hybrid *core, int j, const double *X, const double *a,
                  const double *lambda, struct run_point *point);
/* Fills a point from the state x at t in the current mode, solving there. */
enum status point_fill(struct hybrid *core, double t, const double *x,
                       struct run_point *point);
/* Appends the current state as a sample; or the state at t on the last step. */
enum status trajectory_sample(struct hybrid *core);
enum status trajectory_sample_on_step(struct hybrid *core, double t);
/* Appends the side before the last event (or chain of events) as a sample. */
void trajectory_sample_before(struct hybrid *core);
/* Drops the last one. */
void trajectory_drop_event(struct hybrid *core);
/* Modes and events of the runner's branch become those of the model, when a run ends. */
void trajectory_settle(struct trajectory *trajectory, const struct model *model);
struct together *trajectory_together(struct hybrid *core);

#endif
