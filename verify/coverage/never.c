/*
 * never.c - events of a case that do not happen on a motion (never.h)
 */
#include "coverage/never.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void say(const struct model *model, const bool *happens, char *text, int size)
{
    char list[300] = "";
    int never = 0, used = 0;
    for (int k = 0; k < model->events; k++) {
        int room = (int)sizeof list - used;
        if (happens[k])
            continue;
        if (room > 1)
            used += snprintf(list + used, (size_t)room, "%s%.60s", never ? ", " : "",
                             model->event[k]->name);
        never++;
    }
    text[0] = '\0';
    if (never > 0)
        snprintf(text, (size_t)size, "event%s %s never happen%s", never > 1 ? "s" : "",
                 list, never > 1 ? "" : "s");
}

void never_in_run(const struct trajectory *trajectory, char *text, int size)
{
    const struct model *model = trajectory->columns.model;
    bool *happens = memory_new(model->events, sizeof *happens);
    for (int k = 0; k < trajectory->events; k++)
        happens[trajectory->event[k].event->index] = true;
    say(model, happens, text, size);
    free(happens);
}

void never_in_reference(const struct mp_trajectory *trajectory, char *text, int size)
{
    const struct model *model = trajectory->columns.model;
    bool *happens = memory_new(model->events, sizeof *happens);
    for (int k = 0; k < trajectory->events; k++)
        happens[trajectory->event[k].event->index] = true;
    say(model, happens, text, size);
    free(happens);
}

void never_at_all(const struct model *model, char *text, int size)
{
    bool *happens = memory_new(model->events, sizeof *happens);
    say(model, happens, text, size);
    free(happens);
}
