/*
 * mp.h - vectors of MPFR numbers: inner product, dense LU, numerical rank.
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

/* log2 10 and log10 2 */
#define MP_BITS_PER_DIGIT 3.3219280948873626
#define MP_DIGITS_PER_BIT 0.30102999566398120

enum { MP_MAX_LIMBS = 128 };        /* 8192 bits, 2460 digits */

/* Bits that carry `digits` decimal digits and at least 40 guard bits: whole limbs, at
   most MP_MAX_LIMBS of them. */
mpfr_prec_t mp_precision(int digits);

/* A vector of n zeros. Its numbers must not be resized, swapped or cleared one by one. */
mpfr_ptr mp_vector_new(size_t n, mpfr_prec_t precision);
void mp_vector_free(mpfr_ptr x);

/* x_i = 0 for i < n */
void mp_zero(mpfr_ptr x, int n);
/* to_i = from_i for i < n */
void mp_copy(mpfr_ptr to, mpfr_srcptr from, int n);
/* x_i *= y_i for i < n */
void mp_scale(mpfr_ptr x, mpfr_srcptr y, int n);
/* True: all n numbers are finite. */
bool mp_finite(mpfr_srcptr x, int n);

/* out = 2^e times the fraction whose limbs are limb [count], the last of them the
   leading one, truncated. The limbs are destroyed. */
void mp_set_limbs(mpfr_ptr out, mp_limb_t *limb, int count, bool negative, mpfr_exp_t e);

/* log2 |x|; -INFINITY for zero, +INFINITY for a number that is not finite. */
double mp_log2(mpfr_srcptr x);
/* The largest mp_log2 of n numbers. */
double mp_log2_max(mpfr_srcptr x, int n);

/* x = 2^e for a double e */
void mp_exp2(mpfr_ptr x, double e);

/*
 * out = init + sign * sum over i < n of a[i sa] b[i sb], the strides sa, sb in numbers;
 * init NULL: 0; sign +1 or -1.
 *
 * All numbers have the same precision. Only the `limbs` leading limbs of each factor are
 * used (at most all of them). The error is about one unit of the last of these limbs,
 * relative to the largest term or, if that is larger, the sum; for all limbs, below two
 * units in the last place. `out` may be `init` or one of the factors; it is NAN if a term
 * is not finite.
 */
void mp_dot(mpfr_ptr out, mpfr_srcptr init, int sign, mpfr_srcptr a, ptrdiff_t sa,
            mpfr_srcptr b, ptrdiff_t sb, int n, int limbs);

/* out = c_0 + c_1 t + ... + c_order t^order by Horner's rule; `out` is none of them */
void mp_polynomial(mpfr_ptr out, mpfr_srcptr c, int order, mpfr_srcptr t);

/* --- dense linear systems ----------------------------------------------------------- */

/* A dense matrix and its LU factors. */
struct mp_lu {
    int n, limbs;       /* dimension; limbs of the precision */
    mpfr_ptr a;         /* [n*n] the matrix by rows, from the caller; then its factors,
                           by mp_lu_factor */
    int *pivot;         /* [n] row interchanges, by mp_lu_factor */
    double *scale;      /* [n] log2 of the largest entry of each row of the matrix */
    mpfr_ptr inverse;   /* [n] reciprocals of the pivots */
    mpfr_ptr x;         /* [1] work */
    /* Entries of the factors that are not zero, by rows: part 2i is row i of L left of
       the diagonal, part 2i + 1 row i of U right of the diagonal. Filled by
       mp_lu_factor. */
    int *begin;         /* [2n + 1] first entry of each part */
    int *column;        /* [n*n] column of each entry */
    __mpfr_struct *entry;       /* [n*n] headers of the numbers in a, which keep the
                                   significands */
};
/* A workspace for n x n matrices. Free by mp_lu_free. */
struct mp_lu *mp_lu_new(int n, mpfr_prec_t precision);
void mp_lu_free(struct mp_lu *lu);
/* Factors lu->a in place, with partial pivoting on rows scaled to one. Returns the
   number of columns eliminated: n, or less where every pivot left in a column was
   below 2^-(precision/2) of its row. */
int mp_lu_factor(struct mp_lu *lu);
/* x = A^-1 x for x [n], after mp_lu_factor has returned n. Several threads may solve
   with the same factors. */
void mp_lu_solve(const struct mp_lu *lu, mpfr_ptr x);

/*
 * Linearly independent rows of a matrix, by elimination with complete pivoting on rows
 * scaled to one. Returns the rank r: row[0 .. r) are independent rows (no better pivot
 * was left for any other), row[r .. rows) depend on them: the remainder of each is below
 * 2^-(precision/2) of the row. a [rows * columns] is destroyed; row [rows] is filled;
 * scale [rows] is work.
 */
int mp_independent(mpfr_ptr a, int rows, int columns, int *row, double *scale);

#endif
