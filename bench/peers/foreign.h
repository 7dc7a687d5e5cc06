/*
 * foreign.h - any program as a peer.
 */
#ifndef SALTUS_BENCH_FOREIGN_H
#define SALTUS_BENCH_FOREIGN_H

#include "peers/peer.h"

/* Makes the peer of a command that solves `saltus problem`. `formulation` has the motion
   that the answer is compared with, the exact one; `timeout` is in seconds for each
   solution. The peer belongs to where it was made: its name is kept inside it. */
void foreign_peer(struct peer *peer, const struct workload *workload,
                  const struct formulation *formulation, const char *command,
                  const char *name, double timeout);

#endif
