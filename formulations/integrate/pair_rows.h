/*
 * pair_rows.h - makes the functions of a table, one for every row: one pass over memory,
 * no zero terms. Included once for every instruction set, with
 *
 *     ROWS     "method.def"
 *     NAME(x)  x with the instruction set pasted to it
 *     TARGET   what tells the compiler so
 */
#define TERM(j, value) + (value)*((const pack *)k[j])[n]
#define RATIO(j, p, q) + ((double)(p)/(double)(q))*((const pack *)k[j])[n]
#define DIFFERENCE(j, p, q, r, s)                                                       \
    + ((double)(p)/(double)(q) - (double)(r)/(double)(s))*((const pack *)k[j])[n]
#define H(n) ((const pack *)h)[(n) % (LANES/PACK)]
#define STAGE(i, c, ...)                                                                \
    TARGET static void NAME(stage_##i)(int packs, const double *h, const double *restrict x,\
                                       double *const *restrict k, double *restrict y)   \
    {                                                                                   \
        for (int n = 0; n < packs; n++)                                                 \
            ((pack *)y)[n] = ((const pack *)x)[n] + H(n)*(__VA_ARGS__);                 \
    }
#define ROW(name, ...)                                                                  \
    TARGET static void name(int packs, const double *h, const double *restrict x,       \
                            double *const *restrict k, double *restrict y)              \
    {                                                                                   \
        (void)x;                                                                        \
        for (int n = 0; n < packs; n++)                                                 \
            ((pack *)y)[n] = H(n)*(__VA_ARGS__);                                        \
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
#undef NAME
#undef TARGET
