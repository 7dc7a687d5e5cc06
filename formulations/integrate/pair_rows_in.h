/*
 * pair_rows_in.h - the functions of the table ROWS, "method.def", in one instruction set
 * (each_set.h): one pass over memory, no zero terms. For pair_rows.h.
 */
typedef double NAME(wide)
    __attribute__((vector_size(WIDTH*sizeof(double)), aligned(8), may_alias));
#define WIDE(p) ((NAME(wide) *)(p))
#define READ(p) ((const NAME(wide) *)(p))

#define PLUS(j, value) MULTIPLY_ADD(sum, SPREAD(value), *READ(k[j] + n))
#define TERM(j, value) PLUS(j, value)
#define FROM(j) sum = *READ(k[j] + n);
#define RATIO(j, p, q) PLUS(j, (double)(p)/(double)(q))
#define DIFFERENCE(j, p, q, r, s)                                                       \
    PLUS(j, (double)(p)/(double)(q) - (double)(r)/(double)(s))
#define H(n) (*READ(h + (n) % LANES))
#define STAGE(i, c, ...)                                                                \
    TARGET static void NAME(stage_##i)(int packs, const double *h,                      \
                                       const double *restrict x,                        \
                                       double *const *restrict k, double *restrict y)   \
    {                                                                                   \
        for (size_t n = 0; n < (size_t)packs*PACK; n += WIDTH) {                        \
            NAME(wide) sum = {0}, end = *READ(x + n);                                   \
            __VA_ARGS__                                                                 \
            MULTIPLY_ADD(end, H(n), sum)                                                \
            *WIDE(y + n) = end;                                                         \
        }                                                                               \
    }
#define ROW(name, end, ...)                                                             \
    TARGET static void name(int packs, const double *h, const double *restrict x,       \
                            double *const *restrict k, double *restrict y)              \
    {                                                                                   \
        (void)h, (void)x;                                                               \
        for (size_t n = 0; n < (size_t)packs*PACK; n += WIDTH) {                        \
            NAME(wide) sum = {0};                                                       \
            __VA_ARGS__                                                                 \
            *WIDE(y + n) = end;                                                         \
        }                                                                               \
    }
#define ERROR(i, ...) ROW(NAME(error_##i), H(n)*sum, __VA_ARGS__)
#define DENSE(i, ...) ROW(NAME(dense_##i), H(n)*sum, __VA_ARGS__)
#define SLOPE(i, ...) ROW(NAME(slope_##i), sum, __VA_ARGS__)
#include ROWS

static const struct pair_rows NAME(rows) = {
    .stage = {
#define STAGE(i, c, ...) [i] = NAME(stage_##i),
#include ROWS
    },
    .error = {
#define ERROR(i, ...) [i] = NAME(error_##i),
#include ROWS
    },
    .dense = {
#define DENSE(i, ...) [i] = NAME(dense_##i),
#include ROWS
    },
    .slope = {
        [0] = NULL,                     /* few tables have any */
#undef SLOPE
#define SLOPE(i, ...) [i] = NAME(slope_##i),
#include ROWS
    },
};

#undef SLOPE
#undef H
#undef FROM
#undef ROW
#undef PLUS
#undef MULTIPLY_ADD
#undef SPREAD
#undef READ
#undef WIDE
#undef WIDTH
#undef NAME
#undef TARGET
