/*
 * fixed.h - series as fixed-point numbers, and their convolutions.
 *
 * When time is measured in units of the radius of convergence, the coefficients of a
 * series are all of about one size. Then they need no exponents of their own:
 *
 *     c_j = 2^E sum over i of d_i[j] 2^(-56 (i + 1)),    -2^55 <= d_i[j] <= 2^55
 *
 * with one E for the series. Digits i of all coefficients lie side by side, a *plane*, so
 * that a convolution is a few inner products of integers, sum over j of
 * d_i[j] d_l[k - j], each exact in 128 bits; nothing is shifted, tested or normalised but
 * the sum.
 *
 * A convolution of m planes takes the products of planes i + l < m. What it leaves out is
 * below n (m + 1) 2^(E_a + E_b - 56 m), n terms: an error relative to the largest
 * coefficients of both series, wherever they are, not to the largest term. The sum is
 * truncated to the precision of the result.
 */
#ifndef SALTUS_FIXED_H
#define SALTUS_FIXED_H

#include <stdbool.h>
#include <stdint.h>

#include <mpfr.h>

enum { FIXED_BITS = 56 };

/* What the series of one program have in common. */
struct fixed_shape {
    int length;                 /* coefficients */
    int planes;                 /* of coefficient 0, the most */
    const int *need;            /* [length] planes of coefficient k, not increasing */
};

struct fixed {
    mpfr_exp_t exponent;        /* E */
    int filled;                 /* coefficients 0 .. filled - 1 are there */
    int64_t *digit;             /* [planes][length] the most significant plane first */
};

/* Sums of that many products stay below 2^127. */
bool fixed_fits(const struct fixed_shape *shape);

/* Coefficients up to `upto`, c [upto + 1], of which those that are there already are not
   looked at again: `filled` = 0 starts anew. What is not a number makes the whole
   series one. */
void fixed_fill(struct fixed *x, const struct fixed_shape *shape, mpfr_srcptr c,
                int upto);

/* out = sum of a_j b_(k-j) over low <= j <= high, with shape->need[k] planes */
void fixed_convolve(mpfr_ptr out, const struct fixed *a, const struct fixed *b,
                    const struct fixed_shape *shape, int low, int high, int k);

#endif
