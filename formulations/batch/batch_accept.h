/*
 * batch_accept.h - of steps made in lanes (erk_lanes.h), those on which nothing happens:
 * they are accepted, clear of every guard, and their equations solved as before. Most
 * are, and what is to be noted of them is noted in lanes; nothing of them comes to the
 * work space of their runs until something does happen.
 *
 * What is quiet here would be so in step.c, which looks at all others.
 */
#ifndef SALTUS_BATCH_ACCEPT_H
#define SALTUS_BATCH_ACCEPT_H

#include "events/hybrid.h"
#include "integrators/erk_lanes.h"
#include "simd/lanes.h"

struct batch_accept;
/* Of runs in the mode that this one is in. `made`: compiles what it looks at if it is not
   in the cache. NULL where that cannot be had. */
struct batch_accept *batch_accept_new(const struct hybrid *like, bool made);
void batch_accept_free(struct batch_accept *accept);
/* From now on this run is in the lane, */
void batch_accept_put(struct batch_accept *accept, int lane, const struct hybrid *core);
/* and it is as far as this: steps of some kinds are never quiet. */
void batch_accept_enter(struct batch_accept *accept, int lane, const struct hybrid *core);
/* Everything but x and dx becomes as quiet steps and the last try have left it. */
void batch_accept_leave(const struct batch_accept *accept, int lane, struct hybrid *core);

/* Steps in lanes, all [LANES]; true is 1, false 0. */
struct accept_steps {
    struct erk_lanes *made;
    const double *pivot;            /* [pivots][LANES] of the program where it ends */
    double t[LANES], h[LANES];      /* where it begins, and its length, */
    double proposed[LANES];         /* which was to be that before it was made to fit */
    double stop[LANES];             /* where the run aims */
    double may[LANES];              /* be quiet: it does not arrive there */
    double error[LANES];            /* what control_error says */
    double next[LANES];             /* and control_next, of those that are quiet */
    double is[LANES];               /* quiet, */
    double moved[LANES];            /* but for the constraints */
};

/* The step that a run wants is its lane's. */
void batch_accept_join(struct accept_steps *steps, int lane, const struct hybrid *core);
/* error, is, moved; what is to be noted of those that are quiet is, */
void batch_accept_judge(struct batch_accept *accept, struct accept_steps *steps);
/* and the next of each of these, with `next` known, is proposed: may. */
void batch_accept_go_on(const struct batch_accept *accept, struct accept_steps *steps);
/* The run wants the step that is its lane's, after so many quiet ones. */
void batch_accept_tell(const struct accept_steps *steps, int lane, long count,
                       struct hybrid *core);
/* Constraints that have moved are shown to the run, and when it has noted them, what that
   was comes to the lane. */
void batch_accept_show(const struct batch_accept *accept,
                       const struct accept_steps *steps, int lane, struct hybrid *core);
void batch_accept_shown(struct batch_accept *accept, int lane, const struct hybrid *core);

#endif
