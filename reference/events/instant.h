/*
 * instant.h - simultaneous events: guards that become zero at one time (instant.c).
 */
#ifndef SALTUS_INSTANT_H
#define SALTUS_INSTANT_H

#include "arc.h"

/* The tie of the guard of this event, or NULL. */
struct tied *arc_tied(struct arc *arc, const struct event *event);
/* The number of guards of the mode that fire (arc->fires). */
int arc_firing(const struct arc *arc);
/* More than one guard fires at run->t, run->next: tries all orders of them, and goes
   on by the first. SIMULTANEOUS: the orders lead to different states or derivatives;
   other statuses are those of the first order. */
enum status arc_orders(struct arc *arc);

#endif
