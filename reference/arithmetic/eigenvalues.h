/*
 * eigenvalues.h - the characteristic polynomial of a small matrix (Faddeev, LeVerrier),
 * and the roots of a polynomial, all at once (Aberth 1973).
 *
 * A polynomial of degree n is c [n + 1], c_0 + c_1 x + ... + c_n x^n with c_n = 1. A
 * complex number is two components of a vector, its real and its imaginary part. All
 * numbers of a call have one precision.
 */
#ifndef SALTUS_EIGENVALUES_H
#define SALTUS_EIGENVALUES_H

#include "mp.h"

/* c [n + 1] = the coefficients of det(x I - a), a [n*n] by rows. A sum of products is
   rounded where it cancels: carry more digits than the entries have. */
void mp_characteristic(mpfr_srcptr a, int n, mpfr_ptr c);

/* Divides c [n + 1] by x - root in place: c [n] is the quotient, and *remainder the value
   at the root. */
void mp_divide_root(mpfr_ptr c, int n, mpfr_srcptr root, mpfr_ptr remainder);

/* root [n][2]: the roots by falling magnitude, the two of a pair by falling imaginary
   part, those of a real polynomial that are real exactly so. False: the iteration comes
   to no rest, as where roots are equal. */
bool mp_roots(mpfr_srcptr c, int n, mpfr_ptr root);

/* Moves a simple root [2] to that of another polynomial nearby, by Newton's method.
   False: it comes to no rest. */
bool mp_root_follow(mpfr_srcptr c, int n, mpfr_ptr root);

/* log2 of the least distance of two of the roots [n][2], as a part of the larger one;
   INFINITY: there are not two. */
double mp_roots_apart(mpfr_srcptr root, int n);

#endif
