/* fixed.c - convolution of Taylor coefficients in fixed point, by planes of digits;
   see fixed.h. */
#include "fixed.h"

#include <limits.h>
#include <string.h>

#include <gmp.h>

#include "mp.h"

__extension__ typedef __int128 wide;

/* The largest coefficient lies between 2^-(HEAD + ROOM) and 2^-HEAD of the largest
   number that fits. Digits are balanced, so that the first digit needs two bits; the
   coefficients that follow are often a little larger. */
enum { HEAD = 2, ROOM = 4 };
/* Most planes of any precision. */
enum { FIXED_PLANES = MP_MAX_LIMBS * 64 / FIXED_BITS + 4 };

/* Exponents of series that have no exponent: all coefficients are zero, or one is not
   finite. */
#define ALL_ZERO  LONG_MIN
#define NO_NUMBER LONG_MAX

bool fixed_fits(const struct fixed_shape *shape)
{
    int bits = 2 * (FIXED_BITS - 1);
    return (wide)shape->length * shape->planes < (wide)1 << (126 - bits);
}

/* --- digits ------------------------------------------------------------------------- */

/* FIXED_BITS bits of a significand of n limbs, the first of them `at` bits below its
   top; the significand is continued by zeros on both sides. */
static int64_t bits_at(const mp_limb_t *limb, int n, mpfr_exp_t at)
{
    if (at <= -FIXED_BITS || at >= (mpfr_exp_t)n * GMP_NUMB_BITS)
        return 0;
    if (at < 0)
        return (int64_t)(limb[n - 1] >> (GMP_NUMB_BITS - FIXED_BITS - at));
    int i = n - 1 - (int)(at / GMP_NUMB_BITS);
    unsigned skip = (unsigned)(at % GMP_NUMB_BITS);
    mp_limb_t bits = limb[i] << skip;
    if (skip != 0 && i > 0)
        bits |= limb[i - 1] >> (GMP_NUMB_BITS - skip);
    return (int64_t)(bits >> (GMP_NUMB_BITS - FIXED_BITS));
}

/* Sets the digits of coefficient j, balanced from the last to the first; x->exponent
   is large enough for it. */
static void set_digits(struct fixed *x, const struct fixed_shape *shape, mpfr_srcptr c,
                       int j)
{
    const int64_t half = (int64_t)1 << (FIXED_BITS - 1);
    bool zero = !mpfr_regular_p(c), negative = mpfr_signbit(c) != 0;
    const mp_limb_t *limb = mpfr_custom_get_significand(c);
    int n = (int)(mpfr_get_prec(c) / GMP_NUMB_BITS);
    int64_t carry = 0;
    for (int i = shape->need[j] - 1; i >= 0; i--) {
        int64_t d = 0;
        if (!zero)
            d = carry + bits_at(limb, n, (mpfr_exp_t)i * FIXED_BITS - x->exponent +
                                             mpfr_custom_get_exp(c));
        carry = d >= half;
        d -= carry << FIXED_BITS;
        x->digit[i * shape->length + j] = negative ? -d : d;
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

/* sum of x[j] y[-j] over 0 <= j < n */
static inline wide inner(const int64_t *x, const int64_t *y, int n)
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

/* Carries towards column 0: all other columns become digits 0 <= d < 2^FIXED_BITS. */
static void carry(wide *column, int m)
{
    for (int i = m - 1; i > 0; i--) {
        column[i - 1] += column[i] >> FIXED_BITS;
        column[i] &= ((wide)1 << FIXED_BITS) - 1;
    }
}

/* out = 2^e sum of column_i 2^(-56 i), for columns that have been carried and are not
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

/* Sum of the products of planes i and l with i + l = c, over `count` terms from `low`
   on. */
static wide column_of(const struct fixed *a, const struct fixed *b, int length, int low,
                      int count, int k, int c)
{
    wide sum = 0;
    for (int i = 0; i <= c; i++)
        sum += inner(a->digit + i * length + low,
                     b->digit + (c - i) * length + k - low, count);
    return sum;
}

void fixed_convolve(mpfr_ptr out, const struct fixed *a, const struct fixed *b,
                    const struct fixed_shape *shape, int low, int high, int k)
{
    wide column[FIXED_PLANES];
    int m = shape->need[k], length = shape->length, count = high - low + 1;
    if (a->exponent == NO_NUMBER || b->exponent == NO_NUMBER) {
        mpfr_set_nan(out);
        return;
    }
    if (a->exponent == ALL_ZERO || b->exponent == ALL_ZERO) {
        mpfr_set_zero(out, 1);
        return;
    }
    for (int c = m - 1; c > 0; c--)
        column[c] = column_of(a, b, length, low, count, k, c);
    column[0] = column_of(a, b, length, low, count, k, 0);
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
