/*
 * faults.h - fault injection: bugs of public solvers, in a run that asks for them.
 *
 * All faults but the last two change the sensitivities alone: the motion stays right, so
 * that only a judge of derivatives can see the faults. No public header knows faults:
 * verify/ and the tests of the event core ask for them by the functions here.
 */
#ifndef SALTUS_FAULTS_H
#define SALTUS_FAULTS_H

#include "run.h"

struct hybrid;

/* A set of faults is an unsigned; an ordinary run has none. */
enum run_fault {
    FAULT_UNCONTROLLED    = 1 << 0, /* sensitivities left out of the error control */
    FAULT_INTERPOLATED    = 1 << 1, /* sensitivities at an event by interpolation between
                                       the ends of the step, not by a step to the event */
    FAULT_SHARED_SNAPSHOT = 1 << 2, /* events at one instant all differentiated from
                                       before the first of them */
    FAULT_JUMP_TWICE      = 1 << 3, /* the jump of an event at the time of a sample made
                                       before the sample and again after it */
    FAULT_ONE_DIRECTION   = 1 << 4, /* guards of direction EITHER seen rising only */
    FAULT_UNCHECKED       = 1 << 5  /* constraints after an event left unchecked */
};

/* run_once(), runner_new() and batch_new() (run.h) of a request, with a set of faults. */
enum status run_with_faults(const struct run_request *request, unsigned faults,
                            struct trajectory **out, struct diagnosis *diagnosis);
struct runner *runner_new_with_faults(const struct run_request *request, unsigned faults,
                                      struct diagnosis *diagnosis);
struct batch *batch_new_with_faults(const struct run_request *request, int lanes,
                                    unsigned faults);

/* --- parts of the event core, by the fault that needs the part ---------------------- */

/* FAULT_INTERPOLATED: sets the columns of core->step.trial at time t, on the step h that
   begins at core->t, from a cubic through the ends of the step instead of a step to t.
   The function takes a step; each status of hybrid_step_to. */
enum status fault_interpolate(struct hybrid *core, double h, double t);

/* FAULT_SHARED_SNAPSHOT: keeps the columns as they are before the first event at an
   instant. */
void fault_keep_snapshot(struct hybrid *core);
/* FAULT_SHARED_SNAPSHOT: shows the kept columns to the jump of a later event. */
void fault_show_snapshot(struct hybrid *core);
/* FAULT_SHARED_SNAPSHOT: adds the change of the later event in core->sides.after. */
void fault_add_change(struct hybrid *core);

/* FAULT_JUMP_TWICE: adds the change at the last event to the columns of core->x again. */
void fault_jump_again(struct hybrid *core);

/* FAULT_ONE_DIRECTION: does a guard of this direction that begins a step with the value r
   cross unseen? */
bool fault_unseen(const struct hybrid *core, int direction, double r);

#endif
