/*
 * lane_loops_kernel.h - the loops of lane_loops.h in one instruction set
 * (simd_targets.h); private to lane_loops.c.
 */
LANE_ROWS

TARGET static void NAME(times)(int count, const double *node, const double *t,
                               const double *h, double *times)
{
    for (int l = 0; l < LANES; l += WIDTH)
        for (int i = 0; i < count; i++)
            ROW(times, i) = READ_ROW(t, 0) + node[i]*READ_ROW(h, 0);
}

TARGET static void NAME(sum)(int rows, const double *x, const double *change, double *end,
                             double *lost)
{
    for (int n = 0; n < rows*LANES; n += WIDTH)
        TWO_SUM(NAME(row), n);
}

TARGET static void NAME(move)(int rows, const double *moves, double *one,
                              const double *other)
{
    for (int l = 0; l < LANES; l += WIDTH) {
        NAME(mask) there = READ_ROW(moves, 0) != 0;

        for (int k = 0; k < rows; k++)
            ROW(one, k) = WHERE(there, READ_ROW(other, k), ROW(one, k));
    }
}

/* All lanes are done at once, so that none waits for the one before it. A component that
   is not a number is left out of the largest, and shows in the sum: a sum of magnitudes
   is not a number for no other reason. */
TARGET static void NAME(largest)(int groups, const int *begin, const double *x,
                                 double *out)
{
    enum { EACH = LANES/WIDTH };

    for (int g = 0; g < groups; g++) {
        NAME(row) most[EACH] = {{0}}, sum[EACH] = {{0}};

        for (int n = begin[g]; n < begin[g + 1]; n++)
            UNROLL
            for (int e = 0, l = 0; e < EACH; e++, l += WIDTH) {
                NAME(row) here = MAGNITUDE(READ_ROW(x, n));

                sum[e] += here;
                LARGER(most[e], here)
            }
        UNROLL
        for (int e = 0, l = 0; e < EACH; e++, l += WIDTH)
            ROW(out, g) = WHERE(sum[e] == sum[e], most[e], (NAME(row)){0} + INFINITY);
    }
}

TARGET static void NAME(distance)(int rows, const double *one, const double *other,
                                  double *out)
{
    for (int l = 0; l < LANES; l += WIDTH) {
        NAME(row) squares = {0};

        for (int n = 0; n < rows; n++) {
            NAME(row) apart = READ_ROW(one, n) - READ_ROW(other, n);

            squares += apart*apart;
        }
        ROW(out, 0) = squares;
    }
}

static const struct lane_loops NAME(loops) = {NAME(times), NAME(sum), NAME(move),
                                              NAME(largest), NAME(distance)};

#undef MULTIPLY_ADD
#undef SPREAD
#undef WIDTH
#undef NAME
#undef TARGET
