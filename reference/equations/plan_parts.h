/* plan_parts.h - shared by plan.c (motion, start, end) and plan_event.c. */
#ifndef SALTUS_PLAN_PARTS_H
#define SALTUS_PLAN_PARTS_H

#include "formula/edges.h"
#include "plan.h"

/* Seals outputs [count] with the stages of plan.h; `reset`: (a, lambda) are given, only
   what comes after the event is unknown. */
struct program *plan_seal(const struct model *model, const formula *output, int count,
                          bool reset);
/* The same, followed, where the plan has tangents, by their derivatives along the
   `active` blocks. */
struct program *plan_seal_tangent(const struct plan *plan, const formula *f, int count,
                                  const bool *active, bool reset);

/* zero [count], beside [count] of edges. */
struct program *plan_edges(const struct model *model, const struct edge *edge, int count);

void plan_event(const struct plan *plan, struct event_plan *out,
                const struct event *event);

#endif
