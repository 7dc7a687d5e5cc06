/*
 * simd.h - loops over whole packs of four numbers that are the same for every method,
 * with AVX2 where the processor has it. Arrays may be of any length. Those of lanes have
 * their own (lane_loops.h).
 */
#ifndef SALTUS_SIMD_H
#define SALTUS_SIMD_H

#include <stddef.h>
#include <stdint.h>

enum { PACK = 4 };

/* The numbers of other arrays may be read as packs, wherever they begin. */
typedef double pack
    __attribute__((vector_size(PACK*sizeof(double)), aligned(8), may_alias));
typedef int64_t bits __attribute__((vector_size(PACK*sizeof(int64_t)), aligned(8),
                                    may_alias));

/* Before a loop: all of it, up to eight times. */
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

/* Of packs, number by number: where `mask` is true a, else b; |a|. */
#define SIMD_WHERE(mask, a, b) ((pack)(((bits)(a) & (mask)) | ((bits)(b) & ~(mask))))
#define SIMD_ABS(a) ((pack)((bits)(a) & INT64_MAX))
/* The one becomes the larger of both; what is not a number is left out: one instruction,
   number by number. */
#define SIMD_ENLARGE(most, here)                                                        \
    do {                                                                                \
        pack here_ = here, most_ = most;                                                \
                                                                                        \
        for (int l_ = 0; l_ < PACK; l_++)                                               \
            most_[l_] = here_[l_] > most_[l_] ? here_[l_] : most_[l_];                  \
        most = most_;                                                                   \
    } while (0)

/* DO(type, n) for as many numbers, from number n on as many at a time as `type` has:
   whole packs, and what is left one by one. */
#define PACKS_AND_REST(count, DO)                                                       \
    do {                                                                                \
        int n_ = 0;                                                                     \
                                                                                        \
        for (; n_ + PACK <= (count); n_ += PACK)                                        \
            DO(pack, n_);                                                               \
        for (; n_ < (count); n_++)                                                      \
            DO(double, n_);                                                             \
    } while (0)

/* Of the arrays with these names from number n on, as many as `type` has: end = x +
   change, and lost, what rounding takes from it. The error of a sum of two numbers is a
   double (Knuth, TAOCP 2, 4.2.2, theorem B). */
#define TWO_SUM(type, n)                                                                \
    do {                                                                                \
        type from = *(const type *)(x + (n)), by = *(const type *)(change + (n));       \
        type to = from + by, share = to - from;                                         \
                                                                                        \
        *(type *)(lost + (n)) = (from - (to - share)) + (by - share);                   \
        *(type *)(end + (n)) = to;                                                      \
    } while (0)

/* Functions of vectors, and loops of which SIMD_WIDEST makes functions. They are always
   part of their callers: how a vector that a processor may not have would be passed on is
   of no account. */
#pragma GCC diagnostic ignored "-Wpsabi"
#define INLINE static inline __attribute__((always_inline))

/* Defines `name`, which is `loops`, INLINE, with AVX2 where the processor has it: of
   these there is one text. */
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

struct simd_loops {
    /* lost = 0 where x is not what is known: compensated_start */
    void (*recall)(int dim, const double *x, const double *known, double *lost);
    /* end = x + change, twice, and what rounding takes from it: compensated_sum */
    void (*sum)(int dim, const double *x, const double *change, double *end,
                double *also, double *lost);
};

const struct simd_loops *simd_loops(void);

/* Of how many packs are arrays of `dim` numbers, padded? */
int simd_packs(int dim);

#endif
