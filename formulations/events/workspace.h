/*
 * workspace.h - the workspace of the runs of one request, one after the other: arrays,
 * the integrator's method, instants and singular configurations.
 */
#ifndef SALTUS_WORKSPACE_H
#define SALTUS_WORKSPACE_H

#include "events/hybrid.h"

/* Allocates for the model, the system and the integrator of core. */
void workspace_allocate(struct hybrid *core);
void workspace_release(struct hybrid *core);
/* Makes the workspace as good as new, so that no run knows of another. */
void workspace_renew(struct hybrid *core);

#endif
