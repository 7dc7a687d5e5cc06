/*
 * pair_rows.h - makes the functions of the table ROWS, "method.def", one for every row and
 * in every instruction set: plain_rows and, in AVX2_ROWS, those for AVX2 or NULL.
 */
#include <math.h>

#include "lanes.h"

#define NAME(x) plain_##x
#define TARGET
#define MULTIPLY_ADD(sum, a, b)                                                         \
    for (int l = 0; l < PACK; l++)                                                      \
        (sum)[l] = fma((a)[l], (b)[l], (sum)[l]);
#include "pair_rows_in.h"

#ifdef __x86_64__
#include <immintrin.h>

#define NAME(x) avx2_##x
#define TARGET __attribute__((target("avx2,fma")))
#define MULTIPLY_ADD(sum, a, b) sum = _mm256_fmadd_pd(a, b, sum);
#include "pair_rows_in.h"
#define AVX2_ROWS &avx2_rows
#else
#define AVX2_ROWS NULL
#endif
