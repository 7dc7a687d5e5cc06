/*
 * batch_accept.h - step acceptance in SIMD lanes (erk_lanes.h), without leaving the
 * lanes.
 *
 * Most steps have no event on them: roots of all guards are excluded, the error is small,
 * the equations are solved by the program of explicit_rhs.h. Such steps are accepted and
 * noted here in lanes. step.c handles all other steps, and would accept these, too, with
 * the same numbers.
 */
#ifndef SALTUS_BATCH_ACCEPT_H
#define SALTUS_BATCH_ACCEPT_H

#include "events/hybrid.h"
#include "integrators/erk_lanes.h"
#include "simd/lanes.h"

struct batch_accept;
/* Makes the acceptance of runs in the mode in which `like` is. `made`: code that is not
   in the cache is compiled. NULL is returned where there is no code. */
struct batch_accept *batch_accept_new(const struct hybrid *like, bool made);
void batch_accept_free(struct batch_accept *accept);
/* Puts the parameters and the control of a run into its lane. */
void batch_accept_put(struct batch_accept *accept, int lane, const struct hybrid *core);
/* Puts the point of a run into its lane: guards, sizes of the error control, pivots. */
void batch_accept_enter(struct batch_accept *accept, int lane, const struct hybrid *core);
/* Gives the point back to the run, except x and dx, as accepted steps and the last try
   have left it. */
void batch_accept_leave(const struct batch_accept *accept, int lane, struct hybrid *core);

/* Steps in lanes, all [LANES]; true is 1, false 0. */
struct accept_steps {
    struct erk_lanes *made;         /* the method in lanes */
    const double *pivot;            /* [pivots][LANES] of the program at the step's end */
    double t[LANES], h[LANES];      /* s; start and length of the step */
    double proposed[LANES];         /* s; length before the step was made to fit */
    double stop[LANES];             /* s; time to which the run integrates */
    double eligible[LANES];         /* the step ends before `stop`: it may be accepted */
    double error[LANES];            /* control_error of the step */
    double next[LANES];             /* s; control_next of an accepted step */
    double accepted[LANES];         /* set by batch_accept_judge */
    double moved[LANES];            /* the constraints have changed so much that
                                       rank_monitor.c has to note them */
};

/* Takes the step that the run wants into its lane. */
void batch_accept_join(struct accept_steps *steps, int lane, const struct hybrid *core);
/* Sets error, accepted and moved, and notes accepted steps in their lanes. */
void batch_accept_judge(struct batch_accept *accept, struct accept_steps *steps);
/* Proposes the next steps after accepted ones, with `next` known, and sets eligible. */
void batch_accept_go_on(const struct batch_accept *accept, struct accept_steps *steps);
/* Tells a run its point and the step it wants after `count` accepted steps. */
void batch_accept_tell(const struct accept_steps *steps, int lane, long count,
                       struct hybrid *core);
/* Gives a run the constraints at the point of its lane. */
void batch_accept_show(const struct batch_accept *accept,
                       const struct accept_steps *steps, int lane, struct hybrid *core);
/* Gives a lane the notes of its run on these constraints. */
void batch_accept_shown(struct batch_accept *accept, int lane, const struct hybrid *core);

#endif
