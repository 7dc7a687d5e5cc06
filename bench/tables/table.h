/*
 * table.h - what was measured, in columns, as CSV and as a picture.
 */
#ifndef SALTUS_TABLE_H
#define SALTUS_TABLE_H

#include <stdio.h>

#include "measure/measure.h"

/* Median over the rounds, in microseconds. */
double microseconds(const struct rung *rung, int rounds);

/* Medians over the rounds of the ratio to the first peer's time at an error, round by
   round; of the per cent that the scatter of both lets it be off; and of the time. NAN
   where the error was not reached on both sides. */
struct at_error { double ratio, doubt, microseconds; };
struct at_error at_error(const struct measuring *how, const struct ladder *ladder,
                         const struct ladder *first, double error);

/* How it was measured, who took part, and why somebody did not. */
void table_preamble(FILE *out, const struct measuring *how,
                    const struct workload *workload, int peers,
                    const struct ladder *ladder);
/* One rung in a decade of each peer: tolerance, true error, median time, their spread. */
void table_rungs(FILE *out, const struct measuring *how, int peers,
                 const struct ladder *ladder);
/* Times at true errors 1e-6, 1e-9 and 1e-12, as multiples of the first peer's and as they
   are; and how each was built. */
void table_errors(FILE *out, const struct measuring *how, int peers,
                  const struct ladder *ladder);
/* How far the motions of formulations that approximate are from that of the first peer;
   and what is published about the workload. */
void table_gaps(FILE *out, const struct workload *workload, int peers,
                const struct ladder *ladder);
/* All rungs as CSV. */
void table_csv(FILE *out, const struct measuring *how, int peers,
               const struct ladder *ladder);
/* Commands for gnuplot that draw time against error as SVG. */
void table_plot(FILE *gnuplot, const struct measuring *how,
                const struct workload *workload, int peers, const struct ladder *ladder);

#endif
