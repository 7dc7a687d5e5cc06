/*
 * explicit_lanes.h - the program of explicit_rhs.h for LANES trajectories at once, each
 * of them one lane of a vector: compiled only, and to the bit what each lane would have
 * by itself.
 *
 * Arrays are [..][LANES]. The lanes are runs of the same request; parameters may differ.
 */
#ifndef SALTUS_EXPLICIT_LANES_H
#define SALTUS_EXPLICIT_LANES_H

#include "base/arena.h"
#include "explicit_rhs.h"
#include "simd/lanes.h"

typedef void explicit_lanes_function(const double *c, const double *t, const double *x,
                                     double *dx, double *pivot);

struct explicit_lanes {
    struct code_cache_entry *code;
    explicit_lanes_function *function;
    int begin, end, pivots;     /* rows that depend on parameters alone */
    double *c;                  /* [end][LANES] the values of these */
    double *pivot;              /* [pivots][LANES] at the last points */
    struct arena arena;         /* of all arrays */
};

/* `made`: compiles it if it is not in the cache. NULL where it cannot be had. */
struct explicit_lanes *explicit_lanes_new(const struct explicit_rhs *explicit_rhs,
                                          bool made);
/* The rows to be told to tier_up_spend for each evaluation of one run by itself, whose
   code is there already. */
double explicit_lanes_saved(const struct explicit_rhs *explicit_rhs);
void explicit_lanes_free(struct explicit_lanes *lanes);
/* Is the program of another run the same? */
bool explicit_rhs_is_same(const struct explicit_rhs *one,
                          const struct explicit_rhs *other);
/* From now on a lane has the parameters of this program, which is the same. */
void explicit_lanes_enter(struct explicit_lanes *lanes, int lane,
                          const struct explicit_rhs *explicit_rhs);
/* x' of all lanes; t [LANES] */
void explicit_lanes_evaluate(struct explicit_lanes *lanes, const double *t,
                             const double *x, double *dx);
/* That was the last point of this run. */
void explicit_lanes_leave(const struct explicit_lanes *lanes, int lane,
                          struct explicit_rhs *explicit_rhs);

#endif
