/*
 * series.h - automatic differentiation by recurrences: a program evaluated on truncated
 * Taylor series of MPFR numbers (Griewank & Walther 2008, ch. 13).
 *
 * Rows are run coefficient by coefficient, as in cases/program/series.h, but each
 * coefficient in two parts: the *tail*, a convolution of lower coefficients, and the
 * *head*, linear in coefficient k of the operands. A solver for the unknowns runs both
 * with u_k = 0, solves, and then corrects: heads only, for a few products each.
 *
 * Lanes: value rows are computed once; rows of stages >= `lane_stage` (the tangents) are
 * computed in each lane by itself, one lane for each parameter. Value rows belong to lane
 * 0 and are seen from all lanes.
 *
 * A program at order 0 is plain evaluation in MPFR.
 */
#ifndef SALTUS_ARITHMETIC_SERIES_H
#define SALTUS_ARITHMETIC_SERIES_H

#include <mpfr.h>

#include "formula/read.h"
#include "program/program.h"

struct mp_series;

/* A workspace for coefficients 0 .. order of all rows; lanes >= 1, and
   lane_stage = PROGRAM_STAGES where there are no tangents. Runs stage 0 at k = 0. The
   program must outlive it. */
struct mp_series *mp_series_new(const struct program *program, int order,
                                mpfr_prec_t precision, int lanes, int lane_stage);
void mp_series_free(struct mp_series *series);

/* limbs [order + 1] that coefficient k needs in convolutions: with a step in view,
   high coefficients need fewer digits than low ones. Until this is called all limbs
   are used. */
void mp_series_limbs(struct mp_series *series, const int *limbs);

/* Promises that only rows of stage [stages] will be corrected, and that of the outputs
   only kept [outputs] are read above coefficient 0, so that corrections may leave out
   the others. Until this is called any row may be corrected and any output read. */
void mp_series_unknowns(struct mp_series *series, const int *stage, int stages,
                        const bool *kept);

/* Makes room for convolutions in fixed point (fixed.h): planes [order + 1] of digits
   that coefficient k needs, not increasing. The array must outlive the series. */
void mp_series_planes(struct mp_series *series, const int *planes);
/* Convolutions of coefficients k >= from are done in fixed point; INT_MAX, the
   default: none. Then all coefficients of a series should be of about one size. */
void mp_series_fixed(struct mp_series *series, int from);
/* Multiplies coefficients j < count of all value rows by factor_j [count], a change of
   the unit of time. */
void mp_series_scale(struct mp_series *series, mpfr_srcptr factor, int count);
/* All value rows are complete, to the last coefficient: makes them ready for the
   lanes, which may then be run by several threads. */
void mp_series_settle(struct mp_series *series);

/* Sets coefficient k of the inputs of a block: variable `index` gets x[index *
   stride]; x NULL: zeros. Blocks that do not occur are ignored. */
void mp_series_load(struct mp_series *series, int lane, int block, int k, mpfr_srcptr x,
                    ptrdiff_t stride);
/* Computes coefficient k of the rows of a stage, from coefficients 0..k of their
   operands. */
void mp_series_run(struct mp_series *series, int lane, int stage, int k);
/* Computes coefficient k >= 1 of the rows of a stage again (heads only), after some
   inputs' coefficient k has changed since mp_series_run. */
void mp_series_correct(struct mp_series *series, int lane, int stage, int k);
/* Coefficient k of an output; above the last k run it is zero or old. A steady output
   depends on parameters only; its coefficients above 0 are zero. */
mpfr_srcptr mp_series_coefficient(const struct mp_series *series, int lane, int output,
                                  int k);
/* Coefficient 0 of an output, its value. */
mpfr_srcptr mp_series_output(const struct mp_series *series, int lane, int output);

/* Prints into text [size] the formula of the first row with a coefficient 0 .. k that
   is not finite; false if there is none. */
bool mp_series_blame(const struct mp_series *series, const struct names *names, int k,
                     char *text, int size);

#endif
