/*
 * pair_rows.h - makes the functions of the table ROWS, "method.def", one for every row
 * and in every instruction set: plain_rows and, in WIDE_ROWS, those for AVX2 and AVX-512
 * or NULL. And nodes[], of its stages.
 */
#include <math.h>

#include "lanes.h"

#define NAME(x) plain_##x
#define TARGET
#define WIDTH PACK
#define SPREAD(a) ((const pack){a, a, a, a})
#define MULTIPLY_ADD(sum, a, b)                                                         \
    for (int l = 0; l < PACK; l++)                                                      \
        (sum)[l] = fma((a)[l], (b)[l], (sum)[l]);
#include "pair_rows_in.h"

#ifdef __x86_64__
#include <immintrin.h>

#define NAME(x) avx2_##x
#define TARGET __attribute__((target("avx2,fma")))
#define WIDTH 4
#define SPREAD(a) _mm256_set1_pd(a)
#define MULTIPLY_ADD(sum, a, b) sum = _mm256_fmadd_pd(a, b, sum);
#include "pair_rows_in.h"

#define NAME(x) avx512_##x
#define TARGET __attribute__((target("avx512f")))
#define WIDTH 8
#define SPREAD(a) _mm512_set1_pd(a)
#define MULTIPLY_ADD(sum, a, b) sum = _mm512_fmadd_pd(a, b, sum);
#include "pair_rows_in.h"
#define WIDE_ROWS .avx2 = &avx2_rows, .avx512 = &avx512_rows
#else
#define WIDE_ROWS .avx2 = NULL, .avx512 = NULL
#endif

static const double nodes[] = {
#define STAGE(i, c, ...) [i] = c,
#include ROWS
};
