/* fixed.c - convolution of Taylor coefficients in fixed point, by planes of digits;
   see fixed.h. */
#include "fixed.h"

#include <limits.h>
#include <string.h>

#include <gmp.h>

#if defined __x86_64__ && defined __GNUC__
#define HAS_LANES
#include <immintrin.h>
#endif

#include "mp.h"

__extension__ typedef __int128 wide;

/* The largest coefficient lies between 2^-(HEAD + ROOM) and 2^-HEAD of 2^E, so that D_j
   is between 1/4 and 3/4; the coefficients that follow are often a little larger. */
enum { HEAD = 2, ROOM = 4 };
/* Most planes of any precision. */
enum { FIXED_PLANES = MP_MAX_LIMBS * 64 / FIXED_BITS + 4 };

/* Exponents of series that have no exponent: all coefficients are zero, or one is not
   finite. */
#define ALL_ZERO  LONG_MIN
#define NO_NUMBER LONG_MAX

bool fixed_fits(const struct fixed_shape *shape)
{
    return (wide)shape->length * shape->planes < (wide)1 << (126 - 2 * FIXED_BITS);
}

/* --- digits ------------------------------------------------------------------------- */

/* FIXED_BITS bits of a significand of n limbs, the first of them `at` bits below its
   top; the significand is continued by zeros on both sides. */
static uint64_t bits_at(const mp_limb_t *limb, int n, mpfr_exp_t at)
{
    if (at <= -FIXED_BITS || at >= (mpfr_exp_t)n * GMP_NUMB_BITS)
        return 0;
    if (at < 0)
        return limb[n - 1] >> (GMP_NUMB_BITS - FIXED_BITS - at);
    int i = n - 1 - (int)(at / GMP_NUMB_BITS);
    unsigned skip = (unsigned)(at % GMP_NUMB_BITS);
    mp_limb_t bits = limb[i] << skip;
    if (skip != 0 && i > 0)
        bits |= limb[i - 1] >> (GMP_NUMB_BITS - skip);
    return bits >> (GMP_NUMB_BITS - FIXED_BITS);
}

/* Sets the digits of coefficient j, and the sums that follow; x->exponent is large enough
   for it. A negative coefficient is the complement of its magnitude, one unit of the last
   digit too low at most. */
static void set_digits(struct fixed *x, const struct fixed_shape *shape, mpfr_srcptr c,
                       int j)
{
    const uint64_t half = (uint64_t)1 << (FIXED_BITS - 1), most = 2 * half - 1;
    bool zero = !mpfr_regular_p(c), negative = !zero && mpfr_signbit(c) != 0;
    const mp_limb_t *limb = mpfr_custom_get_significand(c);
    int n = (int)(mpfr_get_prec(c) / GMP_NUMB_BITS);
    mpfr_exp_t at = zero ? 0 : mpfr_custom_get_exp(c) - x->exponent;
    const uint64_t *before = x->sum + (ptrdiff_t)j * shape->planes;
    uint64_t *after = x->sum + (ptrdiff_t)(j + 1) * shape->planes;
    for (int i = 0; i < shape->need[j]; i++, at += FIXED_BITS) {
        uint64_t d = zero ? 0 : bits_at(limb, n, at);
        if (negative)
            d = most - d;
        if (i == 0)
            d = negative ? d - half : d + half;
        x->digit[(ptrdiff_t)i * shape->length + j] = d;
        after[i] = (j == 0 ? 0 : before[i]) + d;
    }
}

void fixed_fill(struct fixed *x, const struct fixed_shape *shape, mpfr_srcptr c,
                ptrdiff_t stride, int upto)
{
    if (x->filled == 0)
        x->exponent = ALL_ZERO;
    while (x->filled <= upto && x->exponent != NO_NUMBER) {
        mpfr_srcptr now = c + x->filled * stride;
        mpfr_exp_t least = mpfr_regular_p(now) ? mpfr_custom_get_exp(now) + HEAD
                         : mpfr_zero_p(now) ? ALL_ZERO : NO_NUMBER;
        if (least > x->exponent) {
            x->exponent = least == NO_NUMBER ? NO_NUMBER : least + ROOM;
            x->filled = 0;
        } else {
            set_digits(x, shape, now, x->filled++);
        }
    }
    if (x->exponent == NO_NUMBER)
        x->filled = upto + 1;
}

/* --- convolution -------------------------------------------------------------------- */

/* Sets column c < m to the sum, over i + l = c, of the products of planes i and l, over
   `count` terms: x and y are the first digits of plane 0, those of x ascending, those of
   y descending. */
typedef void columns_fn(wide *column, int m, const uint64_t *x, const uint64_t *y,
                        ptrdiff_t length, int count);

/* sum of x[j] y[-j] over 0 <= j < n */
static inline wide inner(const uint64_t *x, const uint64_t *y, int n)
{
    wide even = 0, odd = 0;
    int j = 0;
    for (; j + 1 < n; j += 2) {
        even += (wide)x[j] * y[-j];
        odd += (wide)x[j + 1] * y[-j - 1];
    }
    if (j < n)
        even += (wide)x[j] * y[-j];
    return even + odd;
}

static void columns_by_words(wide *column, int m, const uint64_t *x, const uint64_t *y,
                             ptrdiff_t length, int count)
{
    for (int c = 0; c < m; c++) {
        column[c] = 0;
        for (int i = 0; i <= c; i++)
            column[c] += inner(x + i * length, y + (c - i) * length, count);
    }
}

#ifdef HAS_LANES
#define IN_LANES __attribute__((target("avx512f,avx512ifma")))
#define INLINED inline __attribute__((always_inline))

/* LANES terms are added at once, the low and high halves of their products apart. A tile
   is TILE planes of x by TILE planes of y, as many as registers hold: loads are slower
   than products. A lane holds 2^12 halves, more than a tile has. */
enum { LANES = 8, TILE = 4, TILE_COLUMNS = 2 * TILE - 1 };

IN_LANES static INLINED wide sum_of_lanes(__m512i low, __m512i high)
{
    uint64_t lane[2][LANES];
    wide sum[2] = {0, 0};
    _mm512_storeu_si512(lane[0], low);
    _mm512_storeu_si512(lane[1], high);
    for (int i = 0; i < LANES; i++) {
        sum[0] += lane[0][i];
        sum[1] += lane[1][i];
    }
    return (sum[1] << FIXED_BITS) + sum[0];
}

/* Adds the products of planes i, l < TILE with i + l < columns <= TILE_COLUMNS. */
IN_LANES static INLINED void tile(wide *column, const uint64_t *x, const uint64_t *y,
                                  ptrdiff_t length, int count, const int columns)
{
    const int planes = columns < TILE ? columns : TILE;
    const __m512i turned = _mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    __m512i low[TILE_COLUMNS], high[TILE_COLUMNS], X[TILE], Y[TILE];
#pragma GCC unroll 8
    for (int c = 0; c < columns; c++)
        low[c] = high[c] = _mm512_setzero_si512();
    for (int j = 0; j < count; j += LANES) {
        int left = count - j < LANES ? count - j : LANES;
        __mmask8 up = (__mmask8)((1u << left) - 1);
        __mmask8 down = (__mmask8)(up << (LANES - left));
#pragma GCC unroll 4
        for (int i = 0; i < planes; i++) {
            X[i] = _mm512_maskz_loadu_epi64(up, x + i * length + j);
            Y[i] = _mm512_maskz_loadu_epi64(down, y + i * length - j - (LANES - 1));
            Y[i] = _mm512_permutexvar_epi64(turned, Y[i]);
        }
#pragma GCC unroll 4
        for (int i = 0; i < planes; i++)
#pragma GCC unroll 4
            for (int l = 0; l < planes; l++)
                if (i + l < columns) {
                    low[i + l] = _mm512_madd52lo_epu64(low[i + l], X[i], Y[l]);
                    high[i + l] = _mm512_madd52hi_epu64(high[i + l], X[i], Y[l]);
                }
    }
#pragma GCC unroll 8
    for (int c = 0; c < columns; c++)
        column[c] += sum_of_lanes(low[c], high[c]);
}

/* Each number of columns is a loop of its own, unrolled. */
IN_LANES static void add_tile(wide *column, const uint64_t *x, const uint64_t *y,
                              ptrdiff_t length, int count, int columns)
{
    switch (columns) {
    case 1:  tile(column, x, y, length, count, 1); break;
    case 2:  tile(column, x, y, length, count, 2); break;
    case 3:  tile(column, x, y, length, count, 3); break;
    case 4:  tile(column, x, y, length, count, 4); break;
    case 5:  tile(column, x, y, length, count, 5); break;
    case 6:  tile(column, x, y, length, count, 6); break;
    default: tile(column, x, y, length, count, TILE_COLUMNS); break;
    }
}

static void columns_in_lanes(wide *column, int m, const uint64_t *x, const uint64_t *y,
                             ptrdiff_t length, int count)
{
    for (int c = 0; c < m; c++)
        column[c] = 0;
    for (int i = 0; i < m; i += TILE)
        for (int l = 0; i + l < m; l += TILE)
            add_tile(column + i + l, x + i * length, y + l * length, length, count,
                     m - i - l);
}

static columns_fn *choose_columns(void)
{
    return __builtin_cpu_supports("avx512ifma") ? columns_in_lanes : columns_by_words;
}
#else
static columns_fn *choose_columns(void)
{
    return columns_by_words;
}
#endif

/* Carries towards column 0: all other columns become digits 0 <= d < 2^FIXED_BITS. */
static void carry(wide *column, int m)
{
    for (int i = m - 1; i > 0; i--) {
        column[i - 1] += column[i] >> FIXED_BITS;
        column[i] &= ((wide)1 << FIXED_BITS) - 1;
    }
}

/* out = 2^e sum of column_i 2^(-52 i), for columns that have been carried and are not
   negative */
static void round_columns(mpfr_ptr out, const wide *column, int m, bool negative,
                          mpfr_exp_t e)
{
    mp_limb_t limb[MP_MAX_LIMBS + 8];
    int used = (m - 1) * FIXED_BITS / GMP_NUMB_BITS + 3;
    memset(limb, 0, sizeof *limb * (size_t)used);
    for (int i = m - 1; i >= 0; i--) {
        int at = (m - 1 - i) * FIXED_BITS;
        mp_limb_t *to = limb + at / GMP_NUMB_BITS;
        unsigned shift = (unsigned)(at % GMP_NUMB_BITS);
        mp_limb_t low = (mp_limb_t)column[i];
        mp_limb_t high = (mp_limb_t)(column[i] >> GMP_NUMB_BITS);
        to[0] |= low << shift;
        to[1] |= high << shift | (shift != 0 ? low >> (GMP_NUMB_BITS - shift) : 0);
        if (shift != 0)
            to[2] |= high >> (GMP_NUMB_BITS - shift);
    }
    mpfr_exp_t lowest = e - (mpfr_exp_t)(m - 1) * FIXED_BITS;
    mp_set_limbs(out, limb, used, negative, lowest + (mpfr_exp_t)used * GMP_NUMB_BITS);
}

/* Takes the halves off: column i loses half of the sums of the digits i of both
   factors, column 0 gains n/4. */
static void take_halves(wide *column, int m, const struct fixed *a,
                        const struct fixed *b, const struct fixed_shape *shape, int low,
                        int high, int k)
{
    ptrdiff_t planes = shape->planes;
    for (int i = 0; i < m; i++) {
        uint64_t sum_a = a->sum[(high + 1) * planes + i];
        uint64_t sum_b = b->sum[(k - low + 1) * planes + i];
        sum_a -= low > 0 ? a->sum[low * planes + i] : 0;
        sum_b -= high < k ? b->sum[(k - high) * planes + i] : 0;
        column[i] -= (wide)(sum_a + sum_b) << (FIXED_BITS - 1);
    }
    column[0] += (wide)(high - low + 1) << (2 * FIXED_BITS - 2);
}

void fixed_convolve(mpfr_ptr out, const struct fixed *a, const struct fixed *b,
                    const struct fixed_shape *shape, int low, int high, int k)
{
    wide column[FIXED_PLANES];
    int m = shape->need[k], count = high - low + 1;
    if (a->exponent == NO_NUMBER || b->exponent == NO_NUMBER) {
        mpfr_set_nan(out);
        return;
    }
    if (a->exponent == ALL_ZERO || b->exponent == ALL_ZERO) {
        mpfr_set_zero(out, 1);
        return;
    }
    choose_columns()(column, m, a->digit + low, b->digit + k - low, shape->length, count);
    take_halves(column, m, a, b, shape, low, high, k);
    carry(column, m);
    bool negative = column[0] < 0;
    if (negative) {
        for (int i = 0; i < m; i++)
            column[i] = -column[i];
        carry(column, m);
    }
    round_columns(out, column, m, negative,
                  a->exponent + b->exponent - 2 * FIXED_BITS);
}
