/*
 * jets.h - formulas evaluated in balls, with derivatives along a curve, along coordinates
 * and by every variable (automatic differentiation by truncated series).
 *
 * A program evaluates value rows of a tape. Every row is a polynomial that is truncated
 * in three kinds of nilpotent variables:
 *
 *     tau      along a curve through the point, up to tau^2: t -> t + tau,
 *              q -> q + v tau + a tau^2/2, v -> v + a tau, s -> s + f_s tau + ...
 *     eta_i    one for each variable of a list, up to first order; products of etas, and
 *              of eta and tau, are left out
 *     eps_d    one for each variable of the program, up to first order
 *
 * A row therefore carries parts 1, tau, tau^2, eta_i, and each part its derivative by
 * every variable. Derivatives of an elementary function at a number are the coefficients
 * of Arb's own power series of it (acb_poly); no derivative of a function is written
 * here, and no derivative that a tape knows is used.
 *
 * Balls are complex (acb), so that the same text bounds a formula on a box of the complex
 * plane. On a real box every formula must be defined everywhere; on a complex one each
 * denominator must avoid the ray opposite to the sign that it had at the last real point,
 * and each argument of a root, a logarithm or an arc tangent its branch cut. If they do
 * so on the boundary of a simply connected domain they do inside, since such a ray leads
 * to infinity: the formula is analytic there.
 */
#ifndef SALTUS_JETS_H
#define SALTUS_JETS_H

#include <stdbool.h>

#include <acb.h>

#include "model.h"

/* Parts of a row that are asked of a formula: a set. */
enum jet_part { PART_VALUE = 1, PART_RATE = 2, PART_SECOND = 4, PART_GRADIENT = 8 };

/* The variables of a program, and the curve through a point. Variables are numbered
   0 .. slots - 1; a block of variables is consecutive. */
struct jet_point {
    int slots;
    int first[BLOCKS];          /* slot of variable 0 of a block; -1: no formula may
                                   depend on the block */
    const int *rate;            /* [slots] slot that is d/dtau; -1: constant along tau;
                                   RATE_ONE: 1; RATE_STATE - k: formula state_rate[k] */
    const int *second;          /* [slots] slot that is d^2/dtau^2; -1: none */
    const formula *state_rate;  /* [ns] f_s */
    int etas;
    const int *eta;             /* [etas] slots disturbed by eta_i */
};
enum { RATE_NONE = -1, RATE_ONE = -2, RATE_STATE = -3 };

/* A formula, and the parts of it that are asked for. */
struct jet_output {
    formula f;
    unsigned parts;             /* set of enum jet_part */
};

/* A part of a row: its value and derivatives by some slots; others are zero. */
struct jet_part_view {
    acb_srcptr value;           /* NULL: the part is zero */
    int slots;                  /* number of derivatives */
    const int *slot;            /* [slots] ascending */
    acb_srcptr by;              /* [slots] derivatives by these */
};

struct jets;

/* A program for formulas of one tape. Aborts if a formula depends on a block that the
   point has not. Belongs to one thread. Free by jets_free. */
struct jets *jets_new(const struct tape *tape, const struct jet_point *point,
                      const struct jet_output *output, int outputs);
void jets_free(struct jets *jets);

/* Evaluates at a box of the variables, slot [slots]. `complex_box`: signs of denominators
   are those of the last real box. False: a formula is not defined, or not known to be
   analytic, somewhere on the box. */
bool jets_run(struct jets *jets, acb_srcptr slot, bool complex_box, slong precision);

/* A part of an output after the last jets_run: PART_VALUE, PART_RATE (coefficient of
   tau), PART_SECOND (coefficient of tau^2, which is half the second derivative); or
   PART_GRADIENT and the number of an eta. */
struct jet_part_view jets_output(const struct jets *jets, int output, enum jet_part part,
                                 int eta);

#endif
