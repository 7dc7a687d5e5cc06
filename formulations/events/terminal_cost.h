/*
 * terminal_cost.h - costs and their derivatives at the end of a run.
 */
#ifndef SALTUS_TERMINAL_COST_H
#define SALTUS_TERMINAL_COST_H

#include "base/arena.h"
#include "base/status.h"
#include "model.h"

struct hybrid;

/* The terminal costs and their derivatives as a program, in an arena that outlives them;
   NULL: there are none. */
struct terminal_cost *terminal_cost_new(const struct model *model, struct arena *arena);
void terminal_cost_free(struct terminal_cost *terminal_cost);
/* psi and its gradients, into core->out. */
enum status terminal_cost_costs(struct hybrid *core);

#endif
