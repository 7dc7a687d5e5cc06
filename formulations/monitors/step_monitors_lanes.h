/*
 * step_monitors_lanes.h - the program of step_monitors.h at points of LANES trajectories
 * at once, each of them one lane of a vector: compiled only, and to the bit what each
 * lane would have by itself.
 *
 * Arrays are [..][LANES]. The lanes are runs of the same request; parameters may differ.
 */
#ifndef SALTUS_LOOK_LANES_H
#define SALTUS_LOOK_LANES_H

#include "simd/lanes.h"
#include "step_monitors.h"

typedef void look_lanes_function(const double *c, const double *t, const double *x,
                                 double *value, double *unused);

struct look_lanes {
    struct code *code, *guard_code;         /* of all outputs, and of guards alone */
    look_lanes_function *function, *guard_function;
    int begin, end;                         /* rows that depend on parameters alone */
    double *c;                              /* [end][LANES] the values of these */
    double *value;                          /* the outputs at the points looked at
                                               last, */
    const double *r, *rd, *Phi, *Phid, *Phi_q;      /* parts of it, as in struct look */
};

/* `made`: compiles it if it is not in the cache. NULL where it cannot be had. */
struct look_lanes *look_lanes_new(const struct look *look, bool made);
void look_lanes_free(struct look_lanes *lanes);
/* From now on a lane has the parameters of this program, which is the same. */
void look_lanes_enter(struct look_lanes *lanes, int lane, const struct look *look);
/* Sets lanes->r and the others; t [LANES], x [2][dim][LANES] */
void look_lanes_at(struct look_lanes *lanes, const double *t, const double *x);
/* Guards alone, of states alone: x [dim][LANES], r [guards][LANES] */
void look_lanes_guards(const struct look_lanes *lanes, const double *t, const double *x,
                       double *r);

#endif
