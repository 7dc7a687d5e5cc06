/*
 * run_exact.h - the exact motion in double, by whatever formulation can follow it.
 */
#ifndef SALTUS_RUN_EXACT_H
#define SALTUS_RUN_EXACT_H

#include "run.h"

/* Runs the request with the default formulation of the model or, where that refuses
   (dependent constraints), with the first other ALGEBRAIC one of the exact family that
   does not; its own formulation, options and integrator do not count. The result is that
   of run_once(), its refusal and how far it came, too: RANK_LOSS is that of the
   default. */
enum status run_exact(const struct run_request *like, struct trajectory **out,
                      struct diagnosis *diagnosis);

#endif
