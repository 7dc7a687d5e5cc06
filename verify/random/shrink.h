/*
 * shrink.h - the smallest mechanism in which two solutions still disagree alike.
 *
 * Greedy: events, modes, constraints, coordinates, states, costs, terms and parameters
 * are removed one by one, constants become 1, the end comes earlier, as long as the same
 * solution disagrees in the same kind, with the same status (Zeller, Hildebrandt 2002,
 * "Simplifying and isolating failure-inducing input", with parts that mean something).
 */
#ifndef SALTUS_SHRINK_H
#define SALTUS_SHRINK_H

#include "random/judge_draw.h"

/* Makes `draw` the smallest that was found, and *disagreement its disagreement. Returns
   how many mechanisms were tried. */
int shrink(struct draw *draw, const struct draw_request *request,
           struct disagreement *disagreement);

#endif
