/*
 * elimination_parts.h - what the files of elimination share.
 *
 *   elimination_order.c   in which order, from where the entries are
 *   elimination.c         pivot by pivot
 */
#ifndef SALTUS_ELIMINATION_PARTS_H
#define SALTUS_ELIMINATION_PARTS_H

#include "linear/elimination.h"

/* The cheapest of the orders, into `order` [rows], by products that are made at every
   evaluation; false when a pivot is zero by structure. */
bool elimination_order(const formula *A, int rows, const bool *multiplier, int *order);

#endif
