/*
 * far_side.h - guards beyond whose zero a motion may be where an arc begins.
 *
 * An event of one direction happens where its guard crosses zero. A motion that begins
 * beyond is behind an obstacle, mostly: a ball under its floor is a slip. But the far
 * side is a place like any other where motions of the same mode get to by themselves.
 */
#ifndef SALTUS_FAR_SIDE_H
#define SALTUS_FAR_SIDE_H

#include "model.h"

/* May a motion in the mode that the event leaves be beyond its guard? True, if
 *
 *   - the event leads back into the mode and the motion goes on beyond: a velocity that
 *     is zero at the top of a flight, a place that is passed;
 *   - the motion goes on without the event where its conditions do not hold;
 *   - another event of the mode watches the same guard in the other direction: no motion
 *     is on the near side of both.
 */
bool event_far_is_open(const struct model *model, const struct event *event);

#endif
