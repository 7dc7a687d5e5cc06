/*
 * explicit_lanes.h - the program of explicit_rhs.h for LANES trajectories at once, each
 * in one SIMD lane: compiled only, and to the bit the result of each lane by itself.
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
    int begin, end, pivots;     /* range of rows that depend on parameters alone; number
                                   of pivots */
    double *c;                  /* [end][LANES] values of these rows */
    double *pivot;              /* [pivots][LANES] at the last points */
    struct arena arena;         /* of all arrays */
};

/* Opens the code, compiling it if `made` and not in the cache; NULL if there is none. */
struct explicit_lanes *explicit_lanes_new(const struct explicit_rhs *explicit_rhs,
                                          bool made);
/* The rows to be passed to tier_up_spend for each evaluation of one run by itself, whose
   code is there already. */
double explicit_lanes_saved(const struct explicit_rhs *explicit_rhs);
void explicit_lanes_free(struct explicit_lanes *lanes);
/* Are the programs of two runs the same? */
bool explicit_rhs_is_same(const struct explicit_rhs *one,
                          const struct explicit_rhs *other);
/* Gives a lane the parameters of this program, which is the same as that of the lanes. */
void explicit_lanes_enter(struct explicit_lanes *lanes, int lane,
                          const struct explicit_rhs *explicit_rhs);
/* Evaluates x' of all lanes; t [LANES], x, dx [dim][LANES]. */
void explicit_lanes_evaluate(struct explicit_lanes *lanes, const double *t,
                             const double *x, double *dx);
/* Gives a run the pivots at the last point of its lane. */
void explicit_lanes_leave(const struct explicit_lanes *lanes, int lane,
                          struct explicit_rhs *explicit_rhs);

#endif
