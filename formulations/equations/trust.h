/*
 * trust.h - running error bounds (Wilkinson 1986) of the rates: two ways of solving that
 * differ by less are equally good.
 *
 * The rates come from numbers known to half a unit of their last place, x and rho, by
 * operations that each add as much again, and from R_u u = b. A factorisation that is
 * stable row by row (partial pivoting, one correction: Skeel 1980) makes errors of no
 * more than, to first order,
 *
 *     |R_u^-1| e      e_i: running error bound of row i of R at u (Wilkinson 1986)
 *
 * where e has the sizes of all terms that cancel there: M a, Phi_q' lambda and F, and
 * those inside F and Phidd. Derivatives likewise, with R_u du + R' for R and the error
 * of u in it. So a number that is zero but for rounding is within a few times its bound,
 * and the result of a bad pivot is not: its e is not that of the data.
 *
 * The bound has two limits. Near singular configurations bounds grow, and would explain
 * anything: they never count for more than if a, lambda and the formulas of them were
 * right to WORST_UNKNOWN units of their last place. And a derivative may be off by ZERO
 * units of its value for a parameter that changes by its own size: an elimination that
 * starts with the masses finds accelerations as the remainder that multipliers leave of
 * M^-1 F, and does not see every zero that pivoting does. More is not allowed: where no
 * freedom is left, as in two-link-driven, derivatives are zero for good, and are judged
 * as such.
 *
 * A small componentwise backward error of the program's solution (|R| at it against e, of
 * each row; Oettli, Prager 1964) would need no inverse, and is neither necessary nor
 * sufficient: where a row has an exact zero, rounding that the elimination leaves there
 * is all of the row, and its backward error is 1; where constraints are nearly redundant,
 * it is small for solutions that share no digit.
 *
 * Formulations that drift off (index1) are no exception: there the program corrects once,
 * like the pivoting solver, and both leave less of Phidd than their bounds.
 */
#ifndef SALTUS_TRUST_H
#define SALTUS_TRUST_H

#include "system.h"

/* e [dim]: error bounds of a, s', z' and their derivatives, each at its place, zero
   elsewhere, in the mode `now` at x, the point last solved, where constraints are not
   redundant. In large systems random signs take the place of |R_u^-1|. */
void rounding_of_rates(struct system *system, const double *x, double *e);
/* e [dim]: the part of the bounds that costs nothing: derivatives of a by ZERO, else
   0. */
void rounding_of_zeros(const struct system *system, double *e);

#endif
