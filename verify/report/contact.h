/*
 * contact.h - the points of a picture that an event is about.
 *
 * A guard and a point of a mechanism are formulas of coordinates. The event is about the
 * points that share most of their coordinates with its guard: a foot and the height of
 * the ground, a bob and the angle of a stop.
 */
#ifndef SALTUS_CONTACT_H
#define SALTUS_CONTACT_H

#include "report/animation.h"

/* Sets set [n]: coordinates that `count` formulas depend on, by themselves or by their
   velocities. */
void contact_coordinates(const struct model *model, const formula *f, int count,
                         bool *set);
/* Marks every event at the points that it is about. set [count][n] are the coordinates of
   points point[count]. An event that is about no point that moves is marked on the first
   `most` traces. */
void contact_mark(struct animation *animation, const struct model *model, int count,
                  const bool *set, const int *point, int most);

#endif
