/*
 * control_lanes_kernel.h - the errors of steps in lanes, in one instruction set
 * (simd_targets.h, lane_rows.h); private to control_lanes.c.
 */
LANE_ROWS
#include "integrators/error_kernel.h"

/* lanes->size holds the norms of x_new and becomes the larger of norm and amplitude. */
TARGET static inline void NAME(note_sizes)(struct control_lanes *lanes, int l)
{
    for (int g = 0; g < lanes->groups; g++) {
        NAME(row) size = ROW(lanes->size, g), before = ROW(lanes->amplitude, g);

        ROW(lanes->size, g) = LARGER_ROW(size, before);
    }
}

/* square [LANES] = the largest error of a group, squared, from the norms of error vectors
   in lanes->norm. In a lane without a floor the share is 0, and 0 times an infinite level
   is not taken: the group of that level has an infinite error itself. */
TARGET static inline void NAME(find_worst)(struct control_lanes *lanes, int errors,
                                           double second, double *square, int l)
{
    const NAME(row) zero = { 0 }, infinite = zero + INFINITY;
    NAME(row) worst = zero;

    for (int g = 0; g < lanes->groups; g++) {
        NAME(row) size = ROW(lanes->size, g);
        NAME(row) level = NAME(level)(size, ROW(lanes->amplitude, g));

        if (lanes->of[g] >= 0) {
            NAME(row) floor = ROW(lanes->share, g)*ROW(lanes->level, lanes->of[g]);
            level = WHERE(floor > level, floor, level);
        }
        ROW(lanes->level, g) = level;
        NAME(row) unit = lanes->rtol*level + lanes->atol;
        NAME(row) first = ROW(lanes->norm[0], g), other = ROW(lanes->norm[errors - 1], g);
        NAME(row) error = NAME(error_square)(unit, first, other, second);
        NAME(mask) finite = (size + first + other < infinite);
        error = WHERE(finite & (error + unit < infinite), error, infinite);
        worst = WHERE(error > worst, error, worst);
    }
    ROW(square, 0) = worst;
}

TARGET static void NAME(find_all)(struct control_lanes *lanes, int errors, double second,
                                  double *square)
{
    for (int l = 0; l < LANES; l += WIDTH) {
        NAME(note_sizes)(lanes, l);
        NAME(find_worst)(lanes, errors, second, square, l);
    }
}

#undef MULTIPLY_ADD
#undef SPREAD
#undef WIDTH
#undef NAME
#undef TARGET
