/*
 * roots.h - the first root of a polynomial on (0, h], by isolation.
 *
 * Descartes' rule in the Bernstein basis: the number of sign changes of the coefficients
 * on an interval bounds the number of roots inside and has its parity. Intervals are
 * halved until it is 0 or 1 (Rouillier & Zimmermann 2004). A root that does not separate
 * above the resolution of the arithmetic is of even order, or indistinguishable from it.
 */
#ifndef SALTUS_ROOTS_H
#define SALTUS_ROOTS_H

#include "arithmetic/mp.h"

struct roots;       /* work space */

enum root { ROOT_NONE, ROOT_CROSSING, ROOT_TOUCH };

struct roots *roots_new(int order, int digits, mpfr_prec_t precision);
void roots_free(struct roots *roots);

/* First root of c[0] + c[1] t + ... + c[order] t^order on (0, h]; the first `deflate`
   coefficients count as exact zeros and the root at 0 as none. ROOT_CROSSING: `root` is
   it, to the precision of the polynomial; ROOT_TOUCH: `root` is about where. */
enum root roots_first(struct roots *roots, mpfr_srcptr c, int deflate, mpfr_srcptr h,
                      mpfr_ptr root);

#endif
