/*
 * step_monitors_lanes.h - the program of step_monitors.h at points of LANES trajectories
 * at once, each of them one lane of a vector: compiled only, and to the bit what each
 * lane would have by itself.
 *
 * Arrays are [..][LANES]. The lanes are runs of the same request; parameters may differ.
 */
#ifndef SALTUS_STEP_MONITORS_LANES_H
#define SALTUS_STEP_MONITORS_LANES_H

#include "base/arena.h"
#include "simd/lanes.h"
#include "step_monitors.h"

typedef void monitor_lanes_function(const double *c, const double *t, const double *x,
                                    double *value, double *unused);

struct monitor_lanes {
    struct code_cache_entry *code, *guard_code; /* of all outputs, and of guards alone */
    monitor_lanes_function *function, *guard_function;
    int begin, end;                         /* rows that depend on parameters alone */
    double *c;                              /* [end][LANES] the values of these */
    double *value;                          /* the outputs at the points looked at
                                               last, */
    const double *r, *rd, *Phi, *Phid, *Phi_q;      /* parts of it, as in struct look */
    struct arena arena;                     /* of all arrays */
};

/* `made`: compiles it if it is not in the cache. NULL where it cannot be had. */
struct monitor_lanes *monitor_lanes_new(const struct step_monitors *monitors, bool made);
void monitor_lanes_free(struct monitor_lanes *lanes);
/* From now on a lane has the parameters of this program, which is the same. */
void monitor_lanes_enter(struct monitor_lanes *lanes, int lane,
                         const struct step_monitors *monitors);
/* Sets lanes->r and the others; t [LANES], x [2][dim][LANES] */
void monitor_lanes_at(struct monitor_lanes *lanes, const double *t, const double *x);
/* Guards alone, of states alone: x [dim][LANES], r [guards][LANES] */
void monitor_lanes_guards(const struct monitor_lanes *lanes, const double *t,
                          const double *x, double *r);

#endif
