/*
 * quad_results.h - quadruple precision numbers into results.
 */
#ifndef SALTUS_QUAD_RESULTS_H
#define SALTUS_QUAD_RESULTS_H

#include "oracles/native/quad.h"
#include "quantity/results.h"

void quad_to_mpfr(quad x, mpfr_ptr value);      /* exact, at 113 bits or more */

/* Appends name = value. */
void quad_results_add(struct results *results, const char *name, const char *group,
                      double t, int point, quad value);

#endif
