/*
 * arc.h - hybrid integration: the state of a run within an arc, between two events.
 */
#ifndef SALTUS_ARC_H
#define SALTUS_ARC_H

#include "accumulation.h"
#include "mp_run.h"

/* Most guards that may fire together. */
enum { MOST_TIED = 4 };
/* Simultaneous events: the guards that fire together, and the order that is tried
   (instant.c). */
struct instant {
    int ties;                   /* number of tied guards */
    struct tied {
        const struct event *event;
        int sign;               /* sign of the guard's rate at its root */
        bool fired;             /* the event has happened in the order being tried */
    } tied[MOST_TIED];
    bool grown;                 /* a tie has been found that was not known before */
    int *rank;                  /* [model->events] the event of least rank fires first */
};

/* Factor of arc.gone for motions that may go on beyond the guard. */
enum { GOES_ON = 2 };

/* State of a run within an arc. */
struct arc {
    struct run *run;
    struct taylor *taylor;
    const struct event *cause;  /* event that began the arc, or whose guard was passed
                                   where the arc begins; NULL: the arc begins at the
                                   start of the run */
    bool first;                 /* the next step is the first of the arc */
    int rank;                   /* rank of the constraints on this arc */
    mpfr_ptr since;             /* time of the start of the arc */
    int chain;                  /* events at this instant so far */
    int *deflate;               /* [events] by guard of the mode: leading coefficients
                                   of its series that are 0 */
    double *scale;              /* [events] by guard: log2 of its largest term on the
                                   step */
    double *largest;            /* [events] by guard: log2 of its largest term on the
                                   arc so far */
    double h;                   /* log2 of the length of the step */
    double carry;               /* log2 of the step that the series of the motion allow,
                                   whatever the guards ask for */
    double longest;             /* log2 of the longest such step on this arc */
    bool careful;               /* steps carry twice the digits, near a singular
                                   configuration (expand_with_care in arcs.c) */
    mpfr_ptr step, reach, root, first_root, left;  /* work, times from run->t */
    int guard;                  /* guard whose event ends the step; -1: none */
    bool over;                  /* a terminal event has happened */
    int *gone;                  /* [model->events] sign of the rate with which the
                                   motion has gone through the guard at this instant,
                                   times GOES_ON if the motion may go on from there; 0:
                                   it has not gone through, or in a mode that has been
                                   left since */
    bool *far;                  /* [model->events] the guard was on its far side just
                                   before the arc */
    int *fires;                 /* [events] by guard: the sign of its rate if it fires
                                   at the root of arc->guard, else 0 */
    mpfr_ptr roots;             /* [events] by guard: its first root on the step; NAN:
                                   none */
    struct instant instant;
    double energy_size;                 /* largest |energy| of the run so far */
    mpfr_ptr energy, energy_start;      /* energy at run->t, and at the start of the
                                           arc */
    struct accumulation accumulation;   /* recent events, towards a Zeno time */
};

/* run->t in double. */
double arc_time(const struct arc *arc);
/* True: |a - b| is below the resolution of time. */
bool arc_same_time(const struct arc *arc, mpfr_srcptr a, mpfr_srcptr b);
/* log2 of the resolution of time: closer times are one instant. */
double arc_instant(const struct arc *arc);

/* Lets the event of arc->guard happen at run->t, run->next, or the one that shares its
   guard and whose conditions hold, or none (arcs.c). chained: it follows another event
   at one instant. Statuses: those of run_jump, CONDITION_EDGE, ZENO, TOO_MANY_EVENTS,
   EVENT_AT_END. */
enum status arc_fire(struct arc *arc, bool chained);
/* Finds the sides of the guards where the next arc begins (arcs.c), as arc_look. */
enum status arc_look_again(struct arc *arc);

/* True: this guard fires, and no event declared before it shares the guard and fires
   (guard_conditions.c). */
bool arc_leads(const struct arc *arc, int guard);
/* Sets *guard to the event that happens at run->t, run->next, among the events that
   share the guard `*guard` and fire with it; -1: none. CONDITION_EDGE: a condition is
   zero there (guard_conditions.c). */
enum status arc_choose(struct arc *arc, int *guard);
/* Notes that the motion goes through the guard of an event, with that sign of its
   rate; the event happens or not. */
void arc_note_gone(struct arc *arc, const struct event *event, int sign, bool happens);
/* True: the motion has gone through the guard of the event at this instant already,
   and only goes on to the side of that sign. */
bool arc_goes_on(const struct arc *arc, const struct event *event, int sign);
/* Notes which guards of the mode are on their far sides at run->t, run->next. */
enum status arc_note_far(struct arc *arc);
/* True: the guard of the event was on its far side just before the arc that begins. */
bool arc_was_far(const struct arc *arc, const struct event *event);

/* Notes that the event arc->cause has happened at run->t (zeno.c). ZENO: events
   accumulate before the end; TOO_MANY_EVENTS. */
enum status arc_accumulation(struct arc *arc);

/* Looks for edges at the start of an arc and on the step arc->step (domain_edges.c).
   BRANCH_CUT, POLE or DOMAIN_EDGE: an edge is met. Before an edge the step is cut
   short, and *at_end becomes false, so that the series of guards that have the edge
   converge. */
enum status arc_edges(struct arc *arc, bool *at_end);
/* Turns the refusal of a run that cannot go on just before an edge into that of the
   edge. */
enum status arc_edges_refusal(struct arc *arc, enum status status);

/* arc->scale of all guards on a step of 2^arc->h (guards.c). */
void arc_scales(struct arc *arc);
/* Raises arc->largest by the guards on the part of the step that has been taken,
   arc->step. */
void arc_note_largest(struct arc *arc);
/* NOT_FINITE: a guard is not a number where the step begins. */
enum status arc_finite(const struct arc *arc);
/* Finds the sides of all guards at the start of an arc, deflating guards that are zero
   there; sets arc->guard and arc->fires where one fires at once. SLIDING,
   GUARD_VIOLATED, EVENT_AT_END. */
enum status arc_look(struct arc *arc);
/* Finds the first event on the step: arc->guard (-1: none), arc->first_root, and all
   guards that have this root in arc->fires. GRAZING, EVENT_AT_END. */
enum status arc_search(struct arc *arc);
/* Drops guards that were gone through against their direction from arc->fires. True: a
   guard is left, and arc->guard is the first. */
bool arc_drop_backwards(struct arc *arc);

/* Compares all guards, on the part of the step before its event, with their formulas
   (guard_check.c). PRECISION: a formula and its series differ. */
enum status arc_compare_guards(struct arc *arc);

#endif
