/*
 * instant.h - guards that become zero at one time; shared by arcs.c, guards.c and
 * instant.c.
 */
#ifndef SALTUS_INSTANT_H
#define SALTUS_INSTANT_H

#include "arc.h"

/* The tie that has the guard of this event, or NULL. */
struct tied *arc_tied(struct arc *arc, const struct event *event);
/* How many guards of the mode fire (arc->fires). */
int arc_firing(const struct arc *arc);
/* More than one fires, at run->t, run->next: all orders, and on from the first of them if
   they lead to the same. SIMULTANEOUS; what follows in the first order. */
enum status arc_orders(struct arc *arc);

#endif
