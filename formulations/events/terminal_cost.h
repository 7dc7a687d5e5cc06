/*
 * terminal_cost.h - costs and their derivatives at the end of a run.
 */
#ifndef SALTUS_TERMINAL_COST_H
#define SALTUS_TERMINAL_COST_H

#include "base/arena.h"
#include "base/status.h"
#include "model.h"

struct hybrid;

/* Compiles the terminal costs and their derivatives, in an arena that outlives them; NULL
   if the model has none. */
struct terminal_cost *terminal_cost_new(struct arena *arena, const struct model *model);
void terminal_cost_free(struct terminal_cost *terminal_cost);
/* Sets psi and its gradients in core->out; what solving, the edges and the gate of
   numbers are refused for. */
enum status terminal_cost_costs(struct hybrid *core);
/* Writes which operation makes terminal cost k not finite; "" where the reason is not
   known. */
void terminal_cost_blame(const struct hybrid *core, int k, char *text, int size);

#endif
