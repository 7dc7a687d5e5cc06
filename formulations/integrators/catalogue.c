/* catalogue.c - the list of integrators. */
#include <stddef.h>
#include <string.h>

#include "base/plugged.h"
#include "methods.h"

enum {
#define INTEGRATOR(name) OWN_##name,
#include "catalogue.def"
#undef INTEGRATOR
    OWN
};

const struct integrator *integrators[OWN + PLUGGED_ROOM + 1] = {
#define INTEGRATOR(name) &integrator_##name,
#include "catalogue.def"
#undef INTEGRATOR
};

const struct integrator *integrator_find(const char *name)
{
    for (int i = 0; integrators[i]; i++)
        if (strcmp(integrators[i]->name, name) == 0)
            return integrators[i];
    return NULL;
}
