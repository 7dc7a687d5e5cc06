/*
 * explicit_series.h - Taylor series of a motion by the program of explicit_rhs.h, which
 * has solved the equations beforehand: no system of equations is left, and every formula
 * of the state at one order is one row after the other at that order (program/series.h).
 * The rows are interpreted, a column of derivatives after the other, or compiled with
 * columns side by side (emit/emit_series.h), to the same bits.
 */
#ifndef SALTUS_EXPLICIT_SERIES_H
#define SALTUS_EXPLICIT_SERIES_H

#include "explicit/explicit_rhs.h"

struct explicit_series;

/* Allocates for orders up to `order`. The program must outlive the series. */
struct explicit_series *explicit_series_new(struct explicit_rhs *explicit_rhs, int order);
void explicit_series_free(struct explicit_series *own);
int explicit_series_order(const struct explicit_series *own);
/* Evaluates rows that depend on parameters alone, which explicit_rhs_start has set. */
void explicit_series_start(struct explicit_series *own);
void explicit_series_use_code(struct explicit_series *own, enum code_use use);

/* Fills the coefficients x[1] to x[order] of x(t), of which x[0] is given; each x[k]
   [dim] is laid out like the state of system.h. The program must be trusted. */
void explicit_series_run(struct explicit_series *own, double t, int order,
                         double *const *x);

#endif
