/*
 * batch_accept.h - acceptance of steps in lanes (erk_lanes.h) without leaving the lanes.
 *
 * Most steps have no event on them: roots of all guards are excluded, the error is small,
 * the equations are solved by the program of explicit_rhs.h. Such steps are accepted
 * here, and what is to be noted of them is noted in lanes. step.c sees to all others, and
 * would have accepted these, too, with the same numbers.
 */
#ifndef SALTUS_BATCH_ACCEPT_H
#define SALTUS_BATCH_ACCEPT_H

#include "events/hybrid.h"
#include "integrators/erk_lanes.h"
#include "simd/lanes.h"

struct batch_accept;
/* Of runs in the mode in which `like` is. `made`: its code is compiled if that is not in
   the cache. NULL where there is no code. */
struct batch_accept *batch_accept_new(const struct hybrid *like, bool made);
void batch_accept_free(struct batch_accept *accept);
/* The run comes to the lane; */
void batch_accept_put(struct batch_accept *accept, int lane, const struct hybrid *core);
/* the lane gets what the run knows of the point it has come to: its guards, the size of
   its errors, its pivots. */
void batch_accept_enter(struct batch_accept *accept, int lane, const struct hybrid *core);
/* The run gets all of that, but for x and dx, as accepted steps and the last try have
   left it. */
void batch_accept_leave(const struct batch_accept *accept, int lane, struct hybrid *core);

/* Steps in lanes, all [LANES]; true is 1, false 0. */
struct accept_steps {
    struct erk_lanes *made;         /* what makes them */
    const double *pivot;            /* [pivots][LANES] of the program at the step's end */
    double t[LANES], h[LANES];      /* s; where the step begins, and its length, */
    double proposed[LANES];         /* s; its length before it was made to fit */
    double stop[LANES];             /* s; the time to which the run integrates */
    double eligible[LANES];         /* the step ends before `stop`: it may be accepted */
    double error[LANES];            /* as control_error has it */
    double next[LANES];             /* s; as control_next has it, of accepted steps */
    double accepted[LANES];
    double moved[LANES];            /* the constraints have changed so much that
                                       rank_monitor.c has to see it */
};

/* The step that the run wants becomes that of its lane. */
void batch_accept_join(struct accept_steps *steps, int lane, const struct hybrid *core);
/* Sets error, accepted and moved, and notes what accepted steps leave. */
void batch_accept_judge(struct batch_accept *accept, struct accept_steps *steps);
/* After accepted steps, with `next` known: proposes the next ones, and sets eligible. */
void batch_accept_go_on(const struct batch_accept *accept, struct accept_steps *steps);
/* After `count` accepted steps the run is told where it is, and which step it wants. */
void batch_accept_tell(const struct accept_steps *steps, int lane, long count,
                       struct hybrid *core);
/* The run is shown the constraints where they have moved to; when it has noted them, the
   lane is shown what it has noted. */
void batch_accept_show(const struct batch_accept *accept,
                       const struct accept_steps *steps, int lane, struct hybrid *core);
void batch_accept_shown(struct batch_accept *accept, int lane, const struct hybrid *core);

#endif
