/*
 * arc.h - where a run is within an arc; shared by arcs.c (steps) and guards.c.
 */
#ifndef SALTUS_ARC_H
#define SALTUS_ARC_H

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

struct arc {
    struct run *run;
    struct taylor *taylor;
    const struct event *cause;  /* that began the arc; NULL: the start */
    bool first;                 /* step of the arc */
    int rank;                   /* of the constraints on this arc */
    mpfr_ptr since;             /* its start */
    int chain;                  /* events at this instant so far */
    int *deflate;               /* [events] leading coefficients of a guard that are 0 */
    double *scale;              /* [events] log2 of the largest term of each guard */
    double *largest;            /* [events] the same on the arc so far */
    double h, longest;          /* log2 of the step; of the longest on this arc */
    bool careful;               /* near a singular configuration: see arcs.c */
    mpfr_ptr step, reach, root, first_root, left;
    int guard;                  /* that ends the step, -1: none */
    int *fires;                 /* [events] guards that fire there, the sign of their
                                   rate, else 0: that one and those at the same time */
    mpfr_ptr roots;             /* [events] of the guards on the step; NAN: none */
    struct instant instant;
    double energy_size;
    mpfr_ptr energy, energy_start;
    double interval[3];         /* between the last events, latest first */
    mpfr_ptr last_event;
};

double arc_time(const struct arc *arc);
/* |a - b| below the resolution of time */
bool arc_same_time(const struct arc *arc, mpfr_srcptr a, mpfr_srcptr b);
/* Times closer than this are one instant, log2. */
double arc_instant(const struct arc *arc);

/* arcs.c: the event of arc->guard at run->t, run->next; and the sides of the guards where
   the arc after it begins. */
enum status arc_fire(struct arc *arc, bool chained);
enum status arc_look_again(struct arc *arc);

/* zeno.c: an event has happened at run->t. ZENO, TOO_MANY_EVENTS. */
enum status arc_accumulation(struct arc *arc);

/* guards.c: scales of all guards on the step; what they are on the part of it that has
   been taken, arc->step, noted; their sides at the start of an arc; the
   first event on the step. The latter two set arc->guard. */
void arc_scales(struct arc *arc);
void arc_note_largest(struct arc *arc);
enum status arc_look(struct arc *arc);
enum status arc_search(struct arc *arc);

#endif
