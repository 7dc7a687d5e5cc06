/*
 * workspace.h - the work space of the runs of one request, one after the other: arrays,
 * the method of the integrator, what instants and singular configurations need.
 */
#ifndef SALTUS_WORKSPACE_H
#define SALTUS_WORKSPACE_H

#include "events/hybrid.h"

/* For the model, the system and the integrator of core. */
void workspace_allocate(struct hybrid *core);
void workspace_release(struct hybrid *core);
/* As if all of it were new, so that no run knows of another. */
void workspace_renew(struct hybrid *core);

#endif
