/*
 * control_lanes_kernel.h - the error of a step in one instruction set (simd_targets.h,
 * lane_rows.h). For control_lanes.c.
 */
LANE_ROWS

/* Of groups that come to x, which are in lanes->size already. */
TARGET static inline void NAME(note_sizes)(struct control_lanes *lanes, int l)
{
    for (int g = 0; g < lanes->groups; g++) {
        NAME(row) size = ROW(lanes->size, g), before = ROW(lanes->amplitude, g);

        ROW(lanes->size, g) = LARGER_ROW(size, before);
    }
}

/* From the largest parts of error vectors in lanes->norm to the largest error of a group,
   squared, as in norms.c. Where a lane has no floor its share makes nothing of it; if
   that is nothing of infinity, the group that would be the floor has an infinite error
   itself. */
TARGET static inline void NAME(find_worst)(struct control_lanes *lanes, int errors,
                                           double second, double *square, int l)
{
    const NAME(row) zero = { 0 }, infinite = zero + INFINITY;
    NAME(row) worst = zero;

    for (int g = 0; g < lanes->groups; g++) {
        NAME(row) size = ROW(lanes->size, g), before = ROW(lanes->amplitude, g);
        NAME(row) most = NORMS_GROWTH*before;
        NAME(row) level = WHERE((before > 0) & (size > most), most, size);

        if (lanes->of[g] >= 0) {
            NAME(row) floor = ROW(lanes->share, g)*ROW(lanes->level, lanes->of[g]);
            level = WHERE(floor > level, floor, level);
        }
        ROW(lanes->level, g) = level;
        NAME(row) unit = lanes->rtol*level + lanes->atol;
        NAME(row) first = ROW(lanes->norm[0], g), other = ROW(lanes->norm[errors - 1], g);
        NAME(row) norm = first/unit, squared = norm*norm, error = squared;
        NAME(mask) finite = (size + first + other < infinite);
        if (second != 0) {
            NAME(row) share = second*(other/unit);
            error = ERROR_SQUARE(squared, share*share);
        }
        error = WHERE(squared > 0, error, zero);
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
