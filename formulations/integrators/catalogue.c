/* catalogue.c - the list of integrators. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/plugged.h"
#include "base/suggest.h"
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

/* Methods that are gone, and why. */
static const struct { const char *name, *why; } gone[] = {
    {"rk86", "it is gone, for its estimate did not see its last stage"},
};

void integrator_offer(const char *name, char *text, int size)
{
    const char *known[sizeof integrators/sizeof *integrators];
    int count = 0;

    for (size_t k = 0; k < sizeof gone/sizeof *gone; k++)
        if (strcmp(name, gone[k].name) == 0) {
            snprintf(text, (size_t)size, "%s; use automatic, the default", gone[k].why);
            return;
        }
    for (; integrators[count]; count++)
        known[count] = integrators[count]->name;
    offer_names(name, known, count, text, size);
}
