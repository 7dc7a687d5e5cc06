/*
 * size.h - the size of a number of a motion: what its digits count against, and when it
 * is zero. One definition for certificates, verdicts, the growth of errors and random
 * mechanisms, whatever the arithmetic.
 *
 * Sizes are log2 of magnitudes, -INFINITY that of zero, since MPFR has numbers that no
 * double holds. A quantity, such as q.x, dv.x/dL01 or the times of the events, is
 * followed by itself along the motion, over samples and both sides of events: x of 1e6 m
 * says nothing about y of a micrometre.
 *
 *     size    the largest |x| up to here
 *     noise   what relative errors of all data, of one each, would make of it up to here,
 *             so that errors of eps leave eps noise:
 *                 a value         |x| + sum over parameters of |rho_j dx/drho_j|
 *                 a derivative    the noise of its value over |rho_j|; or what the growth
 *                                 of errors makes of itself, noise / size of its value
 *             or what an oracle knows of it (spread).
 *     terms   of a value, what it is the sum of: its forces over its mass, times the span
 *             of the run once for v and twice for q (term_sizes_at)
 *
 * A number may be zero
 *
 *     by a mode           identically, by a formula, like v of a body that is held. Its
 *                         derivatives are zero, too, and its size is what it has been.
 *     by cancellation     a sum of terms that are not zero: a force in balance. Its noise
 *                         or its terms are not zero.
 *     by rounding         what the arithmetic leaves of either: not above 10^-digits of
 *                         the terms and of the noise of its kind, with a digit and a half
 *                         to spare. Its own magnitude says nothing.
 *
 * The kind of a value are those that share its unit and an equation of motion with it;
 * where its terms are not known, all that share a column group. The size of a number that
 * is zero so is the first of these that is more than rounding:
 *
 *     the noise of its kind up to here; the largest that it comes to be later; its terms;
 *     the noise of its column group, up to here, then later.
 *
 * All of it is taken from the numbers of the oracle, nothing from those that are judged.
 */
#ifndef SALTUS_SIZE_H
#define SALTUS_SIZE_H

#include "model.h"

/* The size of a parameter, by which steps and derivatives are relative: |rho|, and 1, one
   of its units, where rho is zero. */
double parameter_size(double rho);
/* The same of log2 |rho|. */
double parameter_size_log2(double log2_rho);

/* log2 (2^a + 2^b) */
double size_sum(double a, double b);
/* Is a number of this size what rounding leaves of a `whole` that is good to so many
   digits? Zero is. */
bool size_is_rounding(double size, double whole, double digits);

/* One number of a motion. */
struct motion_number {
    int quantity;               /* its index */
    int point;                  /* its place along the motion, in order of time */
    double x;                   /* log2 of its magnitude */
    double terms;               /* log2 of the terms of a value; NAN: not known */
    double spread;              /* log2 of its noise as its oracle knows it beside x;
                                   -INFINITY: not known */
};

/* A quantity that is followed along a motion. */
struct motion_quantity {
    int value;                  /* the quantity that this is a derivative of; its own
                                   index: of none */
    int kind, group;            /* of a value: its kind and its column group, below the
                                   number of kinds */
    double rho;                 /* of a derivative: log2 of the size of its parameter;
                                   NAN: not known, which counts as one of its units */
};

/* A motion as an oracle has it. */
struct sized_motion {
    int numbers, quantities, kinds;
    const struct motion_number *number;     /* [numbers] in order of points; derivatives
                                               after their value */
    const struct motion_quantity *quantity; /* [quantities] */
    double floor;               /* log2 of what was never asked for; -INFINITY: all was */
    double digits;              /* decimal digits to which the numbers are good */
};

struct size {
    double size;                /* log2; -INFINITY: nothing says how large it would be */
    double noise;               /* log2, at least size */
};

/* Sets size [motion->numbers]. */
void sizes_along(const struct sized_motion *motion, struct size *size);

/* --- the terms of a value ----------------------------------------------------------- */

struct term_sizes;

/* Formulas of all modes of a model, for term_sizes_at; free by term_sizes_free. */
struct term_sizes *term_sizes_new(const struct model *model);
void term_sizes_free(struct term_sizes *terms);
/* The part of the model that each value [columns.width] belongs to, which with its column
   group makes its kind: its subsystem; every s and z is one by itself, multipliers are
   one together. */
const int *term_sizes_part(const struct term_sizes *terms);
/* The terms of each value at a point: log2, in the order of columns.h, NAN where they are
   not known. To be called in order of time, as values count by the largest that they have
   been. rho [p], x [columns.width] the values there, `span` the length of the run. The
   terms of a sum are those that a running error analysis of its formula finds (Wilkinson
   1986); a mode with constraints has forces that take a velocity away within the span. */
void term_sizes_at(struct term_sizes *terms, const struct mode *mode, const double *rho,
                   double t, double span, const double *x, double *size);

#endif
