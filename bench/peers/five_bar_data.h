/*
 * five_bar_data.h - the numbers of the mechanism of five_bar.h, and vectors of four
 * lanes, private to five_bar*.c.
 */
#ifndef SALTUS_FIVE_BAR_DATA_H
#define SALTUS_FIVE_BAR_DATA_H

#include <math.h>
#include <string.h>
#ifdef __AVX__
#include <immintrin.h>
#endif

typedef double v4 __attribute__((vector_size(32)));

/* The functions become parts of one, which share the registers. */
#define INLINE static inline __attribute__((always_inline))

/* --- data --------------------------------------------------------------------------- */

#define L01 2.236067977499789696
#define L02 2.061552812808830275
#define STIFFNESS 100.0
#define GRAVITY 9.81
#define K_D 20.0
#define K_P 100.0
#define ALPHA 1e5
#define A_X (-0.5)
#define B_X 0.5

enum { POINTS = 3 };

/* Squared lengths of outer and inner bars. */
#define OUTER 2.0
#define INNER (13.0/4)

/* M of the points is ( a b 0; b c b; 0 b a ) in both directions; W = M^-1. */
#define M_A (2.5/3)
#define M_B 0.25
#define M_C 1.0
#define M_DET (M_A*(M_A*M_C - 2*M_B*M_B))
#define W11 ((M_A*M_C - M_B*M_B)/M_DET)
#define W12 (-M_A*M_B/M_DET)
#define W13 (M_B*M_B/M_DET)
#define W22 (M_A*M_A/M_DET)

/* Half of the weight of a bar at each of its ends. */
#define WEIGHT1 (-1.25*GRAVITY)
#define WEIGHT2 (-1.5*GRAVITY)

/* --- vectors ------------------------------------------------------------------------ */

#define PAIR(a, b) ((v4){a, b, a, b})
#define SHUFFLE(a, b, i, j) __builtin_shufflevector(a, b, i, j, (i) + 2, (j) + 2)

/* Parts of a = (x, y): first is (x, x), second (y, y), swapped (y, x), total (x + y,
   x + y). Given two vectors, firsts are both x, seconds both y, totals both x + y. */
INLINE v4 first(v4 a) { return SHUFFLE(a, a, 0, 0); }
INLINE v4 second(v4 a) { return SHUFFLE(a, a, 1, 1); }
INLINE v4 swapped(v4 a) { return SHUFFLE(a, a, 1, 0); }
INLINE v4 firsts(v4 a, v4 b) { return SHUFFLE(a, b, 0, 4); }
INLINE v4 seconds(v4 a, v4 b) { return SHUFFLE(a, b, 1, 5); }
INLINE v4 totals(v4 a, v4 b) { return firsts(a, b) + seconds(a, b); }
INLINE v4 total(v4 a) { return a + swapped(a); }

/* Compilers make no vector of square roots from C, and gcc 12 is slow to double a
   point. */
#ifdef __AVX__
INLINE v4 both(const double *point)
{
    return _mm256_broadcast_pd((const __m128d *)(const void *)point);
}

INLINE v4 roots(v4 a) { return _mm256_sqrt_pd(a); }
#else
INLINE v4 both(const double *point) { return PAIR(point[0], point[1]); }
INLINE v4 roots(v4 a) { return PAIR(sqrt(a[0]), sqrt(a[1])); }
#endif

INLINE v4 load(const double *lanes)
{
    v4 x;
    memcpy(&x, lanes, sizeof x);
    return x;
}

INLINE void store(double *lanes, v4 x)
{
    memcpy(lanes, &x, sizeof x);
}

#endif
