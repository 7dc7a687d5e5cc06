/*
 * catalogue.c - the list of formulations, and which of them apply to a model.
 */
#include <stddef.h>
#include <string.h>

#include "base/plugged.h"
#include "formulation.h"

#define FORMULATION(id) extern const struct formulation formulation_##id;
#include "catalogue.def"
#undef FORMULATION

enum {
#define FORMULATION(id) OWN_##id,
#include "catalogue.def"
#undef FORMULATION
    OWN
};

const struct formulation *formulations[OWN + PLUGGED_ROOM + 1] = {
#define FORMULATION(id) &formulation_##id,
#include "catalogue.def"
#undef FORMULATION
};

const struct formulation *formulation_find(const char *name)
{
    for (int k = 0; formulations[k]; k++)
        if (strcmp(formulations[k]->name, name) == 0)
            return formulations[k];
    return NULL;
}

const struct formulation *formulation_default(const struct model *model)
{
    return formulation_find(model->m == 0 ? "ode" : "index1");
}

/* True if an event leads to a mode with other constraints. */
static bool constraints_change(const struct model *model)
{
    for (int k = 0; k < model->events; k++) {
        const struct mode *from = model->event[k]->from, *to = model->event[k]->to;
        if (from->m != to->m)
            return true;
        for (int i = 0; i < from->m; i++)
            if (!same_formula(from->Phi[i], to->Phi[i]))
                return true;
    }
    return false;
}

bool formulation_applies(const struct formulation *formulation, const struct model *model,
                         const char **why)
{
    unsigned can = formulation->capabilities;
    const char *reason = NULL;
    if (model->m > 0 && !(can & TAKES_CONSTRAINTS))
        reason = "some mode has constraints";
    else if (model->m == 0 && !(can & TAKES_UNCONSTRAINED))
        reason = "no mode has constraints: the same as ode";
    else if (constraints_change(model) && !(can & TAKES_CONSTRAINT_CHANGE))
        reason = "the constraints change at an event";
    for (int k = 0; !reason && k < model->modes; k++)
        for (int i = 0; i < model->mode[k]->m; i++)
            if (model->mode[k]->velocity_level[i] && !(can & TAKES_VELOCITY_LEVEL))
                reason = "a constraint is at velocity level";
    if (why)
        *why = reason;
    return !reason;
}
