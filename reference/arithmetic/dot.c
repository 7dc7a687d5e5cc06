/*
 * dot.c - inner product of vectors of MPFR numbers, on the limbs, with one rounding
 * (after arb_dot: Johansson 2019, "Faster arbitrary-precision dot product and matrix
 * multiplication", ARITH 26).
 *
 * Most of the time of a reference run goes into convolutions of series. mpfr_mul and
 * mpfr_add would round, normalise and test every term; here terms are added as integers:
 *
 *   1. The largest exponent of any term fixes the position of an accumulator of
 *      work + 2 limbs: one limb above for carries and the sign, one below as guard.
 *   2. Each term, a product of two significands, is shifted into place and added, or
 *      subtracted, in two's complement. A term far below the largest needs only its
 *      leading limbs, and only the leading limbs of its factors are multiplied.
 *   3. The sum is normalised once.
 *
 * Significands are read through MPFR's custom interface.
 */
#include <limits.h>
#include <string.h>

#include <gmp.h>

#include "mp.h"

/* The accumulator, in two's complement. */
struct sum {
    int work;
    mpfr_exp_t top;             /* limb[work] is aligned with 2^top */
    mp_limb_t limb[MP_MAX_LIMBS + 2];
};

static const mp_limb_t *limbs_of(mpfr_srcptr x)
{
    return (const mp_limb_t *)mpfr_custom_get_significand(x);
}

/* A limb of a term shifted right by `bits` (not 0), with the bits of the limb above
   it. */
static inline mp_limb_t shifted(mp_limb_t low, mp_limb_t high, unsigned bits)
{
    return low >> bits | high << (GMP_NUMB_BITS - bits);
}

/* *to += x + carry, or *to -= x + carry; returns the carry out. */
static inline mp_limb_t accumulate(mp_limb_t *to, bool negative, mp_limb_t x,
                                   mp_limb_t carry)
{
    mp_limb_t old = *to, first = negative ? old - x : old + x;
    mp_limb_t second = negative ? first - carry : first + carry;
    *to = second;
    return negative ? (mp_limb_t)(old < x) + (first < carry)
                    : (mp_limb_t)(first < x) + (second < carry);
}

/* Adds (or subtracts) the m limbs of p, the most significant one aligned `shift` bits
   below 2^top. Bits below the guard limb are cut off. Shift and sum are one pass: for
   numbers of a few limbs calls to mpn cost more than the work. */
static inline __attribute__((always_inline)) void
sum_signed(struct sum *sum, bool negative, const mp_limb_t *p, int m, mpfr_exp_t shift)
{
    int whole = (int)(shift / GMP_NUMB_BITS);
    unsigned bits = (unsigned)(shift % GMP_NUMB_BITS);
    int room = sum->work - whole + 1;   /* limbs of the sum at or below the term */
    int take = m < room ? m : room;
    const mp_limb_t *from = p + m - take;
    mp_limb_t *to = sum->limb + (room - take), *end = sum->limb + sum->work + 2;
    mp_limb_t carry = 0;
    if (bits == 0) {
        for (int i = 0; i < take; i++)
            carry = accumulate(to++, negative, from[i], carry);
    } else {
        if (room > take)                /* the bits that leave the lowest limb */
            carry = accumulate(to - 1, negative, from[0] << (GMP_NUMB_BITS - bits), 0);
        for (int i = 0; i < take - 1; i++)
            carry = accumulate(to++, negative, shifted(from[i], from[i + 1], bits),
                               carry);
        carry = accumulate(to++, negative, from[take - 1] >> bits, carry);
    }
    while (carry != 0 && to < end)
        carry = accumulate(to++, negative, 0, carry);
}

static inline void sum_add(struct sum *sum, bool negative, const mp_limb_t *p, int m,
                           mpfr_exp_t shift)
{
    if (negative)
        sum_signed(sum, true, p, m, shift);
    else
        sum_signed(sum, false, p, m, shift);
}

/* Adds the product a b, `shift` bits below the top. */
static inline void sum_product(struct sum *sum, bool negative, mpfr_srcptr a,
                               mpfr_srcptr b, int limbs, mpfr_exp_t shift)
{
    mp_limb_t product[2 * MP_MAX_LIMBS];
    int whole = (int)(shift / GMP_NUMB_BITS);
    int m = whole == 0 ? sum->work : sum->work - whole + 1;
    if (m < 1)
        m = 1;
    const mp_limb_t *x = limbs_of(a) + limbs - m, *y = limbs_of(b) + limbs - m;
    if (x == y)
        mpn_sqr(product, x, m);
    else
        mpn_mul_n(product, x, y, m);
    sum_add(sum, negative, product, 2 * m, shift);
}

void mp_set_limbs(mpfr_ptr out, mp_limb_t *limb, int count, bool negative, mpfr_exp_t e)
{
    int limbs = (int)(mpfr_get_prec(out) / GMP_NUMB_BITS), top = count - 1;
    while (top >= 0 && limb[top] == 0)
        top--;
    if (top < 0) {
        mpfr_set_zero(out, 1);
        return;
    }
    unsigned zeros = (unsigned)__builtin_clzl(limb[top]);
    if (zeros != 0)
        mpn_lshift(limb, limb, top + 1, zeros);
    mp_limb_t *to = mpfr_custom_get_significand(out);
    int keep = top + 1 < limbs ? top + 1 : limbs;
    memset(to, 0, sizeof *to * (size_t)(limbs - keep));
    memcpy(to + limbs - keep, limb + top + 1 - keep, sizeof *to * (size_t)keep);
    e -= GMP_NUMB_BITS * (count - 1 - top) + (mpfr_exp_t)zeros;
    mpfr_custom_init_set(out, (negative ? -1 : 1) * MPFR_REGULAR_KIND, e,
                         mpfr_get_prec(out), to);
}

/* Normalises the sum into `out`. */
static void sum_round(struct sum *sum, mpfr_ptr out)
{
    int count = sum->work + 2;
    bool negative = sum->limb[count - 1] >> (GMP_NUMB_BITS - 1);
    if (negative)
        mpn_neg(sum->limb, sum->limb, count);
    mp_set_limbs(out, sum->limb, count, negative, sum->top + GMP_NUMB_BITS);
}

/* mpfr_number_p as an inline function */
static inline bool number(mpfr_srcptr x)
{
    return !mpfr_nan_p(x) && !mpfr_inf_p(x);
}

/* The exponent of the largest term. False: a term is not a number. */
static bool largest(mpfr_srcptr init, mpfr_srcptr a, ptrdiff_t sa, mpfr_srcptr b,
                    ptrdiff_t sb, int n, mpfr_exp_t *top)
{
    *top = LONG_MIN;
    if (init != NULL && mpfr_regular_p(init))
        *top = mpfr_custom_get_exp(init);
    else if (init != NULL && !mpfr_zero_p(init))
        return false;
    for (int i = 0; i < n; i++, a += sa, b += sb) {
        if (mpfr_regular_p(a) && mpfr_regular_p(b)) {
            mpfr_exp_t e = mpfr_custom_get_exp(a) + mpfr_custom_get_exp(b);
            *top = e > *top ? e : *top;
        } else if (!number(a) || !number(b)) {
            return false;
        }
    }
    return true;
}

void mp_dot(mpfr_ptr out, mpfr_srcptr init, int sign, mpfr_srcptr a, ptrdiff_t sa,
            mpfr_srcptr b, ptrdiff_t sb, int n, int limbs)
{
    struct sum sum;
    int all = (int)(mpfr_get_prec(out) / GMP_NUMB_BITS);
    sum.work = limbs < all ? limbs : all;
    if (!largest(init, a, sa, b, sb, n, &sum.top)) {
        mpfr_set_nan(out);
        return;
    }
    if (sum.top == LONG_MIN) {
        mpfr_set_zero(out, 1);
        return;
    }
    memset(sum.limb, 0, sizeof sum.limb[0] * (size_t)(sum.work + 2));
    mpfr_exp_t deepest = (mpfr_exp_t)(sum.work + 1) * GMP_NUMB_BITS;
    for (int i = 0; i < n; i++, a += sa, b += sb) {
        if (!mpfr_regular_p(a) || !mpfr_regular_p(b))
            continue;
        mpfr_exp_t shift = sum.top - mpfr_custom_get_exp(a) - mpfr_custom_get_exp(b);
        if (shift < deepest)
            sum_product(&sum, (mpfr_sgn(a) * mpfr_sgn(b) < 0) != (sign < 0), a, b, all,
                        shift);
    }
    if (init != NULL && mpfr_regular_p(init)) {
        mpfr_exp_t shift = sum.top - mpfr_custom_get_exp(init);
        if (shift < deepest)
            sum_add(&sum, mpfr_sgn(init) < 0, limbs_of(init), all, shift);
    }
    sum_round(&sum, out);
}
