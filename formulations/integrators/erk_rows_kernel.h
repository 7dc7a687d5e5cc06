/*
 * erk_rows_kernel.h - the functions of the rows of a method, ROWS = "method.def", in one
 * instruction set (simd_targets.h): one pass over memory, no zero terms. Private to
 * erk_rows.h.
 */
typedef double NAME(wide)
    __attribute__((vector_size(WIDTH*sizeof(double)), aligned(8), may_alias));
#define WIDE(p) ((NAME(wide) *)(p))
#define READ(p) ((const NAME(wide) *)(p))

/* A term is added to MANY registers at a time: their sums do not wait for one another. */
#ifdef ON_DIFFERENCES
#define PLUS(j, value)                                                                  \
    UNROLL for (int m = 0; (j) > 0 && m < MANY; m++)                                    \
        MULTIPLY_ADD(sum[m], SPREAD(value), READ(k[j] + n)[m] - READ(k[0] + n)[m])
#define START(c) MULTIPLY_ADD(sum[m], SPREAD(c), READ(k[0] + n)[m])
#else
#define PLUS(j, value)                                                                  \
    UNROLL for (int m = 0; m < MANY; m++)                                               \
        MULTIPLY_ADD(sum[m], SPREAD(value), READ(k[j] + n)[m])
#define START(c)
#endif
#define TERM(j, value) PLUS(j, value)
#define RATIO(j, p, q) PLUS(j, (double)(p)/(double)(q))
#define DIFFERENCE(j, p, q, r, s)                                                       \
    PLUS(j, (double)(p)/(double)(q) - (double)(r)/(double)(s))
#define H (*READ(h + (n + (size_t)m*WIDTH) % LANES))
#define ROW_OF(many, END, ...)                                                          \
    for (; n + many*WIDTH <= (size_t)packs*PACK; n += many*WIDTH) {                     \
        enum { MANY = many };                                                           \
        NAME(wide) sum[MANY] = {{0}};                                                   \
                                                                                        \
        __VA_ARGS__                                                                     \
        UNROLL for (int m = 0; m < MANY; m++) {                                         \
            NAME(wide) end = END;                                                       \
                                                                                        \
            WIDE(y + n)[m] = end;                                                       \
        }                                                                               \
    }
#define ROW(name, END, ...)                                                             \
    TARGET static void NAME(name)(int packs, const double *h, const double *restrict x, \
                                  double *const *restrict k, double *restrict y)        \
    {                                                                                   \
        size_t n = 0;                                                                   \
                                                                                        \
        (void)h, (void)x;                                                               \
        ROW_OF(3, END, __VA_ARGS__)                                                     \
        ROW_OF(1, END, __VA_ARGS__)                                                     \
    }
#define STAGE(i, c, ...)                                                                \
    ROW(stage_##i, READ(x + n)[m]; START(c) MULTIPLY_ADD(end, H, sum[m]), __VA_ARGS__)
#define ERROR(i, ...) ROW(error_##i, H*sum[m], __VA_ARGS__)
#define DENSE(i, ...) ROW(dense_##i, H*sum[m], __VA_ARGS__)
#include ROWS

static const struct erk_rows NAME(rows) = {
    .stage =
        {
#define STAGE(i, c, ...) [i] = NAME(stage_##i),
#include ROWS
        },
    .error =
        {
#define ERROR(i, ...) [i] = NAME(error_##i),
#include ROWS
        },
    .dense =
        {
#define DENSE(i, ...) [i] = NAME(dense_##i),
#include ROWS
        },
};

#undef H
#undef ROW
#undef ROW_OF
#undef PLUS
#undef START
#undef MULTIPLY_ADD
#undef SPREAD
#undef READ
#undef WIDE
#undef WIDTH
#undef NAME
#undef TARGET
