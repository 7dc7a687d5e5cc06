/*
 * bounds.h - interval arithmetic over the rows of a tape (Moore, Kearfott, Cloud 2009).
 */
#ifndef SALTUS_BOUNDS_H
#define SALTUS_BOUNDS_H

#include "formula/tape.h"

struct bounds {
    double low, high;
};

/* Bounds of the rows of an order, [order->count], malloc'ed: variables and parameters may
   have any value, so they hold for every motion. */
struct bounds *bounds_of(const struct tape *tape, const struct order *order);
/* Bounds where the variables of blocks that are not NULL are within these, to
   bounds [order->count]; constants are left as they are there. */
void bounds_at(const struct tape *tape, const struct order *order,
               const struct bounds *const block[BLOCKS], struct bounds *bounds);
/* Constants alone. */
void bounds_constants(const struct tape *tape, const struct order *order,
                      struct bounds *bounds);
static inline bool bounds_exclude_zero(struct bounds bounds)
{
    return bounds.low > 0 || bounds.high < 0;
}

#endif
