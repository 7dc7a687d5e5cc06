/*
 * lane_loops.h - SIMD loops over rows of lanes, [..][LANES], that all methods share, in
 * the widest registers that the processor has: one of AVX-512 holds all lanes.
 */
#ifndef SALTUS_LANE_LOOPS_H
#define SALTUS_LANE_LOOPS_H

struct lane_loops {
    /* times [count][LANES] = t + node h, with node [count], t and h [LANES]. */
    void (*times)(int count, const double *node, const double *t, const double *h,
                  double *times);
    /* end = x + change, and lost, the rounding error (TWO_SUM in simd.h);
       [rows][LANES]. */
    void (*sum)(int rows, const double *x, const double *change, double *end,
                double *lost);
    /* one = other in lanes where `moves` [LANES] is not 0; [rows][LANES]. */
    void (*move)(int rows, const double *moves, double *one, const double *other);
    /* out [groups][LANES] = the largest |x| of components begin[g] .. begin[g + 1];
       INFINITY if one is not finite. */
    void (*largest)(int groups, const int *begin, const double *x, double *out);
    /* out [LANES] = the sum of the squares of one - other, both [rows][LANES]. */
    void (*distance)(int rows, const double *one, const double *other, double *out);
};

/* The loops in the widest registers that the processor has. */
const struct lane_loops *lane_loops(void);

#endif
