/*
 * hybrid.h - the inside of run_once(): one workspace for the common event core.
 *
 *   run.c                  request -> start -> arcs -> result
 *   workspace.c            workspace of the runs of a request
 *   drive.c                event loop: from the start to the end, through all events
 *   step.c                 one step, ended by the first event on it
 *   guards.c               unknowns and guards at a state
 *   guard_exclusion.c      guard exclusion by cubic Hermite bounds
 *   guard_roots.c          root isolation of all guards along a step
 *   event_location.c       event location by Newton's method on the step length
 *   guard_series.c         Taylor series of the motion and its guards at a point
 *   guard_sides.c          side of a guard at the start of an arc, by deflation
 *   simultaneous_events.c  events at one instant, in every order in which they may come
 *   simultaneous_orders.c  comparison of these orders
 *   guard_conditions.c               conditions that choose the event of a guard
 *   accuracy.c             error bounds of each component of the state at an event
 *   differentiability.c    differentiability checks after an event
 *   event.c                one event: both sides, reset, mode change, sensitivity jump
 *   trajectory.c           points, samples, events
 *   history.c              the course of a run, to be gone through backwards
 *   terminal_cost.c        costs at the end
 *   gate_double.c          the gate of numbers that leave a run
 *   zeno.c                 accumulation of events
 *   error_growth.c               growth of errors: chaos
 *   rank_monitor.c         distance of the constraints from being dependent
 *   singular_stepping.c    steps across a singular configuration
 *   domain_edges.c                branch cuts, poles and ends of domains
 *   stiff.c                switch to an implicit method where equations are stiff
 *   faults.c               fault injection, on request
 */
#ifndef SALTUS_HYBRID_H
#define SALTUS_HYBRID_H

#include "accumulation.h"
#include "base/arena.h"
#include "base/tolerances.h"
#include "equations/system.h"
#include "events/bernstein_roots.h"
#include "events/guard_conditions.h"
#include "events/domain_edges.h"
#include "events/faults.h"
#include "events/gate_double.h"
#include "events/guard_conditions.h"
#include "events/history.h"
#include "events/jump.h"
#include "events/jump_services.h"
#include "events/reset.h"
#include "events/simultaneous_orders.h"
#include "events/singular_stepping.h"
#include "events/terminal_cost.h"
#include "initial/start.h"
#include "integrators/control.h"
#include "monitors/unseen.h"
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
    double end, end_rate;       /* r, rd at the end of the step tried last; guard_roots.c
                                   sets r at the end of a piece, end_rate is set by
                                   guard_exclusion.c alone */
    struct shape shape;         /* cubic through these values and rates */
    double room;                /* admissible distance of the guard from the cubic; set by
                                   guard_exclusion.c */
    double low, high;           /* least and largest sample on a piece; set by
                                   guard_roots.c */
    double largest;             /* largest |r| on the step looked through last */
    double scale;               /* largest |r| on the arc, up to the root */
    int fires;                  /* copy of guards.fires, for the other orders of an
                                   instant; set by simultaneous_events.c */
    int power;                  /* multiplicity of the root at which the next step begins,
                                   theta^power is divided out; 0: no root there */
    double leading;             /* coefficient of the root if power > 0:
                                   r ~ leading (t - t_start)^power */
    bool doubtful;              /* |r| is less than errors of the run may leave of zero,
                                   but more than rounding does; set by guard_sides.c */
};

/* Guards of the current mode [events of the model]. */
struct guards {
    struct watch *watch;        /* the guards, then the other rows of step_monitors.h */
    int *fires;                 /* sign of rd of a guard that fires now; 0: it does not */
    double *root;               /* theta of the first root on a step; NAN: none */
    int sure;                   /* guard that certainly crosses on the step, set by
                                   guard_exclusion.c; -1: roots have to be isolated */
    double scale;               /* R of the guard that fired last (condition.h) */
    struct bernstein bernstein;
    double *value;              /* [..][BERNSTEIN_POINTS + BERNSTEIN_CHECKS] guards on a
                                   piece */
    double *r;                  /* scratch: guards at a point, or rows of step_monitors.h
                                   at two points */
    double *size;               /* [2n + ns] scratch: the larger state at the ends of a
                                   step */
    double *expansion;          /* [..][HYBRID_ORDER + 1] scratch: hybrid_guard_series at
                                   a point */
    double *disturbed;          /* [..][HYBRID_ORDER + 1] scratch: the series beside that
                                   point */
    struct guard_series {
        struct series *guard;   /* work of guard_series.c, made at first use */
        bool set;               /* the parameters of this run are loaded */
    } *series;                  /* [modes] */
};

/* --- events ------------------------------------------------------------------------- */

/* Both sides of an event: values and sensitivities, as a jump rule sees them. */
struct sides {
    double *a, *lambda, *f_s, *g;                   /* [n] [m] [ns] [nz] before */
    double *a_plus, *lambda_plus, *f_s_plus, *g_plus;   /* [n] [m] [ns] [nz] after */
    double *a_dot, *lambda_dot;                     /* [n] [m] u' before */
    double *A, *Lambda, *A_plus, *Lambda_plus;      /* [p][n], [p][m] */
    double *after;                                  /* [dim] the state after the event */
    double *w;                                      /* reset solution */
    double *tau;                                    /* [p] dt_e/drho */
    double *along;                                  /* [3n + ns + m + w] for rules */
    double *held[2];                                /* [2m * (1 + p)] scratch of
                                                       differentiability.c */
    double *moving;                                 /* [7n + 3m + 3ns + 1] scratch of
                                                       differentiability.c */
};

/* Stiffness detection; see stiff.c. */
struct stiff {
    bool allowed;                   /* an implicit method and equations for it exist */
    long signs, calm;               /* number of stiff steps, and of other steps in a row
                                       since the last stiff one */
    const struct integrator *integrator;    /* the explicit integrator while the implicit
                                               one goes on; else NULL */
    void *method;                   /* work of `integrator` */
};

/* The events at one instant; see simultaneous_events.c. */
enum { MOST_TIED = 4 };
struct simultaneous {
    int first;                      /* index of the instant's first event in the
                                       trajectory */
    struct mode_system *before;     /* mode before all events */
    double *x;                      /* [dim] state before all events */
    struct watch *watch;            /* [model->events] guards before all events */
    int ties;                       /* number of entries in `tied` */
    struct tied {
        const struct event *event;
        int sign;                   /* direction in which its guard is crossed */
        bool fired;                 /* it has fired in the order that is being tried */
    } tied[MOST_TIED];              /* events that fire together with another */
    bool grown;                     /* a tie has been found that was not known */
    bool counted;                   /* core->accumulation has this instant */
    int *rank;                      /* [model->events] the event of least rank goes
                                       first */
    int *gone;                      /* [model->events] sign of the rate with which the
                                       motion has crossed the guard at this instant, times
                                       GOES_ON if it may go on from there; 0: it has not,
                                       or did so in a mode that has been left since */
    bool *far;                      /* [model->events] the guard was on its far side
                                       before the last event of this instant */
};
enum { GOES_ON = 2 };

/* --- steps -------------------------------------------------------------------------- */

/* The course of a run (drive.c). */
struct course {
    int next;                   /* sample ahead; request->samples: the end of the run */
    double stop;                /* s; time up to which steps go */
    int stops, behind;          /* number of stops of the model and the request; number of
                                   those that the run has behind it */
    double *stop_at;            /* [stops] s; increasing */
    bool halfway;               /* `stop` is one of these, not the sample ahead */
    bool beyond;                /* `stop` lies just after the sample: an event is near */
    double passed;              /* s; start of the last step if the step went past the
                                   next sample; else INFINITY */
    enum status status;         /* status of the run */
};

/* The step that is tried, and the last one (step.c). Rates lie right behind their states,
   which step_monitors.h relies on. */
struct step {
    double h;                   /* s; length of the step that is to be tried */
    double proposed;            /* s; length before the step was made to fit */
    double retry_length;        /* s; length of the accepted step being retaken up to
                                   about an event; 0: no step is retaken */
    int retry_guard;            /* guard whose root the retaken step ends near */
    bool placed;                /* across a singular configuration */
    bool fresh;                 /* the step neither continues nor repeats the integrator's
                                   last one: it starts from core->x and core->dx */
    enum status cause;          /* status of the last try of the step; OK: none failed */
    double *x_new, *dx_new;     /* [dim] end of the step */
    double *trial, *trial_dx;   /* [dim] a point on the step */
    double *err[2];             /* [dim] error vectors of the step */
    bool looked;                /* the monitors of the mode are evaluated at x_new */
    bool ended;                 /* core->x is where the last step of the integrator
                                   ended */
    double *left_with;          /* [modes] s; `proposed` when the mode was last left by an
                                   event; 0: it never was */
};

/* Error bounds of the state at events (accuracy.c). */
struct accuracy {
    double *size;               /* [2n + ns] largest magnitude on this arc */
    double *slip;               /* [dim] error estimate of the last step with an event; 0
                                   before */
    double *beside;             /* [2n + ns] a state as far beside core->x as that may be
                                   off */
};

/* Growth of errors (error_growth.c). */
struct growth {
    double *early;              /* [2n + ns] ratio divided out of each group, from the
                                   first note */
    bool noted;                 /* `early` has been set */
    double beyond;              /* effect with which the ratio came beyond all digits; 0:
                                   it is not */
};

/* --- one run ------------------------------------------------------------------------ */

struct hybrid {
    const struct run_request *request;
    unsigned faults;                /* set of enum run_fault (faults.h); 0: none */
    double *snapshot;               /* [dim - state] columns kept by faults.c */
    const struct model *model;
    struct system *system;
    const struct jump_rule *rule;
    struct trajectory *out;
    struct history *history;        /* NULL: the course of the run is not kept */
    struct diagnosis *diagnosis;
    struct span span;
    long max_steps, max_events;     /* limits of a run */
    struct arena arena;             /* arrays that each run begins with at zero */
    struct arena kept;              /* all other arrays */

    double t, *x, *dx;              /* s, [dim], [dim]; point of the run; dx lies right
                                       behind x */
    double arc_began;               /* s; start of the arc */
    bool finished;                  /* a terminal event has been reached */
    struct course course;

    const struct integrator *integrator;
    void *method;                   /* work of `integrator`; shared by all runs of a
                                       runner if the method can be restarted */
    struct ode ode;
    struct control control;
    struct stiff stiff;
    struct step step;
    struct unseen unseen;
    int *group;                     /* first component of each group, as model_groups has
                                       them, for `control` and error_growth.c */
    int subsystems;                 /* number of groups of q, and of v */
    bool closed;                    /* the run is a part of an orbit: how errors grow is
                                       told by its equations (orbits/segment.c) */

    struct guards guard;
    struct edge_watch edges;
    struct accuracy accuracy;
    struct growth growth;
    struct singular_crossing singular;

    struct reset *reset;            /* [model->events] */
    struct guard_conditions conditions;
    struct sides sides;
    struct simultaneous simultaneous;
    struct accumulation accumulation;   /* event times, for zeno.c */
    struct terminal_cost *terminal_cost;
};

/* The resolution of time, s: times closer than this cannot be told apart at core->t. */
double time_resolution(const struct hybrid *core);

/* --- guards.c ----------------------------------------------------------------------- */

/* Solves for the unknowns of the current mode at a state x [2n + ns] and time t, into
   system->a, lambda; each status of system_solve. */
enum status hybrid_solve(struct hybrid *core, double t, const double *x);
/* Evaluates the guards of the current mode into core->guard.r. Guards that use the
   unknowns take those solved for last. */
void hybrid_guards(struct hybrid *core, double t, const double *x);

/* --- guard_exclusion.c -------------------------------------------------------------- */

/* Is the accepted step h certainly clear of guard roots? The function is called before
   root isolation; core->guard.sure names a guard that certainly crosses. Sets
   core->edges.clear, too. */
bool hybrid_clear(struct hybrid *core, double h);

/* --- run.c -------------------------------------------------------------------------- */

/* The first part of runner_run: on OK core is as hybrid_begin leaves it (drive.c).
   `value` [model->p], or NULL, and `sample`, or NULL, replace those of the request. Each
   status of a run can be returned. runner_end is called in any case. */
enum status runner_begin(struct runner *runner, const double *value, const double *sample,
                         struct hybrid *core, struct diagnosis *diagnosis);
/* Releases the objects that belong to one run alone. */
void runner_end(struct hybrid *core);
/* Sets the state and its columns, x [system->dim], and the span where a run starts, as
   runner_begin does before it looks at anything; statuses of start_state. The span has
   the arrays of the runner. */
enum status runner_start(struct runner *runner, const double *value, double *x,
                         struct span *span, struct diagnosis *diagnosis);
/* Second derivatives by the parameters j and k of the run at its start, after
   runner_start (start.h). */
enum status runner_start_second(struct runner *runner, const struct span *span,
                                const double *x, int j, int k, double *Y,
                                double *d2t_end);
/* Runs from now on keep their course in `history`, which outlives the runner; NULL:
   none. */
void runner_keep_history(struct runner *runner, struct history *history);
struct system *runner_system(const struct runner *runner);
enum code_use runner_code(const struct run_request *request);

/* --- drive.c ------------------------------------------------------------------------ */

/*
 * The event loop from core->x at the start to the end, into core->out:
 *
 *     hybrid_begin(core);
 *     while (hybrid_wants_step(core)) {
 *         struct tried tried = hybrid_try(core);       or in a lane (batch.c)
 *         hybrid_stepped(core, &tried);
 *     }
 *     status = hybrid_end(core);
 */
struct tried {
    enum status status; /* of the right-hand side */
    double error;       /* control_error if the status is OK */
};

void hybrid_begin(struct hybrid *core);
/* Asks for the step core->step.h, from core->x, core->dx at core->t to core->step.x_new,
   core->step.dx_new. False is returned when the run is at its end, or refused. */
bool hybrid_wants_step(struct hybrid *core);
/* Takes the step that was tried, and handles events and samples up to the next step. */
void hybrid_stepped(struct hybrid *core, const struct tried *tried);
/* Takes steps without events up to core->t (batch_accept.c) that moved the constraints:
   core->x holds q, and the monitors are evaluated there. */
void hybrid_moved(struct hybrid *core);
/* Evaluates the costs at the end; returns the status of the run. */
enum status hybrid_end(struct hybrid *core);
/* The rest of the run, after hybrid_begin; returns its status. */
enum status hybrid_run(struct hybrid *core);

/* --- stiff.c ------------------------------------------------------------------------ */

/* Notes whether the step accepted last shows stiffness. */
void stiff_note(struct hybrid *core);
/* Does a step of |h lambda| = stiffness show that stability limits it? */
bool stiff_shows(const struct integrator *integrator, double stiffness);
/* Notes a number of steps that show no stiffness. */
void stiff_note_calm(struct hybrid *core, long steps);
/* Switches to the implicit method before the next step if stiffness is sure. */
void stiff_choose(struct hybrid *core);
/* Returns to the explicit method: an arc begins, or the run is over. */
void stiff_restart(struct hybrid *core);

/* --- guard_roots.c ------------------------------------------------------------------ */

/* Isolates roots of all guards on the part (0, part] of the accepted step h: *first is
   the guard of the current mode that crosses first, -1 if none does; core->guard.root has
   rough places of its root and of roots soon after; watch->end has the values at the end
   of the step if no guard crosses. GRAZING; NOT_FINITE; NO_CONVERGENCE when a guard
   cannot be resolved; what the equations are refused for. */
enum status hybrid_guard_roots(struct hybrid *core, double h, double part, int *first);
/* Rounding of guard k inside the step tried, relative to the states at the ends of the
   step: the guard may be smaller on all of the step. The rows of the guard are loaded. */
double hybrid_guard_noise(const struct hybrid *core, int k);

/* --- guard_series.c ----------------------------------------------------------------- */

/* Taylor coefficients 0 .. order (at most HYBRID_ORDER) of every guard of the current
   mode along the motion from x at core->t: c [guards][HYBRID_ORDER + 1]. OK, or what
   solving for unknowns is refused for. */
enum { HYBRID_ORDER = 6 };
enum status hybrid_guard_series(struct hybrid *core, const double *x, int order,
                                double *c);
void guard_series_init(struct hybrid *core);
/* Marks the series of all modes: the values of the parameters have changed. */
void guard_series_set(struct hybrid *core);
void guard_series_clear(struct hybrid *core);

/* --- step.c ------------------------------------------------------------------------- */

/* A guard's root on the last step; step.trial has the state there. */
struct hit {
    int guard;          /* of the current mode; -1: none */
    double t;
    double rate;        /* rd */
};
/* The result of a try. */
enum step_end {
    STEP_AGAIN,         /* another step is to be proposed from the same start */
    STEP_TAKEN,         /* the step is accepted as a whole */
    STEP_FIRES          /* the step ends at an event, core->guard.fires */
};

/* The number of steps that may still be tried. */
long hybrid_steps_left(const struct hybrid *core);
/* Sets core->step.h, a step from core->t, not beyond core->course.stop, unless the step
   is placed (singular_stepping.c) in a mode without guards. STEP_TOO_SMALL, or the reason
   why no longer step could be made; TOO_MANY_STEPS. */
enum status hybrid_propose(struct hybrid *core);
/* A step h of the integrator alone from core->x, core->dx at core->t to x, dx [dim], with
   step.err: neither accepted nor projected. Each status of the right-hand side. */
enum status hybrid_step_to(struct hybrid *core, double h, double *x, double *dx);
/* The shortest step: one from core->t that is not longer cannot be told from none. */
double hybrid_shortest_step(const struct hybrid *core);
/* Makes the step core->step.h, with its error. */
struct tried hybrid_try(struct hybrid *core);
/* Accepts the step, or not; if guards fire on the step, it ends there. OK, or what the
   guards, the edges or the constraints on the step are refused for. */
enum status hybrid_conclude(struct hybrid *core, const struct tried *tried,
                            enum step_end *end);
/* Notes the rank of the constraints at core->x; RANK_LOSS when a singular configuration
   is met. */
enum status hybrid_note_ahead(struct hybrid *core);
/* The refusal `status` of hybrid_propose: PRECISION, if steps of index 3 became too short
   by rounding of the constraints; else `status`. */
enum status hybrid_rounding_refusal(struct hybrid *core, enum status status);

/* --- event_location.c --------------------------------------------------------------- */

/* Is the first event of this guard on the step h to be located on the dense output? If
   so, the dense output is prepared. A refusal of its preparation is ignored: the answer
   is no. */
bool hybrid_extends(struct hybrid *core, double h, int guard);
/* Locates the first event on the step h, whose guard by root isolation is hit->guard, and
   leaves the state there in core->step.trial. With `extend` the root is on the dense
   output; else a step to core->guard.root of that guard has been made to
   core->step.trial. GRAZING; NO_CONVERGENCE; what the equations are refused for. */
enum status hybrid_locate(struct hybrid *core, double h, bool extend, struct hit *hit);
/* Sets core->guard.fires: the guard of `hit`, and others within the resolution of
   time. */
void hybrid_note_fires(struct hybrid *core, double h, const struct hit *hit);
/* *guard is a guard about to fire at a time that cannot be told from core->t, -1 if there
   is none. Each status of solving for unknowns. */
enum status hybrid_imminent(struct hybrid *core, int *guard);
/* rd of a guard at the point x where the mode was last solved and its guards loaded. */
double hybrid_guard_rate(struct hybrid *core, int guard, const double *x);

/* --- guard_sides.c ------------------------------------------------------------------ */

/* Determines the sides of all guards when an arc starts at core->x, after the start or a
   reset. `fired` is the event that led here, or the one that did not happen since its
   conditions do not hold; NULL at the start. Sets core->guard.fires.
   GUARD_VIOLATED, SLIDING, EVENT_AT_END; GRAZING when a guard that fires has no rate;
   PRECISION when the run is not accurate enough to tell whether one fires. */
enum status hybrid_guard_side(struct hybrid *core, const struct event *fired);

/* --- accuracy.c --------------------------------------------------------------------- */

/* The relative error of a run, against the largest magnitude of a component on the arc;
   the error grows beyond the tolerance of a step. */
double run_accuracy(const struct hybrid *core);
/* Starts the sizes of an arc at core->x. */
void accuracy_begin(struct hybrid *core);
/* Raises the sizes at the end of an arc, core->x with the rates core->dx. */
void accuracy_note_size(struct hybrid *core);
/* Notes core->step.err as the error of a step that has an event on it. */
void accuracy_note_step(struct hybrid *core);
/* Sets accuracy.beside [2n + ns], a state as far beside core->x as core->x may be off. */
void state_beside(struct hybrid *core, bool start);
/* How far component i of (q, v, s) in core->x may be off; `start`: before any step. */
double component_accuracy(const struct hybrid *core, int i, bool start);
/* How far component i of x, a derivative in a group whose largest is `most`, may be off
   whatever its own size is. */
double derivative_accuracy(const struct hybrid *core, int i, double most);

/* --- simultaneous_events.c ---------------------------------------------------------- */

void simultaneous_init(struct hybrid *core);
/* Makes the events of the guards in core->guard.fires, and those that they set off at
   once, up to the start of the next arc, or the end. SIMULTANEOUS where their order
   matters; CHAIN_TOO_LONG; what an event may be refused for. */
enum status simultaneous_events(struct hybrid *core);
/* The tie that has the guard of this event, or NULL. */
const struct tied *simultaneous_tied(const struct hybrid *core,
                                     const struct event *event);

/* --- guard_conditions.c ------------------------------------------------------------- */

/* Replaces *guard by the event that happens, of those that share the guard and fire with
   it; -1 stands for none. CONDITION_EDGE; what solving for unknowns is refused for. The
   unknowns are afterwards not those at core->x. */
enum status guard_conditions_take(struct hybrid *core, int *guard);

/* --- differentiability.c ------------------------------------------------------------ */

/* Checks the guards at the start of the arc after the last event: a guard that is zero
   there must be zero for neighbouring parameters too. Otherwise the order of events, and
   with it the motion, is different on each side: SIMULTANEOUS, or PRECISION if zero is in
   doubt. Tied events are exempt, for all of their orders are tried. So a chained event
   must happen at the time of the first: its own tau is then equal to the first one's. */
enum status differentiable_guards(struct hybrid *core);
/* Checks redundant rows of the reset, which follow from the others where constraints are
   redundant, at the solution (j = -1): INCONSISTENT; and for neighbouring values of
   parameter j of the run, at the column solved last: INADMISSIBLE. */
enum status differentiable_reset(struct hybrid *core, const struct event *event, int j);
/* Checks that on the exact motion the constraints of the mode entered hold after the
   reset, identically in every parameter: INCONSISTENT; INADMISSIBLE where no reset could
   make them hold. The state after the event is in core->sides. */
enum status differentiable_constraints(struct hybrid *core, const struct event *event);

/* --- event.c ------------------------------------------------------------------------ */

/* Makes the event of guard `hit->guard` at the state core->x, time core->t: records it
   and leaves the state after it in core->x, the new mode in system->now. `chained`:
   another event was at this instant before. GRAZING when its condition leaves no digit of
   dt_e/drho; what the reset, the edges and the differentiability checks refuse. */
enum status hybrid_event(struct hybrid *core, const struct hit *hit, bool chained);
/* The two sides of an event at core->x, core->t, one after the other, in core->sides:
   u-, s', z', and the rates of the unknowns where they are taken; then the reset, and u+,
   s', z' in the mode entered. */
enum status hybrid_side_before(struct hybrid *core, const struct event *event);
enum status hybrid_side_after(struct hybrid *core, const struct event *event);
/* Do guard, its rate or the reset of the event depend on unknowns before it? */
bool hybrid_takes_unknowns(const struct hybrid *core, const struct event *event);
/* The guard of an event among those of the mode that it leaves. */
int hybrid_guard_of(const struct mode_system *ms, const struct event *event);
/* Makes an event as a jump rule sees it, of the sides in core->sides and rate rd. `work`
   and `jump` stay valid while these do. */
void hybrid_view_jump(struct hybrid *core, const struct event *event, double rate,
                      struct jump_work *work, struct jump *jump);
/* Applies the rule of the jump to every column of core->x, into core->sides.after; tau
   [p]. Statuses of the rule and of the differentiability checks. */
enum status hybrid_jump_columns(struct hybrid *core, const struct jump *jump,
                                double *tau);
/* R of guard k, whose rows are loaded (condition.h). */
double hybrid_guard_scale(const struct hybrid *core, int k);
void event_allocate(struct hybrid *core);
void event_release(struct hybrid *core);

/* --- zeno.c ------------------------------------------------------------------------- */

/* Notes an event at core->t, for which hybrid_event returned `status`; ZENO when events
   accumulate before the end of the run, and the intervals between them have become too
   short to go on or the event is refused as GRAZING; else `status`. */
enum status zeno_note(struct hybrid *core, const struct event *event, enum status status);
/* The refusal at the event limit: ZENO if events accumulate, else TOO_MANY_EVENTS. */
enum status zeno_limit(struct hybrid *core);

/* --- constraint_drift.c ------------------------------------------------------------- */

/* Puts before the reason of a refusal that a constraint has drifted along the arc, where
   it has; the status stays. */
enum status constraint_drift_refusal(struct hybrid *core, enum status status);

/* --- error_growth.c ----------------------------------------------------------------- */

/* Notes the growth of errors up to now in core->out. NO_DIGITS where none is left. */
enum status error_growth_note(struct hybrid *core);
/* Is growth to be noted now, though there has been no sample and no event? */
bool error_growth_is_due(const struct hybrid *core);

/* --- trajectory.c ------------------------------------------------------------------- */

/* Fills column j of a point whose mode is known: the values (j = -1), or the derivatives
   by parameter j, from a column of x and a [n], lambda [m]; a and lambda are not read if
   the request is without unknowns. */
void point_column(const struct hybrid *core, int j, const double *X, const double *a,
                  const double *lambda, struct run_point *point);
/* Fills a point from the state x at t in the current mode, solving for the unknowns
   there; what that is refused for. */
enum status point_fill(struct hybrid *core, double t, const double *x,
                       struct run_point *point);
/* Appends the current state as a sample; what solving for unknowns is refused for. */
enum status trajectory_sample(struct hybrid *core);
/* Appends the state at t on the last step as a sample, by the dense output. */
enum status trajectory_sample_on_step(struct hybrid *core, double t);
/* Appends the side before the last event (or chain of events) as a sample. */
void trajectory_sample_before(struct hybrid *core);
/* Drops the last event. */
void trajectory_drop_event(struct hybrid *core);
/* Replaces modes and events of the runner's branch by those of the model, when a run
   ends. */
void trajectory_settle(struct trajectory *trajectory, const struct model *model);
/* Appends an empty record of simultaneous events at core->t. */
struct together *trajectory_together(struct hybrid *core);

#endif
