/*
 * explicit_lanes.h - the program of explicit_rhs.h for LANES trajectories at once, each
 * of them one lane of a vector: compiled only, and to the bit what each lane would have
 * by itself.
 *
 * Arrays are [..][LANES]. The lanes are runs of the same request; parameters may differ.
 */
#ifndef SALTUS_FUSED_LANES_H
#define SALTUS_FUSED_LANES_H

#include "explicit_rhs.h"
#include "simd/lanes.h"

typedef void fused_lanes_function(const double *c, const double *t, const double *x,
                                  double *dx, double *pivot);

struct fused_lanes {
    struct code *code;
    fused_lanes_function *function;
    int begin, end, pivots;     /* rows that depend on parameters alone */
    double *c;                  /* [end][LANES] the values of these */
    double *pivot;              /* [pivots][LANES] at the last points */
};

/* `made`: compiles it if it is not in the cache. NULL where it cannot be had. */
struct fused_lanes *fused_lanes_new(const struct fused *fused, bool made);
/* What `rental_spend` is told of an evaluation of one run by itself, which is compiled
   already. */
double fused_lanes_saved(const struct fused *fused);
void fused_lanes_free(struct fused_lanes *lanes);
/* Is the program of another run the same? */
bool fused_is_same(const struct fused *one, const struct fused *other);
/* From now on a lane has the parameters of this program, which is the same. */
void fused_lanes_enter(struct fused_lanes *lanes, int lane, const struct fused *fused);
/* x' of all lanes; t [LANES] */
void fused_lanes_evaluate(struct fused_lanes *lanes, const double *t, const double *x,
                          double *dx);
/* That was the last point of this run. */
void fused_lanes_leave(const struct fused_lanes *lanes, int lane, struct fused *fused);

#endif
