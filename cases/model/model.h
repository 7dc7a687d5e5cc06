/*
 * model.h - a hybrid mechanism: modes, events, parameters, costs, start.
 *
 * A case writes a model once, as formulas (case.h); model_new() completes it: derivatives
 * of the constraints along the motion, reset residuals, checks. After that it is
 * constant: no function that takes a const struct model writes on it or on its tape, and
 * a word that would add a row to the tape is a slip, which aborts.
 * Whoever derives formulas from a model does so on a branch of it (model_branch).
 *
 * Threads: a completed model may be read, branched and run by any number of threads at
 * the same time. A model that is being recorded, and a branch, belong to one thread.
 * model_new() may be called from several threads at once, each for a model of its own.
 *
 * In one mode
 *
 *     M(t,q,s,rho) a + Phi_q' lambda = F(t,q,v,s,lambda,rho)      Phi(t,q,s,rho) = 0
 *     s' = f_s(t,q,v,s,a,lambda,rho)        z' = g(t,q,v,s,a,lambda,rho)
 *
 * The rate of a state that Phi, or an impulse row Psi, contains depends on (t,q,v,s,rho)
 * only: Phid would contain accelerations else.
 */
#ifndef SALTUS_MODEL_H
#define SALTUS_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "base/api.h"
#include "base/status.h"
#include "formula/formula.h"

SALTUS_API_BEGIN

struct model;
struct edges;           /* monitors of branch cuts, poles and ends of domains; private */
struct recording;       /* how far a case file has been read; private */

/* One mechanism of the catalogue. */
struct case_desc {
    const char *name;       /* "five-bar", as on the command line */
    const char *title;      /* one line */
    const char *source;     /* where the data come from: paper, section */
    const char *declared;   /* what this case decides and the source does not, or NULL */
    const char *classes;    /* event classes, comma separated: "velocity-jump, impact" */
    const char *family;     /* "four-bar": four-bar-N is there for any N; else NULL */
    int size;               /* of a family: how many links, cells, ...; else 0 */
    void (*record)(struct model *model);
    const char *path;       /* of a model file (file/model_file.h); NULL: compiled */
    const char *folder;     /* of a model file: certified values lie beside it */
};

struct parameter {
    char *name, *unit, *meaning;
    formula nominal;        /* constant formula: sqrt(5), 60*pi/180 */
    bool fixed;             /* not differentiated unless asked for by name */
    bool used;              /* some formula depends on it; set by model_new */
    bool unit_assumed;      /* no unit is given: "1", which nobody has said */
};

/* Rows that can be written as model->Phi[i]; model_constraint() appends without limit. */
enum { WRITTEN_ROWS = 64 };

/* A generalised force: F += place_q' force, or F += rate_v' force
   (elements/lagrange.h). */
struct load {
    formula place, force;
    bool rate;              /* `place` is a rate, linear in v */
};

/* Where a matrix of formulas has entries: row i in the columns column[begin[i]] ..
   column[begin[i + 1] - 1], which ascend. Of a large mechanism hardly any are there. */
struct entries {
    int count, room;
    int *begin;             /* [rows + 1] */
    int *column;            /* [count] */
};

struct mode {
    char *name;
    int index;
    int m;                  /* constraint rows */
    int Phi_room;
    formula **M;            /* [n][n] symmetric; F [n]; Phi [m]; f_s [ns]; g [nz] */
    formula *F, *Phi, *f_s, *g;
    bool *velocity_level;   /* [Phi_room] nonholonomic: Phi[i] is linear in v */

    /* Kinetic and potential energy, and forces that have none: model_new adds to M and F
       what follows from them (elements/lagrange.h). Never set: nothing. */
    formula T, V;
    struct load *load;
    int loads, load_room;
    formula power;          /* d/dt of the model's energy, P(t,q,v,s,a,lambda,rho): what
                               forces do that the energy has not. Stated by itself, not
                               from F; unset: nothing, the energy is constant */

    /* completed by model_new */
    formula *Phid;          /* [m] Phi_q v + Phi_t + Phi_s f_s; Phi if velocity_level */
    formula *Phidd;         /* [m] the second derivative along the motion, linear in a */
    formula *Phi_q;         /* [m*n] of positions and of forces, Phi_q' lambda; Phi_v of a
                               row at velocity level */
    formula *Phid_v;        /* [m*n] of velocities and accelerations: d Phid/dv, which is
                               Phi_q + Phi_s f_s,v, and d Phidd/da; the array Phi_q itself
                               where f_s does not make it another */
    struct entries M_entries, Phi_q_entries, Phid_v_entries;
    formula *lambda_force;  /* [n] Phi_q' lambda */
    struct edges *edges;    /* moving ones of M, F, Phi, f_s, g, and of the guards of
                               events that leave the mode */
};

enum direction { FALLING = -1, EITHER = 0, RISING = +1 };

enum velocity_reset {
    VELOCITY_EXPLICIT,      /* v+_i as given, identity where not given */
    VELOCITY_CONSTRAINED,   /* given as given, the others from Phi+_q v+ + Phi+_t = 0;
                               Corner et al. 2019 (80)-(81) */
    VELOCITY_IMPULSIVE      /* M+ v+ - M- v- + Psi_q' J = 0 (M+, M-: mass matrices of the
                               modes after and before: mass that the event adds was at
                               rest), Psid(v+) + E Psid(v-) = 0; Corner et al. 2019
                               (82) */
};

extern const char *const reset_velocity_text[];     /* "explicit", "constrained",
                                                       "impulsive", NULL */

/* An event exactly at the start or at the end of the motion: does it happen? Neighbours
   of the motion have it, or not: unless the model says so, the motion is refused. */
enum at_ends { AT_ENDS_REFUSED, AT_ENDS_SKIPPED, AT_ENDS_HAPPEN };
extern const char *const at_ends_text[];        /* "refuse", "skip", "happen", NULL */

/* What happens to the velocities when an event adds constraints, in a formulation that
   only approaches them: the impulse of the event as declared, or v+ = v- (Corner et al.
   2019, Theorem 8), after which Phid decays at a rate that no penalty factor changes. */
enum reset_policy { RESET_IMPULSIVE, RESET_CONTINUOUS };
extern const char *const reset_policy_text[];   /* "impulsive", "continuous", NULL */

/* A law that holds at an event and that its reset was not written from: momentum before
   and after it, the energy that it takes. Two sides, functions of t, q, v, s, a, lambda,
   rho and q+, v+, s+. */
struct balance {
    char *name;
    formula left, right;
};

struct event {
    char *name;
    int index;
    struct mode *from, *to;
    enum direction direction;
    bool terminal;
    bool crossed;                        /* a start beyond the guard has crossed it in
                                            the motion before (restart.h) */
    formula guard;                       /* r(t,q,v,s,a,lambda,rho) */
    int conditions, condition_room;      /* it happens only where all of them, functions
                                            of the same before it, are positive */
    formula *condition;                  /* [conditions] */
    formula *q_plus, *v_plus, *s_plus;   /* where set; else identity (or see above) */
    enum velocity_reset velocity;
    int impulses;                        /* rows of Psi (position level), diagonal of E */
    formula *Psi, *E;                    /* [impulses] */
    bool *Psi_velocity_level;
    int impulse_room;                    /* of Psi, E and Psi_velocity_level */
    bool joints;                         /* constraints of `to` are impulse rows, E = 0 */
    formula *cost;                       /* [nz] added to z at the event */
    struct balance *balance;
    int balances, balance_room;

    /* completed by model_new */
    bool goes_on;                        /* a motion that is on the guard after the event
                                            may go on to the side to which it came */
    bool timed;                          /* the guard is one on time alone */
    /* J(w; t,q,v,s,a,lambda,rho) = 0 in w = (q+,v+,s+,impulse) */
    int w;                               /* n + n + ns + impulses */
    int rows;                            /* of J: w, or more where constraints of `to`
                                            depend on others (VELOCITY_CONSTRAINED) */
    formula *J;                          /* [rows] */
    struct edges *edges;                 /* moving ones of what the case has given for the
                                            reset and its cost */
    struct edges *condition_edges; /* moving ones of its conditions */
};

/* A line from one point in space to another (a point, if they are one): how a mechanism
   is drawn. */
struct segment {
    formula from[3], to[3];
};

/* A printed number. `quantity` is named as in verify/quantity/results.h: "start.q.th" at
   the start, "q.th" at the end, "psi.reach", "event.1.t", "after.1.v.th" after
   event 1. */
struct published {
    char *quantity, *value;     /* decimal text, every digit that is printed */
    char *source;               /* author, year, page or table */
    char *disputed;             /* NULL: it must hold; else why it is only shown */
};

/* own(t, q, rho) = twin(t, coordinates of the twin, rho) all along the motion. */
struct equality {
    char *name;
    formula own, twin;
};

struct model {
    const struct case_desc *desc;
    struct tape *tape;
    struct names *names;
    int n, ns, p, nz, m;                 /* m: the most constraints any mode has */
    char **coordinate, **auxiliary, **cost;   /* names */
    struct parameter *parameter;         /* [p] */
    int modes, events;
    struct mode **mode;
    struct event **event;
    struct mode *start;                  /* the first declared, unless set */

    /* start and end: constant formulas in rho. q0, v0 set: explicit; the others from
       Phi = 0 (Newton from q_guess, which selects the branch) and Phid = 0. A case with
       start rows Gamma(t,q,v,s,rho) = 0 has all components of (q, v, s) that are not set
       from Phi = 0, Phid = 0 and Gamma = 0 together, near q_guess, v_guess, s_guess:
       Pan, Ding, Wang 2004 (2), (9). */
    formula t0, t_end;
    enum at_ends at_ends;
    formula *q0, *q_guess, *v0, *v_guess, *s0, *s_guess;
    int start_rows, start_row_room;
    formula *Gamma;                      /* [start_rows] */
    int stops, stop_room;
    formula *stop;                       /* [stops] times at which steps end, constant
                                            formulas in rho; they change no motion */
    formula *w;                          /* [nz] terminal cost w(t,q,v,s,rho) */
    struct edges *start_edges;           /* moving ones of Gamma */
    struct edges *end_edges;             /* moving ones of w */
    struct edges *steady_edges;          /* those of all formulas of the model, start and
                                            end included, that depend on parameters only
                                            */
    formula energy;                      /* from the bodies, not from M; where it is set
                                            its rate on every arc of the exact motion is
                                            mode->power */

    struct segment *segment;
    int segments, segment_room;
    struct published *published;
    int publisheds, published_room;
    char *twin;                          /* name of a case with the same motion, or
                                            NULL */
    char **twin_coordinate;              /* [twin_n] names, as BLOCK_TWIN counts them */
    int twin_n;
    struct equality *equality;
    int equalities, equality_room;

    /* the pen: arrays of the mode that is being written (case.h) */
    formula **M, *F, *Phi, *f_s, *g;
    struct mode *pen;

    enum reset_policy reset;             /* of events that add constraints */
    uint64_t fingerprint;                /* of all that the case states and that can
                                            change a number or its name, whatever the
                                            nominal values and the reset policy
                                            (model_fingerprint.c); set by model_new */

    struct recording *recording;         /* of model_new, while the case file is read */
    int mode_room, event_room, coordinate_room;
    int row_room;                        /* of arrays of coordinates: [n], with room */
};

/* Records and completes the case. On a malformed model returns NULL and says in
   `diagnosis` (BAD_INPUT) which formula, where and why. */
struct model *model_new(const struct case_desc *desc, struct diagnosis *diagnosis);
/* The same with another policy for events that add constraints. */
struct model *model_new_with(const struct case_desc *desc, enum reset_policy reset,
                             struct diagnosis *diagnosis);
void model_free(struct model *model);

/* A branch is a copy of a model with a tape of its own, on which more may be written: a
   model is constant, so whoever derives formulas from one does so on a branch. A
   formulation is given a branch (formulation.h). Modes, events and formulas are the
   branch's own, with the indices of the model's; the model outlives it. To be freed by
   model_branch_free. */
struct model *model_branch(const struct model *model);
void model_branch_free(struct model *branch);

/* --- for case files, through the macros of case.h ----------------------------------- */
/* What is said next stands in this line of the case file. */
void model_at(struct model *model, const char *file, int line);
/* "x, y"; may be called again (bodies of cases/elements/) before anything is written. */
void model_coordinates(struct model *model, const char *names);
void model_parameters(struct model *model, const char *names);
void model_auxiliary(struct model *model, const char *names);
void model_costs(struct model *model, const char *names);
void model_multipliers(struct model *model, const char *names);
void model_impulses(struct model *model, const char *names);
void model_time(struct model *model, const char *name);
void model_nominal(struct model *model, const char *parameter, const char *value,
                   const char *unit, const char *meaning, bool fixed, const char *file,
                   int line);
void model_define(struct model *model, const char *name, const char *text,
                  const char *file, int line);
formula model_read(struct model *model, const char *text, const char *file, int line);
/* Is this a name for a case, a mode, an event: letters, digits, - and _, 1 to 63 of them?
   Such a name is one word in tables, CSV and certificates. */
enum { MODEL_NAME_ROOM = 64 };
bool model_names_so(const char *name);
/* A further mode; the pen moves to it. The first mode exists from the start and is
   renamed by the first call. */
struct mode *model_mode(struct model *model, const char *name);
/* Appends a constraint row to the mode under the pen; returns its index. */
int model_constraint(struct model *model, formula Phi);
struct event *model_event(struct model *model, const char *name, struct mode *from,
                          struct mode *to, formula guard, enum direction direction);
/* How the mechanism is drawn: a segment in space; unset components are zero. One that is
   there already (elements are written once for each mode) is not drawn again. */
void model_draw(struct model *model, const formula from[3], const formula to[3]);
/* Printed numbers (struct published); `disputed` is NULL or a reason. */
void model_published(struct model *model, const char *quantity, const char *value,
                     const char *source, const char *disputed);
/* Names a case that has the same motion, and names for its coordinates (those it has
   there); then equalities between the two. */
void model_twin(struct model *model, const char *case_name, const char *names);
void model_equal(struct model *model, const char *name, formula own, formula twin);
/* Impulse rows: one contact row with restitution E; every constraint of the mode entered,
   with E = 0 (persistent joints). Both make the event VELOCITY_IMPULSIVE. */
void event_impulse(struct event *event, formula Psi, formula E);
void event_impulse_joints(struct event *event);
void event_constrain_velocity(struct event *event);     /* VELOCITY_CONSTRAINED */

/* The event happens only where `condition` > 0 just before it. May be called again: then
   where all of them are. Of events of one mode with one guard the first declared happens
   whose conditions hold; where none does, nothing happens. */
void event_require(struct event *event, formula condition);

/* A law that the reset obeys: left = right at the event, judged in MPFR on the exact
   motion (verify/oracles/balances.h). It is a second statement of the reset: momentum,
   energy, the ratio of separation to approach. Gaps are relative to the larger side,
   which must not be zero by the law itself. */
void event_balance(struct event *event, const char *name, formula left, formula right);

/* Do both leave one mode by one guard, at least in one direction? */
bool event_shares_guard(const struct event *a, const struct event *b);
/* Has the mode entered a constraint that the mode left has not? */
bool event_adds_constraints(const struct event *event);

/* Appends a row Gamma(t,q,v,s,rho) = 0 that holds at the start. With rows of its own a
   start gives formulas (q0, v0, s0) for all components but as many as Phi, Phid and Gamma
   have independent rows; a guess that is not set is zero. The end has a word already: the
   guard of a terminal event is Omega(t,q,v,s,rho) = 0, Pan, Ding, Wang 2004 (3), (10). */
void model_start_row(struct model *model, formula Gamma);

/* Appends a time, a constant formula in rho, at which a step of every run in double ends:
   the motion goes on as it is, but a method looks at it there. A force that is a narrow
   pulse in time has one in the middle of the pulse. Times outside a run do not count. */
void model_stop(struct model *model, formula t);

/* Index of a parameter, coordinate, mode or event by name, -1 if there is none. */
int model_parameter_index(const struct model *model, const char *name);
int model_coordinate_index(const struct model *model, const char *name);
/* The most impulses any event has. */
int model_most_impulses(const struct model *model);
/* The parameters differentiated by default: index[] as long as p; returns how many. */
int model_sensitivities(const struct model *model, int *index);

/* Coordinates begin[k] .. begin[k + 1] - 1 and those of another k are in no equation of
   motion together, of any mode: they meet at events only. begin [n + 1]; returns how
   many there are. Coordinates of one subsystem with others between them count as one with
   these. */
int model_subsystems(const struct model *model, int *begin);
/* Components of (q, v, s, z) that share a scale: q of each subsystem, v of each, every
   auxiliary state and every cost by itself. Group k begins at component begin[k], begin
   [2n + ns + nz + 1]; returns how many subsystems there are. */
int model_groups(const struct model *model, int *begin);

/* --- equations, built from the formulas --------------------------------------------- */

/* Derivatives along the motion of a mode: t -> 1, q -> v, v -> a, s -> f_s. The formulas
   may not depend on a or lambda. */
void mode_time_derivative(const struct model *model, const struct mode *mode,
                          const formula *f, int count, formula *out);

/* Equations of motion of one mode as a residual R(u; t, q, v, s, rho) = 0 in unknowns u;
   made by a formulation (formulations/), by the reference, or by a plug-in that verify/
   hands to either.
   ALGEBRAIC: R_u is regular, so u = (a, lambda) is a function of the state.
   DAE: only the derivatives of R determine u (index 2 or 3), which needs an integrator
   for implicit equations. The unknowns are rates and multipliers: BLOCK_A is v',
   BLOCK_QD is q' (without it q' = v), BLOCK_SD is s' (without it s' = f_s). */
enum residual_kind { ALGEBRAIC, DAE };
struct residual {
    enum residual_kind kind;
    int rows;                   /* = number of unknowns */
    formula *R;                 /* [rows] */
    struct unknown { int block, index; } *unknown;   /* [rows] */
    bool iterated;              /* R depends on BLOCK_MU, the multipliers of the iterate
                                   before: solved until mu = lambda (augmented) */
};
struct residual *residual_new(enum residual_kind kind, int rows);
void residual_free(struct residual *residual);

SALTUS_API_END

#endif
