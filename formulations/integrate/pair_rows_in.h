/*
 * pair_rows_in.h - the functions of a table in one instruction set: one pass over memory,
 * no zero terms, every product and its sum rounded once, so that all sets give the same.
 * For pair_rows.h, with
 *
 *     ROWS     "method.def"
 *     NAME(x)  x with the instruction set pasted to it
 *     TARGET   what tells the compiler so
 *     MULTIPLY_ADD(sum, a, b)  sum += a*b, of packs
 */
#define PLUS(j, value)                                                                  \
    MULTIPLY_ADD(sum, ((const pack){value, value, value, value}), ((const pack *)k[j])[n])
#define TERM(j, value) PLUS(j, value)
#define RATIO(j, p, q) PLUS(j, (double)(p)/(double)(q))
#define DIFFERENCE(j, p, q, r, s)                                                       \
    PLUS(j, (double)(p)/(double)(q) - (double)(r)/(double)(s))
#define H(n) ((const pack *)h)[(n) % (LANES/PACK)]
#define STAGE(i, c, ...)                                                                \
    TARGET static void NAME(stage_##i)(int packs, const double *h, const double *restrict x,\
                                       double *const *restrict k, double *restrict y)   \
    {                                                                                   \
        for (int n = 0; n < packs; n++) {                                               \
            pack sum = {0}, end = ((const pack *)x)[n];                                 \
            __VA_ARGS__                                                                 \
            MULTIPLY_ADD(end, H(n), sum)                                                \
            ((pack *)y)[n] = end;                                                       \
        }                                                                               \
    }
#define ROW(name, ...)                                                                  \
    TARGET static void name(int packs, const double *h, const double *restrict x,       \
                            double *const *restrict k, double *restrict y)              \
    {                                                                                   \
        (void)x;                                                                        \
        for (int n = 0; n < packs; n++) {                                               \
            pack sum = {0};                                                             \
            __VA_ARGS__                                                                 \
            ((pack *)y)[n] = H(n)*sum;                                                  \
        }                                                                               \
    }
#define ERROR(i, ...) ROW(NAME(error_##i), __VA_ARGS__)
#define DENSE(i, ...) ROW(NAME(dense_##i), __VA_ARGS__)
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
};

#undef H
#undef ROW
#undef PLUS
#undef MULTIPLY_ADD
#undef NAME
#undef TARGET
