/*
 * explicit_series.h - Taylor series of a motion by the program of explicit_rhs.h, which
 * has solved the equations beforehand: no system of equations is left, and what follows
 * the state at one order is one row after the other at that order (program/series.h). The
 * rows are interpreted, a column of derivatives after the other, or compiled with columns
 * side by side (emit/emit_series.h), to the same bits.
 */
#ifndef SALTUS_EXPLICIT_SERIES_H
#define SALTUS_EXPLICIT_SERIES_H

#include "explicit/explicit_rhs.h"

struct explicit_series;

/* Up to that order. The program must outlive it. */
struct explicit_series *explicit_series_new(struct explicit_rhs *explicit_rhs, int order);
void explicit_series_free(struct explicit_series *own);
int explicit_series_order(const struct explicit_series *own);
/* Everything that depends on parameters alone, as explicit_rhs_start has left it. */
void explicit_series_start(struct explicit_series *own);
void explicit_series_use_code(struct explicit_series *own, enum code_use use);

/* Of x(t), of which x[0] is given, columns as in system.h: x[1] to x[order], the
   coefficients that follow. Where the program is trusted. */
void explicit_series_run(struct explicit_series *own, double t, int order,
                         double *const *x);

#endif
