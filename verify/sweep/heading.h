/*
 * heading.h - lines with '#' that say how the runs of a table are made.
 */
#ifndef SALTUS_HEADING_H
#define SALTUS_HEADING_H

#include <stdbool.h>
#include <stdio.h>

#include "run.h"

/* Prints everything that decides the numbers of a run, apart from the parameters k that
   have varied[k]: formulas, formulation, integrator, tolerances, limits, values that are
   not nominal. */
void heading_print(FILE *stream, const struct run_request *request, const bool *varied);

#endif
