/*
 * run_exact.h - the exact motion in double, by whatever formulation can follow it.
 */
#ifndef SALTUS_RUN_EXACT_H
#define SALTUS_RUN_EXACT_H

#include "run.h"

/* Runs the request with the default formulation of the model. If that refuses (dependent
   constraints), the first other ALGEBRAIC formulation of the exact family that does not
   refuse runs it. The formulation, options and integrator of the request do not count.
   The result, also a refusal and how far the run came, is that of run_once(); a RANK_LOSS
   is that of the default. */
enum status run_exact(const struct run_request *like, struct trajectory **out,
                      struct diagnosis *diagnosis);

#endif
