/*
 * orbit_guess.h - a first guess of a periodic motion: the part of a run from an event to
 * its return.
 */
#ifndef SALTUS_ORBIT_GUESS_H
#define SALTUS_ORBIT_GUESS_H

#include "orbits/orbit.h"

/* A node in an arc between two events. */
struct guess_node {
    int mode;
    double t;                   /* since the event that the period begins with */
    double *x;                  /* [2n + ns] */
    double *along;              /* [2n + ns] direction in which other orbits are; NULL:
                                   not known */
};

struct orbit_guess {
    double period;
    double rho;                 /* parameter, where the guess is from a branch */
    double along_period, along_rho;     /* period and parameter in the direction of
                                           node->along */
    double *advance;            /* [drifts] of the request, in this period */
    double *largest;            /* [2n + ns] what each component has been at most in the
                                   run: by it one that is at rest is compared */
    int events, *event;         /* [events] their indices, in the order of the run; the
                                   last one ends the period */
    int nodes;
    struct guess_node *node;    /* [nodes] at least one; one in every arc that is not
                                   short */
};

/* Searches the run of the request, as far as it goes. NO_ORBIT: it has no such events,
   or comes back to none of its states; statuses of runner_new, and of a run that is
   refused before. To be cleared in any case. */
enum status orbit_guess_make(const struct orbit_request *request,
                             struct orbit_guess *guess, struct diagnosis *diagnosis);
/* The shortest arc that gets a node, as a part of a period with this many events. */
double orbit_guess_shortest_arc(int events);
/* The time of the node of an arc between two events. */
double orbit_guess_place(double begin, double end);
void orbit_guess_clear(struct orbit_guess *guess);
/* A copy, to be freed, of a guess that was made for this request. */
struct orbit_guess *orbit_guess_copy(const struct orbit_guess *guess,
                                     const struct orbit_request *request);
/* Clears and frees; NULL is allowed. */
void orbit_guess_free(struct orbit_guess *guess);

#endif
