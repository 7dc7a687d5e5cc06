/*
 * lane_loops_in.h - the loops of lane_loops.h in one instruction set (each_set.h). For
 * lane_loops.c.
 */
typedef double NAME(wide)
    __attribute__((vector_size(WIDTH*sizeof(double)), aligned(8), may_alias));
typedef int64_t NAME(mask)
    __attribute__((vector_size(WIDTH*sizeof(int64_t)), aligned(8), may_alias));
#define AT(p, n) (*(NAME(wide) *)((p) + (n)))
#define READ(p, n) (*(const NAME(wide) *)((p) + (n)))
#define WHERE(is, a, b)                                                                 \
    ((NAME(wide))(((NAME(mask))(a) & (is)) | ((NAME(mask))(b) & ~(is))))

TARGET static void NAME(times)(int count, const double *node, const double *t,
                               const double *h, double *times)
{
    for (int l = 0; l < LANES; l += WIDTH)
        for (int i = 0; i < count; i++)
            AT(times, i*LANES + l) = READ(t, l) + node[i]*READ(h, l);
}

TARGET static void NAME(sum)(int rows, const double *x, const double *change, double *end,
                             double *lost)
{
    for (int n = 0; n < rows*LANES; n += WIDTH)
        TWO_SUM(NAME(wide), n);
}

TARGET static void NAME(move)(int rows, const double *moves, double *one,
                              const double *other)
{
    for (int l = 0; l < LANES; l += WIDTH) {
        NAME(mask) there = READ(moves, l) != 0;

        for (int n = l; n < rows*LANES; n += LANES)
            AT(one, n) = WHERE(there, READ(other, n), READ(one, n));
    }
}

/* Of all lanes at once, so that none waits for the one before it. What is not a number is
   left out of the largest, and makes none of the sum: which nothing else does to one of
   magnitudes. */
TARGET static void NAME(largest)(int groups, const int *begin, const double *x,
                                 double *out)
{
    enum { EACH = LANES/WIDTH };

    for (int g = 0; g < groups; g++) {
        NAME(wide) most[EACH] = {{0}}, sum[EACH] = {{0}};

        for (int n = begin[g]; n < begin[g + 1]; n++)
            UNROLL
            for (int l = 0; l < EACH; l++) {
                NAME(mask) size = (NAME(mask))READ(x, n*LANES + l*WIDTH) & INT64_MAX;
                NAME(wide) here = (NAME(wide))size;

                sum[l] += here;
                LARGER(most[l], here)
            }
        UNROLL
        for (int l = 0; l < EACH; l++)
            AT(out, g*LANES + l*WIDTH) =
                WHERE(sum[l] == sum[l], most[l], (NAME(wide)){0} + INFINITY);
    }
}

static const struct lane_loops NAME(loops) = {
    NAME(times), NAME(sum), NAME(move), NAME(largest)};

#undef WHERE
#undef READ
#undef AT
#undef MULTIPLY_ADD
#undef SPREAD
#undef WIDTH
#undef NAME
#undef TARGET
