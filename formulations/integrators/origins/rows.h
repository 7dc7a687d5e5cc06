/*
 * rows.h - prints rows of coefficients as the .def files of the integrators have them.
 */
#ifndef SALTUS_ORIGINS_ROWS_H
#define SALTUS_ORIGINS_ROWS_H

#include "linear.h"

/* Prints NAME(i, terms); one term a line for each entry of row `row` of m that is not
   zero, rounded to so many significant digits. */
void print_row(const char *name, int i, const arb_mat_t m, int row, int digits);

/* Prints STAGE(i, c, terms) in the same way. */
void print_stage(int i, const arb_t c, const arb_mat_t m, int row, int digits);

#endif
