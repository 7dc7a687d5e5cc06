/*
 * bounds.h - interval arithmetic over the rows of a tape (Moore, Kearfott, Cloud 2009).
 */
#ifndef SALTUS_BOUNDS_H
#define SALTUS_BOUNDS_H

#include "formula/tape.h"

/* An interval [low, high]; infinite ends: unbounded. */
struct bounds {
    double low, high;
};

/* Bounds of the rows of an order, [order->count], malloc'ed. Variables and parameters
   may have any value, so that the bounds hold for every motion. */
struct bounds *bounds_of(const struct tape *tape, const struct order *order);
/* Bounds of the rows of an order into bounds [order->count], where variables of a
   block with block[b] not NULL lie within block[b][index]. Constants keep the bounds
   that are there (bounds_constants). */
void bounds_at(const struct tape *tape, const struct order *order,
               const struct bounds *const block[BLOCKS], struct bounds *bounds);
/* Sets the bounds of the constants alone. */
void bounds_constants(const struct tape *tape, const struct order *order,
                      struct bounds *bounds);
/* True: zero is not in the interval. */
static inline bool bounds_exclude_zero(struct bounds bounds)
{
    return bounds.low > 0 || bounds.high < 0;
}

#endif
