/*
 * faults.h - what goes wrong in other event cores, on request (run.h, run_fault).
 *
 * Each is a bug of a public solver. All but the last are made of the sensitivities alone:
 * the motion stays right, so that nothing but a judge of derivatives can see it.
 */
#ifndef SALTUS_FAULTS_H
#define SALTUS_FAULTS_H

#include "events/hybrid.h"

/* FAULT_INTERPOLATED: the columns of core->trial at time t, on the step h that begins at
   core->t, from a cubic through its ends instead of a step to t. Takes a step. */
enum status fault_interpolate(struct hybrid *core, double h, double t);

/* FAULT_SHARED_SNAPSHOT: columns as they were before the first event at an instant are
   kept; a later one there is differentiated from them, and its change is added. */
void fault_keep_snapshot(struct hybrid *core);
void fault_show_snapshot(struct hybrid *core);      /* before the jump of a later event */
void fault_add_change(struct hybrid *core);         /* after it, in core->sides.after */

/* FAULT_JUMP_TWICE: adds the change at the last event to the columns of core->x again. */
void fault_jump_again(struct hybrid *core);

/* FAULT_ONE_DIRECTION: does a guard of this direction that begins a step with the value r
   cross unseen? */
bool fault_unseen(const struct hybrid *core, int direction, double r);

#endif
