/*
 * terminal_cost.h - costs and their derivatives at the end of a run.
 */
#ifndef SALTUS_ENDING_H
#define SALTUS_ENDING_H

#include "base/status.h"
#include "model.h"

struct hybrid;

/* The terminal costs and their derivatives as a program; NULL: there are none. */
struct ending *ending_new(const struct model *model);
void ending_free(struct ending *ending);
/* psi and its gradients, into core->out. */
enum status ending_costs(struct hybrid *core);

#endif
