/*
 * step_monitors_lanes.h - the program of step_monitors.h in SIMD lanes: at points of
 * LANES trajectories at once. There is compiled code only, and each lane has, to the bit,
 * the values that it would have by itself.
 *
 * Arrays are [..][LANES]. The lanes are runs of one request; parameters may differ.
 */
#ifndef SALTUS_STEP_MONITORS_LANES_H
#define SALTUS_STEP_MONITORS_LANES_H

#include "base/arena.h"
#include "simd/lanes.h"
#include "step_monitors.h"

/* Compiled code of the program; x [dim][LANES] stands right before its rate. */
typedef void monitor_lanes_function(const double *c, const double *t, const double *x,
                                    double *value, double *unused);

/* monitor_lanes_new sets every member. */
struct monitor_lanes {
    struct code_cache_entry *code, *guard_code; /* of all outputs, and of r alone */
    monitor_lanes_function *function, *guard_function;
    int begin, end;                         /* rows of the program that depend on
                                               parameters alone */
    double *c;                              /* [end][LANES] constants and these rows */
    double *value;                          /* outputs at the points last evaluated */
    const double *r, *rd, *Phi, *Phid, *Phi_q;      /* parts of `value` (struct
                                                       step_monitors) */
    struct arena arena;                     /* memory of all arrays */
};

/* `made`: the code is compiled if it is not in the cache. NULL: there is no code. */
struct monitor_lanes *monitor_lanes_new(const struct step_monitors *monitors, bool made);
void monitor_lanes_free(struct monitor_lanes *lanes);
/* Gives a lane the parameters of a run, whose program is the same. */
void monitor_lanes_enter(struct monitor_lanes *lanes, int lane,
                         const struct step_monitors *monitors);
/* Evaluates all monitors into `value`, from t [LANES], x [2][dim][LANES]. */
void monitor_lanes_at(struct monitor_lanes *lanes, const double *t, const double *x);
/* r [rows][LANES] alone, from states x [dim][LANES]. */
void monitor_lanes_guards(const struct monitor_lanes *lanes, const double *t,
                          const double *x, double *r);

#endif
