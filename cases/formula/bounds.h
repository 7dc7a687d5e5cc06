/*
 * bounds.h - interval arithmetic over the rows of a tape (Moore, Kearfott, Cloud 2009).
 *
 * Variables and parameters may have any value, so the bounds hold for every motion.
 */
#ifndef SALTUS_BOUNDS_H
#define SALTUS_BOUNDS_H

#include "formula/tape.h"

struct bounds {
    double low, high;
};

/* Bounds of the rows of an order, [order->count], malloc'ed. */
struct bounds *bounds_of(const struct tape *tape, const struct order *order);
static inline bool bounds_exclude_zero(struct bounds bounds)
{
    return bounds.low > 0 || bounds.high < 0;
}

#endif
