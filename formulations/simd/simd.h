/*
 * simd.h - SIMD packs of four numbers: loops over whole packs that all methods share,
 * with AVX2 where the processor has it. Arrays may have any length. Lanes have loops of
 * their own (lane_loops.h).
 */
#ifndef SALTUS_SIMD_H
#define SALTUS_SIMD_H

#include <stddef.h>
#include <stdint.h>

enum { PACK = 4 };

/* Arrays of numbers may be read as packs, at any address. */
typedef double pack
    __attribute__((vector_size(PACK*sizeof(double)), aligned(8), may_alias));
typedef int64_t bits __attribute__((vector_size(PACK*sizeof(int64_t)), aligned(8),
                                    may_alias));

/* Unrolls the loop that follows, up to eight times. */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

/* Number by number: a where `mask` is true, else b. */
#define SIMD_WHERE(mask, a, b) ((pack)(((bits)(a) & (mask)) | ((bits)(b) & ~(mask))))
/* |a|, number by number. */
#define SIMD_ABS(a) ((pack)((bits)(a) & INT64_MAX))
/* most = the larger of most and here, number by number; a number of `here` that is not a
   number is left out. The loop becomes one instruction. */
#define SIMD_ENLARGE(most, here)                                                        \
    do {                                                                                \
        pack here_ = here, most_ = most;                                                \
                                                                                        \
        for (int l_ = 0; l_ < PACK; l_++)                                               \
            most_[l_] = here_[l_] > most_[l_] ? here_[l_] : most_[l_];                  \
        most = most_;                                                                   \
    } while (0)

/* DO(type, n) for `count` numbers, from number n on, as many at a time as `type` holds:
   whole packs, then the rest one by one. */
#define PACKS_AND_REST(count, DO)                                                       \
    do {                                                                                \
        int n_ = 0;                                                                     \
                                                                                        \
        for (; n_ + PACK <= (count); n_ += PACK)                                        \
            DO(pack, n_);                                                               \
        for (; n_ < (count); n_++)                                                      \
            DO(double, n_);                                                             \
    } while (0)

/* end = x + change, and `lost`, the rounding error of this sum, from number n on, as many
   as `type` holds. The error of a sum of two numbers is a double (Knuth, TAOCP 2, 4.2.2,
   theorem B). */
#define TWO_SUM(type, n)                                                                \
    do {                                                                                \
        type from = *(const type *)(x + (n)), by = *(const type *)(change + (n));       \
        type to = from + by, share = to - from;                                         \
                                                                                        \
        *(type *)(lost + (n)) = (from - (to - share)) + (by - share);                   \
        *(type *)(end + (n)) = to;                                                      \
    } while (0)

/* Functions of vectors, and loops that SIMD_WIDEST takes, are always part of their
   callers: the warning about passing vectors that a processor may lack does not apply. */
#pragma GCC diagnostic ignored "-Wpsabi"
#define INLINE static inline __attribute__((always_inline))

/* Defines `name`, which is `loops`, an INLINE function, compiled with AVX2 for processors
   that have it, and without: one text for both. */
#ifdef __x86_64__
#define SIMD_WIDEST(name, loops, PARAMETERS, ARGUMENTS)                                 \
    __attribute__((target("avx2"))) static void name##_by_avx2 PARAMETERS               \
    {                                                                                   \
        loops ARGUMENTS;                                                                \
    }                                                                                   \
    __attribute__((noinline)) static void name##_without PARAMETERS                     \
    {                                                                                   \
        loops ARGUMENTS;                                                                \
    }                                                                                   \
    static void name PARAMETERS                                                         \
    {                                                                                   \
        if (__builtin_cpu_supports("avx2"))                                             \
            name##_by_avx2 ARGUMENTS;                                                   \
        else                                                                            \
            name##_without ARGUMENTS;                                                   \
    }
#else
#define SIMD_WIDEST(name, loops, PARAMETERS, ARGUMENTS)                                 \
    static void name PARAMETERS                                                         \
    {                                                                                   \
        loops ARGUMENTS;                                                                \
    }
#endif

/* Four of the numbers x [count], count > 0, from number n on; where fewer are left, the
   last ones: what asks for the largest of all may read numbers twice. */
INLINE pack pack_within(const double *x, int count, int n)
{
    int last = count - PACK;
    if (last < 0)
        return (pack){x[0], x[count/2], x[count - 1], x[0]};
    return *(const pack *)(x + (n < last ? n : last));
}

/* The largest of four numbers that are none of them not a number. */
INLINE double pack_largest(pack of)
{
    double one = of[0] > of[1] ? of[0] : of[1];
    double two = of[2] > of[3] ? of[2] : of[3];
    return one > two ? one : two;
}

struct simd_loops {
    /* lost = 0 where x is not `known` (compensated_start); all [dim]. */
    void (*recall)(int dim, const double *x, const double *known, double *lost);
    /* end = also = x + change, and lost, the rounding error (compensated_sum); all
       [dim]. */
    void (*sum)(int dim, const double *x, const double *change, double *end,
                double *also, double *lost);
};

/* The loops in the widest registers that the processor has. */
const struct simd_loops *simd_loops(void);

/* The number of packs that hold `dim` numbers, padded. */
int simd_packs(int dim);

#endif
