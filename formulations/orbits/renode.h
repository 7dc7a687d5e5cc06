/*
 * renode.h - nodes put back between the events, which move along a branch.
 */
#ifndef SALTUS_RENODE_H
#define SALTUS_RENODE_H

#include "orbits/shooting.h"

/* Have events come near a node, on the orbit run last, so that nodes placed anew would be
   farther from them? */
bool renode_is_due(const struct shooting *shooting);
/* A guess with nodes placed anew on the orbit run last, and directions along the tangent
   of the shooting equations; *turned: how many events the first node has moved over. The
   runs of the segments are gone then. Statuses of segment_run; to be cleared in any
   case. */
enum status renode(struct shooting *shooting, struct orbit_guess *guess, int *turned,
                   struct diagnosis *diagnosis);

#endif
