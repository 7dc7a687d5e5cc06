/*
 * simd_targets.h - one text in several instruction sets: includes SET_TEXT, loops over
 * packs, in plain C, on x86-64 for AVX2, and for AVX-512 where LANES_TOO is defined. The
 * text uses
 *
 *     NAME(x)  x with the instruction set pasted to it
 *     TARGET   attribute of functions that selects the instruction set
 *     WIDTH    number of numbers in a register
 *     SPREAD(a)                a register of WIDTH times a
 *     MULTIPLY_ADD(sum, a, b)  sum += a*b, of registers: a product and its sum are
 *                              rounded once, so that all sets give the same
 *     LARGER(most, here)       most = here > most ? here : most, number by number
 *
 * and undefines at its end all but the last of them.
 */
#include <math.h>

#include "simd.h"

#define NAME(x) plain_##x
#define TARGET
#define WIDTH PACK
#define SPREAD(a) ((const pack){a, a, a, a})
#define MULTIPLY_ADD(sum, a, b)                                                         \
    for (int l = 0; l < PACK; l++)                                                      \
        (sum)[l] = fma((a)[l], (b)[l], (sum)[l]);
#undef LARGER
#define LARGER(most, here) SIMD_ENLARGE(most, here);
#include SET_TEXT

#ifdef __x86_64__
#include <immintrin.h>

#define NAME(x) avx2_##x
#define TARGET __attribute__((target("avx2,fma")))
#define WIDTH 4
#define SPREAD(a) _mm256_set1_pd(a)
#define MULTIPLY_ADD(sum, a, b) sum = _mm256_fmadd_pd(a, b, sum);
#undef LARGER
#define LARGER(most, here) most = _mm256_max_pd(here, most);
#include SET_TEXT

#ifdef LANES_TOO
#define NAME(x) avx512_##x
#define TARGET __attribute__((target("avx512f")))
#define WIDTH 8
#define SPREAD(a) _mm512_set1_pd(a)
#define MULTIPLY_ADD(sum, a, b) sum = _mm512_fmadd_pd(a, b, sum);
#undef LARGER
#define LARGER(most, here) most = _mm512_max_pd(here, most);
#include SET_TEXT
#endif
#endif
