/*
 * enclosure_parts.h - the state of an enclosure, shared by its parts.
 */
#ifndef SALTUS_ENCLOSURE_PARTS_H
#define SALTUS_ENCLOSURE_PARTS_H

#include "enclosure.h"
#include "reset_balls.h"
#include "tube.h"

struct enclosure {
    const struct model *model;
    int p, *parameter;          /* columns */
    int lanes, states;          /* 1 + p; 2n + ns + nz */
    int digits;
    slong precision;
    acb_ptr rho;                /* [model->p] */
    struct mode_equations **equations;  /* [modes] NULL until needed */
    struct mode_equations **least_norm; /* [modes] of all multipliers; NULL: constraints
                                           are independent */
    bool *ranked;               /* [modes] that is known */
    struct jets **end_costs;    /* [modes] w in the slots of a mode */
    struct reset_balls **reset;     /* [events] */
    acb_ptr t0, t_end;
    acb_ptr dt0, dt_end;        /* [p] */
    int samples;
    arb_ptr sample;             /* [samples] times */
    int sampled;                /* samples that are done */

    struct candidate *pending;  /* the last step, until its end is known */
    bool started, over;
    const struct mode *mode;    /* that the motion is in */
    /* The exact state and its columns at the start of the pending step. */
    acb_ptr state;              /* [lanes][states] */
    acb_ptr u;                  /* a, lambda there; before they are enclosed a guess */
    int *contact;               /* [events] derivatives of the guard along the motion,
                                   from its value on, that are exactly zero where the arc
                                   begins (contact.c) */
    bool *far;                  /* [events] the guard may be beyond zero where the arc
                                   begins: it was before the event, in its direction */
    bool arc_begins;            /* the pending step is the first of its arc */
    acb_ptr tau;                /* [p] of the last event */
    acb_ptr t_e;                /* its time */
    const struct event *after;  /* the last event; NULL: none */

    struct enclosed_motion *out;
    struct diagnosis *diagnosis;
};

struct mode_equations *enclosure_equations(struct enclosure *enclosure,
                                           const struct mode *mode);

/* A state (q, v, s, z) and its columns, loaded into slots of a mode, with a and lambda,
   and rates; and what belongs to them. */
struct solved_point {
    struct mode_equations *equations;
    acb_ptr slot;               /* [slots] */
    acb_mat_t tangents;         /* [slots][p + 1] columns, then the motion itself */
    acb_mat_t rates;            /* [ns + nz][p + 1] */
    acb_ptr rate;               /* [states] of the state */
};
void solved_point_open(struct solved_point *point, struct mode_equations *equations,
                       int p);
void solved_point_close(struct solved_point *point);
/* Solves for a and lambda at a state at time t, about `near`: where forces depend on them
   there may be several. False: not shown to be regular. */
bool enclosure_solve(const struct enclosure *enclosure, struct solved_point *point,
                     const acb_t t, acb_srcptr state, acb_srcptr near);
/* Do Phi, Phid and Phidd of the mode, and their derivatives by the parameters, contain
   zero at a solved point? */
bool constraints_hold(const struct enclosure *enclosure,
                      const struct solved_point *point);
/* Rate of component i of the state in a column (p: of the motion itself, for tangents of
   time). */
void solved_rate(const struct solved_point *point, int i, int column, acb_t rate);

/* Makes room for the numbers of an event. */
void enclosed_event_open(struct enclosed_event *event, const struct columns *columns);

/* Where constraints depend on others: do the others, too, contain zero at a state, and
   are multipliers of least norm shown to exist? Statuses as enclosure_record. */
enum status dependent_hold(struct enclosure *enclosure, const struct mode *mode,
                           const acb_t t, acb_srcptr state);

/* Records a point; its z are those of the state. Where constraints depend on others its
   multipliers are those of least norm: SINGULAR: not shown to exist; INCONSISTENT: one of
   the others is not zero. */
enum status enclosure_record(struct enclosure *enclosure, struct enclosed_point *out,
                             const struct solved_point *point, const acb_t t,
                             acb_srcptr state);

/* Carries `state`, and enclosure->u with it, from a time that is known in a ball to
   another beside it, and shows that no event happens between. PRECISION: a guard is not
   decided; SINGULAR. */
enum status enclosure_transport(struct enclosure *enclosure, const struct mode *mode,
                                const acb_t from, const acb_t to, acb_ptr state);

/* Chooses independent constraints for the mode of a candidate, when it is the first in
   it, and gives the candidate their multipliers alone (dependent.c). NOT_APPLICABLE:
   formulas depend on multipliers that are not unique. */
enum status choose_independent(struct enclosure *enclosure, struct candidate **candidate);

/* The exact state at the start of the first step (enclosure_start.c). */
enum status enclosure_start(struct enclosure *enclosure, const struct candidate *first);

/* The exact state and its columns at a time of the step, or over a disk of times about it
   (radius NULL: none), and this time (t). */
void state_at(const struct enclosure *enclosure, struct tube *tube, const acb_t time,
              const arb_t radius, acb_ptr state, acb_t t);

/* A step, or its part up to an event, whose samples are taken. */
struct sample_range {
    arb_srcptr before;          /* time of the step */
    arb_srcptr event;           /* NULL, or time of the event instead */
};
/* Records the samples of the range. PRECISION: a sample may be on either side of an
   event; SINGULAR, INCONSISTENT as enclosure_record. */
enum status take_samples(struct enclosure *enclosure, struct tube *tube,
                         const struct sample_range *range);

/* Shows that no event of the mode happens on [from, to] of the step; guards that share
   that of `except` (NULL: none) are left out. PRECISION: not shown. */
enum status guard_exclusion(struct enclosure *enclosure, struct tube *tube,
                            const arb_t from, const arb_t to, const struct event *except);

/* Shows that no event of the mode happens over the box at which a point is solved, beside
   the start of an arc. PRECISION: not shown. */
enum status guards_clear_beside(struct enclosure *enclosure,
                                const struct solved_point *point);
/* Are guards of one direction on their near side where the arc begins, as far as they are
   not zero there exactly, or were beyond zero before? PRECISION: not shown. */
enum status guards_near_side(struct enclosure *enclosure,
                             const struct solved_point *point);

/* The event at time `near` of the step, give or take `margin`: sets the state after it,
   with enclosure->u and t_e, and records it (passage.c). enclosure->u is a guess of a,
   lambda after it. */
enum status passage(struct enclosure *enclosure, struct tube *tube,
                    const struct event *event, const arb_t near, const arb_t margin);

/* Sets `contact` after an event (contact.c). */
void contact_after(struct enclosure *enclosure, const struct event *event);
enum { CONTACT_NONE = 0, CONTACT_VALUE = 1, CONTACT_RATE = 2, CONTACT_SECOND = 3 };

#endif
