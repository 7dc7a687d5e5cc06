/* plan_parts.h - sealing of programs, shared by plan.c (motion, start, end) and
   plan_event.c (events). */
#ifndef SALTUS_PLAN_PARTS_H
#define SALTUS_PLAN_PARTS_H

#include "formula/domain_edges.h"
#include "plan.h"

/* Seals outputs [count] with the stages of plan.h; `reset`: (a, lambda) are given, and
   only the variables after the event are unknown. */
struct program *plan_seal(const struct model *model, const formula *output, int count,
                          bool reset);
/* Seals f [count] like plan_seal, followed, if the plan has tangents, by the
   derivatives of f along the `active` blocks. */
struct program *plan_seal_tangent(const struct plan *plan, const formula *f, int count,
                                  const bool *active, bool reset);

/* Seals the formulas that are watched of edges and domains (edges_formulas). */
struct program *plan_edges(const struct model *model, const struct edges *edges);

/* Fills `out` with the programs of an event. */
void plan_event(const struct plan *plan, struct event_plan *out,
                const struct event *event);

#endif
