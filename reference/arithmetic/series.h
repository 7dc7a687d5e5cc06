/*
 * series.h - a program evaluated on truncated Taylor series of MPFR numbers.
 *
 * Rows are run coefficient by coefficient, as in cases/program/series.h, but each
 * coefficient in two parts: the *tail*, a convolution of lower coefficients, and the
 * *head*, linear in coefficient k of the operands. A solver for the unknowns runs both
 * with u_k = 0, solves, and then corrects: heads only, for a few products each.
 *
 * Lanes. Value rows are computed once; rows of stages >= `lane_stage` (the tangents) are
 * computed in each lane by itself, one lane for each parameter. Value rows belong to
 * lane 0 and are seen from all lanes.
 *
 * A program at order 0 is plain evaluation in MPFR.
 */
#ifndef SALTUS_ARITHMETIC_SERIES_H
#define SALTUS_ARITHMETIC_SERIES_H

#include <mpfr.h>

#include "formula/read.h"
#include "program/program.h"

struct mp_series;

/* lanes >= 1; lane_stage = PROGRAM_STAGES when there are no lanes. Runs stage 0. */
struct mp_series *mp_series_new(const struct program *program, int order,
                                mpfr_prec_t precision, int lanes, int lane_stage);
void mp_series_free(struct mp_series *series);

/* Limbs that coefficient k needs in convolutions, [order + 1]: with a step in view, high
   coefficients need fewer digits than low ones. All of them until this is called. */
void mp_series_limbs(struct mp_series *series, const int *limbs);

/* Only rows of stage [stages] are ever corrected; and of the outputs, coefficients above
   0 are read of those `kept` [outputs], so that corrections may stop short of the others.
   All may be until this is called. */
void mp_series_unknowns(struct mp_series *series, const int *stage, int stages,
                        const bool *kept);

/* Room for convolutions in fixed point (fixed.h): digits that coefficient k needs,
   [order + 1], not increasing; it must outlive the series. */
void mp_series_planes(struct mp_series *series, const int *planes);
/* From coefficient `from` on they are done so; INT_MAX, at first: none. Then all
   coefficients of a series should be of about one size. */
void mp_series_fixed(struct mp_series *series, int from);
/* Coefficients j < count of all values times factor_j [count]. */
void mp_series_scale(struct mp_series *series, mpfr_srcptr factor, int count);
/* All values are there, to the last coefficient: makes them ready for the lanes, which
   may then be run by several threads. */
void mp_series_settle(struct mp_series *series);

/* Coefficient k of the inputs of a block: variable `index` gets x[index * stride]. x
   NULL: zeros. Blocks that do not occur are ignored. */
void mp_series_load(struct mp_series *series, int lane, int block, int k, mpfr_srcptr x,
                    ptrdiff_t stride);
/* Coefficient k of the rows of a stage, from coefficients 0..k of their operands. */
void mp_series_run(struct mp_series *series, int lane, int stage, int k);
/* The same after coefficient k (k >= 1) of some inputs was changed since run(). */
void mp_series_correct(struct mp_series *series, int lane, int stage, int k);
/* All coefficients of an output, [order + 1]; those above the last k run are zero or old.
   Of a steady output (depends on parameters only) those above 0 are zero. */
mpfr_srcptr mp_series_output(const struct mp_series *series, int lane, int output);

/* Names the first row with a coefficient that is not finite; false if there is none. */
bool mp_series_blame(const struct mp_series *series, const struct names *names, int k,
                     char *text, int size);

#endif
