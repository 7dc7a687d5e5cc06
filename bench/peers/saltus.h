/*
 * saltus.h - this project's solver as a peer: a case from its formulas.
 */
#ifndef SALTUS_SALTUS_H
#define SALTUS_SALTUS_H

#include <stdbool.h>

#include "peers/peer.h"

/* Completes the peer "FORMULATION/INTEGRATOR" of a prepared run, or with `all` ".../run",
   of which all of run_once() is timed. Workload, formulation, option and integrator are
   set by the caller. False: the formulation does not apply to the case or has no such
   option, or the integrator does not take its equations. */
bool saltus_peer(struct peer *peer, bool all);

#endif
