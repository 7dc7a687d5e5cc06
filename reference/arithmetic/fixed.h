/*
 * fixed.h - Taylor series in fixed point, and their convolution (Cauchy product).
 *
 * When time is measured in units of the radius of convergence, the coefficients of a
 * series are all of about one size. Then they need no exponents of their own:
 *
 *     c_j = 2^E (D_j - 1/2),    D_j = sum over i of d_i[j] 2^(-52 (i + 1)),
 *
 * 0 <= d_i[j] < 2^52, with one E for the series. Digits i of all coefficients lie side by
 * side, a *plane*, so that a convolution of D is a few inner products of integers, sum
 * over j of d_i[j] d_l[k - j], each exact in 128 bits; nothing is shifted, tested or
 * normalised but the sum. With the halves no digit has a sign, and 52 bits are what
 * AVX-512 multiplies and adds in lanes (IFMA; Gueron & Krasnov 2016). Sums of D_j, which
 * are kept, take the halves off again:
 *
 *     sum c_j c'_l = 2^(E + E') (sum D_j D'_l - (sum D_j + sum D'_l)/2 + n/4)
 *
 * A convolution of m planes takes the products of planes i + l < m. The products left out
 * amount to less than n (m + 1) 2^(E_a + E_b - 52 m) for n terms. This error is relative
 * to the largest coefficients of both series, wherever they are, not to the largest term.
 * The sum is truncated to the precision of the result.
 */
#ifndef SALTUS_FIXED_H
#define SALTUS_FIXED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpfr.h>

/* Bits of a digit. */
enum { FIXED_BITS = 52 };

/* Shape that all series of one program share. */
struct fixed_shape {
    int length;                 /* number of coefficients */
    int planes;                 /* planes of coefficient 0, the most of all */
    const int *need;            /* [length] planes of coefficient k, not increasing
                                   with k */
};

/* A series in fixed point. */
struct fixed {
    mpfr_exp_t exponent;        /* E above */
    int filled;                 /* coefficients 0 .. filled - 1 have been converted */
    uint64_t *digit;            /* [planes][length] digits, the most significant plane
                                   first */
    uint64_t *sum;              /* [length + 1][planes] sums of the digits of
                                   coefficients below each */
};

/* True: sums of shape->length * shape->planes products of digits stay below 2^127. */
bool fixed_fits(const struct fixed_shape *shape);

/* Converts coefficients 0 .. upto, coefficient j at c + j * stride. Coefficients below
   x->filled are not looked at again; filled = 0 starts anew. A coefficient that is not
   finite makes the whole series not a number. */
void fixed_fill(struct fixed *x, const struct fixed_shape *shape, mpfr_srcptr c,
                ptrdiff_t stride, int upto);

/* out = sum of a_j b_(k-j) over low <= j <= high, with shape->need[k] planes; NAN
   where a series is not a number. */
void fixed_convolve(mpfr_ptr out, const struct fixed *a, const struct fixed *b,
                    const struct fixed_shape *shape, int low, int high, int k);

#endif
