/*
 * far_side.c - guards beyond whose zero a motion may begin (far_side.h).
 */
#include "far_side.h"

static bool watched_both_ways(const struct model *model, const struct event *event)
{
    bool both = false;
    for (int k = 0; k < model->events; k++) {
        const struct event *other = model->event[k];
        both = both || (other->from == event->from && other->direction != EITHER &&
                        other->direction != event->direction &&
                        same_formula(other->guard, event->guard));
    }
    return both;
}

bool event_far_is_open(const struct model *model, const struct event *event)
{
    bool passes = event->to == event->from && event->goes_on && !event->terminal;
    return passes || event->conditions > 0 || watched_both_ways(model, event);
}
