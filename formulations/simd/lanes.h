/*
 * lanes.h - how many trajectories are integrated beside each other, one in each lane of
 * wide vectors: arrays are [..][LANES] there.
 */
#ifndef SALTUS_LANES_H
#define SALTUS_LANES_H

enum { LANES = 8 };

/* Before a loop that does so little that counting would take as long; clang knows. */
#ifdef __clang__
#define BY_EIGHT
#else
#define BY_EIGHT _Pragma("GCC unroll 8")
#endif

/* Between one lane of rows [count][LANES] and numbers by themselves [count]. */
static inline void lane_put(int count, const double *x, int lane, double *rows)
{
    BY_EIGHT
    for (int i = 0; i < count; i++)
        rows[i * LANES + lane] = x[i];
}

static inline void lane_take(int count, const double *rows, int lane, double *x)
{
    BY_EIGHT
    for (int i = 0; i < count; i++)
        x[i] = rows[i * LANES + lane];
}

#endif
