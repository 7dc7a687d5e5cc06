/*
 * simd.c - loops over packs: compensated summation in every instruction set.
 */
#include "simd.h"

/* --- sums --------------------------------------------------------------------------- */

INLINE void recall(int dim, const double *x, const double *known, double *lost)
{
    int n = 0;

    for (; n + PACK <= dim; n += PACK)
        *(bits *)(lost + n) &= *(const pack *)(x + n) == *(const pack *)(known + n);
    for (; n < dim; n++)
        lost[n] = x[n] == known[n] ? lost[n] : 0;
}

#define SUM(type, n)                                                                    \
    do {                                                                                \
        TWO_SUM(type, n);                                                               \
        *(type *)(also + (n)) = *(const type *)(end + (n));                             \
    } while (0)

INLINE void sum(int dim, const double *x, const double *change, double *end, double *also,
                double *lost)
{
    PACKS_AND_REST(dim, SUM);
}

/* Defines all loops in one instruction set. */
#define LOOPS(name, TARGET) \
    TARGET static void name##_recall(int dim, const double *x, const double *known, \
                                     double *lost) \
    { \
        recall(dim, x, known, lost); \
    } \
    TARGET static void name##_sum(int dim, const double *x, const double *change, \
                                  double *end, double *also, double *lost) \
    { \
        sum(dim, x, change, end, also, lost); \
    } \
    static const struct simd_loops name##_loops = {name##_recall, name##_sum};

LOOPS(plain, )
#ifdef __x86_64__
LOOPS(avx2, __attribute__((target("avx2"))))
#endif

const struct simd_loops *simd_loops(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return &avx2_loops;
#endif
    return &plain_loops;
}

int simd_packs(int dim)
{
    return (dim + PACK - 1)/PACK;
}
