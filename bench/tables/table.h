/*
 * table.h - work-precision results in columns, as CSV and as a picture.
 */
#ifndef SALTUS_TABLE_H
#define SALTUS_TABLE_H

#include <stdio.h>

#include "measure/measure.h"

/* Median time of a rung over the rounds, in microseconds. */
double microseconds(const struct rung *rung, int rounds);

/* Medians over the rounds, at one error: of the ratio to the first peer's time, taken
   round by round; of the standard error of this ratio in per cent, by the scatter of
   both; and of the time. NAN where the error was not reached on both sides. */
struct at_error { double ratio, doubt, microseconds; };
struct at_error at_error(const struct measuring *how, const struct ladder *ladder,
                         const struct ladder *first, double error);

/* Prints the measurement, the peers, and why a peer was not measured. */
void table_preamble(FILE *out, const struct measuring *how,
                    const struct workload *workload, int peers,
                    const struct ladder *ladder);
/* Prints one rung in a decade of each peer: tolerance, true error, median time,
   spread. */
void table_rungs(FILE *out, const struct measuring *how, int peers,
                 const struct ladder *ladder);
/* Prints times at true errors 1e-6, 1e-9 and 1e-12, as multiples of the first peer's and
   in microseconds; and the build of each peer. */
void table_errors(FILE *out, const struct measuring *how, int peers,
                  const struct ladder *ladder);
/* Prints the distance of the motions of approximating formulations from that of the first
   peer; and published claims about the workload. */
void table_gaps(FILE *out, const struct workload *workload, int peers,
                const struct ladder *ladder);
/* Writes all rungs as CSV. */
void table_csv(FILE *out, const struct measuring *how, int peers,
               const struct ladder *ladder);
/* Writes commands for gnuplot that draw time against error. */
void table_plot(FILE *gnuplot, const struct measuring *how,
                const struct workload *workload, int peers, const struct ladder *ladder);

#endif
