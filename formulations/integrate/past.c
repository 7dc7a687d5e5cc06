#include "past.h"

#include <math.h>

#include "packs.h"

#define NAME(x) plain_##x
#define TARGET
#define SPREAD(a) (const pack){a, a, a, a}
#define MULTIPLY_ADD(sum, a, b)                                                         \
    for (int l = 0; l < PACK; l++)                                                      \
        (sum)[l] = fma((a)[l], (b)[l], (sum)[l]);
#include "past_in.h"

#ifdef __x86_64__
#include <immintrin.h>

#define NAME(x) avx2_##x
#define TARGET __attribute__((target("avx2,fma")))
#define SPREAD(a) _mm256_set1_pd(a)
#define MULTIPLY_ADD(sum, a, b) sum = _mm256_fmadd_pd(a, b, sum);
#include "past_in.h"
#endif

const struct past_loops *past_loops(bool widest)
{
    (void)widest;
#ifdef __x86_64__
    if (widest && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2_loops;
#endif
    return &plain_loops;
}
