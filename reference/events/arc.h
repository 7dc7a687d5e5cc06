/*
 * arc.h - where a run is within an arc; shared by arcs.c (steps), guards.c and
 *         guard_check.c.
 */
#ifndef SALTUS_ARC_H
#define SALTUS_ARC_H

#include "accumulation.h"
#include "mp_run.h"

/* Guards that fire together, see instant.c. */
enum { MOST_TIED = 4 };
struct instant {
    int ties;
    struct tied {
        const struct event *event;
        int sign;               /* in which direction its guard is crossed */
        bool fired;             /* in the order that is being run through */
    } tied[MOST_TIED];
    bool grown;                 /* a tie has been found that was not known */
    int *rank;                  /* [model->events] the least fires first */
};

enum { GOES_ON = 2 };

struct arc {
    struct run *run;
    struct taylor *taylor;
    const struct event *cause;  /* that began the arc, or whose guard has been passed
                                   where it begins; NULL: the start */
    bool first;                 /* step of the arc */
    int rank;                   /* of the constraints on this arc */
    mpfr_ptr since;             /* its start */
    int chain;                  /* events at this instant so far */
    int *deflate;               /* [events] leading coefficients of a guard that are 0 */
    double *scale;              /* [events] log2 of the largest term of each guard */
    double *largest;            /* [events] the same on the arc so far */
    double h;                   /* log2 of the step */
    double carry, longest;      /* log2 of how far the motion carries, whatever becomes of
                                   guards; of the longest on this arc */
    bool careful;               /* near a singular configuration: see arcs.c */
    mpfr_ptr step, reach, root, first_root, left;
    int guard;                  /* that ends the step, -1: none */
    bool over;                  /* a terminal event has happened */
    int *gone;                  /* [model->events] its guard has been gone through at this
                                   instant: the sign of its rate, times GOES_ON if the
                                   motion may go on from there; 0: it has not, or in a
                                   mode that has been left since */
    bool *far;                  /* [model->events] just before the arc the guard was on
                                   its far side */
    int *fires;                 /* [events] guards that fire there, the sign of their
                                   rate, else 0: that one and those at the same time */
    mpfr_ptr roots;             /* [events] of the guards on the step; NAN: none */
    struct instant instant;
    double energy_size;
    mpfr_ptr energy, energy_start;
    struct accumulation accumulation;   /* of events */
};

double arc_time(const struct arc *arc);
/* |a - b| below the resolution of time */
bool arc_same_time(const struct arc *arc, mpfr_srcptr a, mpfr_srcptr b);
/* Times closer than this are one instant, log2. */
double arc_instant(const struct arc *arc);

/* arcs.c: the event of arc->guard at run->t, run->next, or what happens instead, which
   may be nothing; and the sides of the guards where the arc after it begins. */
enum status arc_fire(struct arc *arc, bool chained);
enum status arc_look_again(struct arc *arc);

/* choice.c: does this guard fire, and none of an event declared before shares it? Of the
   events that share the guard `*guard`, and fire with it, the one that happens at run->t,
   run->next; -1: none. CONDITION_EDGE. */
bool arc_leads(const struct arc *arc, int guard);
enum status arc_choose(struct arc *arc, int *guard);
/* The motion goes through the guard of this event, which happens or not, with that sign
   of its rate. Has it done so already at this instant, and only goes on, to that side? */
void arc_note_gone(struct arc *arc, const struct event *event, int sign, bool happens);
bool arc_goes_on(const struct arc *arc, const struct event *event, int sign);
/* Which guards of the mode are on their far sides, at run->t, run->next; and was this one
   before the arc that begins? */
enum status arc_note_far(struct arc *arc);
bool arc_was_far(const struct arc *arc, const struct event *event);

/* zeno.c: the event arc->cause has happened at run->t. ZENO, TOO_MANY_EVENTS. */
enum status arc_accumulation(struct arc *arc);

/* edges.c: at the start of an arc, and on the step arc->step: BRANCH_CUT, POLE or
   DOMAIN_EDGE when an edge is met. Before one the step is cut short, *at_end false, so
   that the series of guards that have it converge. */
enum status arc_edges(struct arc *arc, bool *at_end);
/* A run that cannot go on just before an edge ends there. */
enum status arc_edges_refusal(struct arc *arc, enum status status);

/* guards.c: scales of all guards on the step; what they are on the part of it that has
   been taken, arc->step, noted; their sides at the start of an arc; the
   first event on the step. The latter two set arc->guard. */
void arc_scales(struct arc *arc);
void arc_note_largest(struct arc *arc);
enum status arc_look(struct arc *arc);
enum status arc_search(struct arc *arc);
/* Guards gone through against their direction fire no more; does any? arc->guard: the
   first. */
bool arc_drop_backwards(struct arc *arc);

/* guard_check.c: all guards on the part of the step before its event, by their formulas.
   PRECISION where those say something else than the series. */
enum status arc_compare_guards(struct arc *arc);

#endif
