/*
 * saltus.h - this project's solver as a peer: the case five-bar from its formulas.
 */
#ifndef SALTUS_BENCH_SALTUS_H
#define SALTUS_BENCH_SALTUS_H

#include <stdbool.h>

#include "columns.h"
#include "peer.h"

/* The peer "FORMULATION/INTEGRATOR", or "FORMULATION/INTEGRATOR/run" which times all of
   run() and not a prepared run; false where the formulation does not apply to
   five-bar, or the integrator not to the formulation. */
bool saltus_peer(const struct formulation *formulation,
                 const struct integrator *integrator, bool all, struct peer *peer);

/* The model of five-bar, to be freed; NULL and a diagnosis. */
struct model *workload_model(struct diagnosis *diagnosis);
/* Where the numbers of the answer are among the columns of a result. */
void workload_columns(const struct columns *columns, int column[ANSWERS]);

#endif
