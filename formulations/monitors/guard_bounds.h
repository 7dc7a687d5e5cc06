/*
 * guard_bounds.h - the guards that vary faster than the motion, with interval bounds.
 *
 * Such a guard (a post of 7 cm under a flight of 8 m, steps as long as allowed) may be
 * zero within a spike between all points of evaluation. Interval arithmetic over its
 * formula sees the spike (formula_bounds.h). Only guards with operations beyond those of
 * a polynomial are bounded; the others vary no faster than the motion does.
 */
#ifndef SALTUS_GUARD_BOUNDS_H
#define SALTUS_GUARD_BOUNDS_H

#include "monitors/formula_bounds.h"

struct guard_bounds {
    int count;                      /* number of fast guards; 0: none is bounded */
    int *guard;                     /* [count] indices among the guards of the mode */
    struct formula_bounds of; /* bounds of these guards */
};

/* Takes the guards `event` [guards] of a mode, but for guards that depend on a or lambda.
   The arrays are in `arena`; formula_bounds_clear and _set go to the member `of`. */
void guard_bounds_init(struct guard_bounds *bounds, struct arena *arena,
                       const struct model *model, const struct event *const *event,
                       int guards);

#endif
