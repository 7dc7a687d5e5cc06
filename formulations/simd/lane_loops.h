/*
 * lane_loops.h - loops over rows of lanes, [..][LANES], that are the same for every
 * method, in the widest registers that the processor has: of AVX-512 one has all lanes.
 */
#ifndef SALTUS_LANE_LOOPS_H
#define SALTUS_LANE_LOOPS_H

struct lane_loops {
    /* t + node h for so many nodes: times [count][LANES] */
    void (*times)(int count, const double *node, const double *t, const double *h,
                  double *times);
    /* end = x + change, and what rounding takes from it: as simd.h, of [rows][LANES] */
    void (*sum)(int rows, const double *x, const double *change, double *end,
                double *lost);
    /* one = other where `moves` [LANES] is true. */
    void (*move)(int rows, const double *moves, double *one, const double *other);
    /* The largest |x| of each group, components begin[g] .. begin[g + 1]; not finite:
       INFINITY. out [groups][LANES] */
    void (*largest)(int groups, const int *begin, const double *x, double *out);
    /* The sum of the squares of one - other, row after row. out [LANES] */
    void (*distance)(int rows, const double *one, const double *other, double *out);
};

const struct lane_loops *lane_loops(void);

#endif
