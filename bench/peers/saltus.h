/*
 * saltus.h - this project's solver as a peer: a case from its formulas.
 */
#ifndef SALTUS_SALTUS_H
#define SALTUS_SALTUS_H

#include <stdbool.h>

#include "peers/peer.h"

/* Completes the peer "FORMULATION/INTEGRATOR", or ".../run" with `all`,
   which times all of run_once() and not a prepared run. Workload, formulation, option and
   integrator are given. False where the formulation does not apply to the case, has no
   such option, or the integrator does not take its equations. */
bool saltus_peer(struct peer *peer, bool all);

#endif
