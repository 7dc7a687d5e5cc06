/*
 * mp.h - vectors of MPFR numbers, their inner products, and linear systems.
 *
 * A vector is an `mpfr_ptr` to its first component; component i is x + i. Headers and
 * significands of one vector lie in one block of memory, and every number of a run has
 * the same precision, a whole number of limbs. The inner product, where the time goes, is
 * computed on the limbs; everything else is plain MPFR. All rounding is to nearest,
 * except that the inner product truncates one extra limb.
 */
#ifndef SALTUS_MP_H
#define SALTUS_MP_H

#include <stdbool.h>
#include <stddef.h>

#include <gmp.h>
#include <mpfr.h>

#define MP_BITS_PER_DIGIT 3.3219280948873626      /* log2 10 and its inverse */
#define MP_DIGITS_PER_BIT 0.30102999566398120

enum { MP_MAX_LIMBS = 128 };        /* 8192 bits, 2460 digits */

/* Bits that carry `digits` decimal digits and at least 40 guard bits; whole limbs. */
mpfr_prec_t mp_precision(int digits);

/* n zeros. Numbers of a vector must not be resized, swapped or cleared one by one. */
mpfr_ptr mp_vector_new(size_t n, mpfr_prec_t precision);
void mp_vector_free(mpfr_ptr x);

void mp_zero(mpfr_ptr x, int n);
void mp_copy(mpfr_ptr to, mpfr_srcptr from, int n);
/* x_i *= y_i */
void mp_scale(mpfr_ptr x, mpfr_srcptr y, int n);
bool mp_finite(mpfr_srcptr x, int n);

/* out = 2^e times the fraction of the limbs limb [count], the last of them the leading
   one, truncated. They are destroyed. */
void mp_set_limbs(mpfr_ptr out, mp_limb_t *limb, int count, bool negative, mpfr_exp_t e);

/* log2 |x|, -INFINITY for zero, +INFINITY for what is not finite;
   of a vector: the largest. */
double mp_log2(mpfr_srcptr x);
double mp_log2_max(mpfr_srcptr x, int n);

/* x = 2^e, for a double e */
void mp_exp2(mpfr_ptr x, double e);

/*
 * out = init + sign * sum over i < n of a[i sa] b[i sb];  init NULL: 0, sign +1 or -1.
 *
 * All numbers have the same precision. Only the `limbs` leading limbs of each factor are
 * used (at most all of them). Error: about one unit of the last of these limbs, relative
 * to the largest term or, if that is larger, the sum; for all limbs, below two units in
 * the last place. `out` may be `init` or one of the factors.
 */
void mp_dot(mpfr_ptr out, mpfr_srcptr init, int sign, mpfr_srcptr a, ptrdiff_t sa,
            mpfr_srcptr b, ptrdiff_t sb, int n, int limbs);

/* out = c_0 + c_1 t + ... + c_order t^order; `out` is none of them */
void mp_polynomial(mpfr_ptr out, mpfr_srcptr c, int order, mpfr_srcptr t);

/* --- dense linear systems ----------------------------------------------------------- */

struct mp_lu {
    int n, limbs;
    mpfr_ptr a;         /* [n*n] the matrix by rows, then its factors */
    int *pivot;         /* [n] */
    double *scale;      /* [n] log2 of the largest entry of each row */
    mpfr_ptr inverse;   /* [n] of the pivots */
    mpfr_ptr x;         /* [1] work */
    /* Of the factors by rows, left and right of the diagonal, what is not zero: numbers
       of others, of which only the headers are copied */
    int *begin;         /* [2n + 1] */
    int *column;        /* [n*n] */
    __mpfr_struct *entry;       /* [n*n] */
};
struct mp_lu *mp_lu_new(int n, mpfr_prec_t precision);
void mp_lu_free(struct mp_lu *lu);
/* Factors lu->a in place, partial pivoting on rows scaled to one. Returns the number of
   columns that were eliminated: n, or less where every pivot left in a column was below
   2^-(precision/2) of its row. */
int mp_lu_factor(struct mp_lu *lu);
/* x = A^-1 x; several threads may solve with the same factors. */
void mp_lu_solve(const struct mp_lu *lu, mpfr_ptr x);

/*
 * Rows of a matrix that are linearly independent, by elimination with complete pivoting
 * on rows scaled to one. Returns the rank r: row[0 .. r) are independent rows (no better
 * pivot was left for any other), row[r .. rows) depend on them: what is left of each is
 * below 2^-(precision/2) of it. a [rows * columns] is destroyed; scale [rows] is work.
 */
int mp_independent(mpfr_ptr a, int rows, int columns, int *row, double *scale);

#endif
