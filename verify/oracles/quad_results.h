/*
 * quad_results.h - quadruple precision numbers as entries of results.
 */
#ifndef SALTUS_QUAD_RESULTS_H
#define SALTUS_QUAD_RESULTS_H

#include "oracles/native/quad.h"
#include "quantity/results.h"

void quad_to_mpfr(quad x, mpfr_ptr value);      /* exact, if `value` has 113 bits or
                                                   more */

/* Appends an entry with this name and value. */
void quad_results_add(struct results *results, const char *name, const char *group,
                      double t, int point, quad value);

#endif
