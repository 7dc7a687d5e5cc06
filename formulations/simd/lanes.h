/*
 * lanes.h - SIMD lanes: LANES trajectories are integrated beside each other, one in each
 * lane of wide vectors; arrays are [..][LANES].
 */
#ifndef SALTUS_LANES_H
#define SALTUS_LANES_H

enum { LANES = 8 };

/* Unrolls the loop that follows, whose counting would take as long as its work; clang
   decides by itself. */
#ifdef __clang__
#define BY_EIGHT
#else
#define BY_EIGHT _Pragma("GCC unroll 8")
#endif

/* Copies x [count] into one lane of rows [count][LANES]. */
static inline void lane_put(int count, const double *x, int lane, double *rows)
{
    BY_EIGHT
    for (int i = 0; i < count; i++)
        rows[i * LANES + lane] = x[i];
}

/* Copies one lane of rows [count][LANES] to x [count]. */
static inline void lane_take(int count, const double *rows, int lane, double *x)
{
    BY_EIGHT
    for (int i = 0; i < count; i++)
        x[i] = rows[i * LANES + lane];
}

#endif
