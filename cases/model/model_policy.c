/*
 * model_policy.c - reset policies (enum reset_policy): the velocities at an event that
 * adds constraints, changed by the impulse of the joints or left as they are.
 */
#include "model_internal.h"

const char *const reset_policy_text[] = {
    [RESET_IMPULSIVE] = "impulsive", [RESET_CONTINUOUS] = "continuous", NULL,
};
const char *const at_ends_text[] = {
    [AT_ENDS_REFUSED] = "refuse", [AT_ENDS_SKIPPED] = "skip", [AT_ENDS_HAPPEN] = "happen",
    NULL,
};
const char *const reset_velocity_text[] = {
    [VELOCITY_EXPLICIT] = "explicit", [VELOCITY_CONSTRAINED] = "constrained",
    [VELOCITY_IMPULSIVE] = "impulsive", [VELOCITY_IMPULSIVE + 1] = NULL,
};

bool event_adds_constraints(const struct event *event)
{
    const struct mode *from = event->from, *to = event->to;
    for (int i = 0; i < to->m; i++) {
        int j = 0;
        while (j < from->m && !same_formula(to->Phi[i], from->Phi[j]))
            j++;
        if (j == from->m)
            return true;
    }
    return false;
}

void event_apply_policy(const struct model *model, struct event *event)
{
    if (model->reset == RESET_IMPULSIVE || !event->joints ||
        !event_adds_constraints(event))
        return;
    event->joints = false;
    if (event->impulses == 0)
        event->velocity = VELOCITY_EXPLICIT;
}
