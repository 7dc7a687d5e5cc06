#include "packs.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "lanes.h"

typedef int64_t bits __attribute__((vector_size(PACK*sizeof(int64_t)), aligned(8),
                                    may_alias));

#define INLINE static inline __attribute__((always_inline))

/* The error of a sum of two numbers is a double (Knuth, TAOCP 2, 4.2.2, theorem B). */
INLINE void sum(int packs, const double *x, const double *change, double *end, double *lost)
{
    for (int n = 0; n < packs; n++) {
        pack from = ((const pack *)x)[n], by = ((const pack *)change)[n];
        pack to = from + by, share = to - from;

        ((pack *)lost)[n] = (from - (to - share)) + (by - share);
        ((pack *)end)[n] = to;
    }
}

INLINE void move(int dim, const double *moves, double *one, const double *other)
{
    enum { EACH = LANES/PACK };

    for (int l = 0; l < EACH; l++) {
        bits there = ((const pack *)moves)[l] != 0;

        for (int n = l; n < dim*EACH; n += EACH)
            ((bits *)one)[n] = (((const bits *)other)[n] & there) |
                               (((const bits *)one)[n] & ~there);
    }
}

/* Magnitudes compare like their bits do, those that are not numbers above infinity. */
INLINE void largest(int first, int count, const double *x, double *out)
{
    enum { EACH = LANES/PACK };
    const bits positive = (bits){0} + INT64_MAX;
    const bits infinite = (bits){0} + (INT64_C(0x7ff) << 52);

    for (int l = 0; l < EACH; l++) {
        bits most = {0};

        for (int n = first*EACH + l; n < (first + count)*EACH; n += EACH) {
            bits here = ((const bits *)x)[n] & positive, more = here > most;

            most = (here & more) | (most & ~more);
        }
        bits finite = most < infinite;
        ((bits *)out)[l] = (most & finite) | (infinite & ~finite);
    }
}

#define SHUFFLED __builtin_shufflevector

/* Components n .. n + 3 of four lanes. */
INLINE void spread_block(int n, const pack *x, double *const *out)
{
    enum { EACH = LANES/PACK };
    pack a = x[n*EACH], b = x[(n + 1)*EACH], c = x[(n + 2)*EACH], d = x[(n + 3)*EACH];
    pack even = SHUFFLED(a, b, 0, 4, 2, 6), odd = SHUFFLED(a, b, 1, 5, 3, 7);
    pack even2 = SHUFFLED(c, d, 0, 4, 2, 6), odd2 = SHUFFLED(c, d, 1, 5, 3, 7);
    const pack lane[PACK] = { SHUFFLED(even, even2, 0, 1, 4, 5),
                              SHUFFLED(odd, odd2, 0, 1, 4, 5),
                              SHUFFLED(even, even2, 2, 3, 6, 7),
                              SHUFFLED(odd, odd2, 2, 3, 6, 7) };

    for (int l = 0; l < PACK; l++)
        if (out[l])
            *(pack *)(out[l] + n) = lane[l];
}

INLINE void spread(int dim, const double *x, double *const *out)
{
    int whole = dim/PACK*PACK;

    for (int l = 0; l < LANES; l += PACK)
        for (int n = 0; n < whole; n += PACK)
            spread_block(n, (const pack *)(x + l), out + l);
    for (int l = 0; l < LANES; l++)
        for (int n = whole; n < dim && out[l]; n++)
            out[l][n] = x[n*LANES + l];
}

/* Every loop in one instruction set. */
#define LOOPS(name, TARGET)                                                             \
    TARGET static void name##_sum(int packs, const double *x, const double *change,     \
                                  double *end, double *lost)                            \
    {                                                                                   \
        sum(packs, x, change, end, lost);                                               \
    }                                                                                   \
    TARGET static void name##_move(int dim, const double *moves, double *one,           \
                                   const double *other)                                 \
    {                                                                                   \
        move(dim, moves, one, other);                                                   \
    }                                                                                   \
    TARGET static void name##_largest(int first, int count, const double *x,            \
                                      double *out)                                      \
    {                                                                                   \
        largest(first, count, x, out);                                                  \
    }                                                                                   \
    TARGET static void name##_spread(int dim, const double *x, double *const *out)      \
    {                                                                                   \
        spread(dim, x, out);                                                            \
    }                                                                                   \
    static const struct pack_loops name##_loops = {name##_sum, name##_move,             \
                                                   name##_largest, name##_spread};

LOOPS(plain, )
#ifdef __x86_64__
LOOPS(avx2, __attribute__((target("avx2"))))
#endif

const struct pack_loops *pack_loops(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return &avx2_loops;
#endif
    return &plain_loops;
}
