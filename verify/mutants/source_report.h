/* source_report.h - `saltus mutants --source TREE`. */
#ifndef SALTUS_SOURCE_REPORT_H
#define SALTUS_SOURCE_REPORT_H

#include "mutants/source.h"

/* Judges the faults of those names, or all where there is none, in a copy of the tree
   that is made in `folder`, and prints the outcome of each. Were all seen, and was any
   judged? */
bool source_report(FILE *stream, const char *tree, const char *folder,
                   const char *const *name, int names, int threads);

#endif
