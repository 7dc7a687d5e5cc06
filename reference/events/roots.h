/*
 * roots.h - real root isolation: the first root of a polynomial on (0, h].
 *
 * Descartes' rule of signs in the Bernstein basis: the number of sign changes of the
 * coefficients on an interval bounds the number of roots inside and has its parity.
 * Intervals are halved until the number is 0 or 1 (Rouillier & Zimmermann 2004). A root
 * that does not separate above the resolution of the arithmetic is of even order, or
 * indistinguishable from one.
 */
#ifndef SALTUS_ROOTS_H
#define SALTUS_ROOTS_H

#include "arithmetic/mp.h"

struct roots;       /* work space */

/* Kinds of a first root: none, a simple root, a multiple root of even order, of odd. */
enum root { ROOT_NONE, ROOT_CROSSING, ROOT_TOUCH, ROOT_FLAT };

/* A workspace for polynomials up to `order`. Roots closer than 10^(-digits/2) of the
   interval are one. Free by roots_free. */
struct roots *roots_new(int order, int digits, mpfr_prec_t precision);
void roots_free(struct roots *roots);

/* The first root of c[0] + c[1] t + ... + c[order] t^order on (0, h]. The first
   `deflate` coefficients count as exact zeros, and the root at 0 as none.
   ROOT_CROSSING: `root` is exact to the precision of the polynomial; ROOT_TOUCH,
   ROOT_FLAT: `root` is approximate. */
enum root roots_first(struct roots *roots, mpfr_srcptr c, int deflate, mpfr_srcptr h,
                      mpfr_ptr root);

#endif
