#include "tolerances.h"

#include <fnmatch.h>
#include <stdlib.h>

static const struct tolerance {
    const char *integrator, *formulation;
    double rtol;
} tolerances[] = {
#define TOLERANCE(integrator, formulation, rtol) {integrator, formulation, rtol},
#include "tolerances.def"
#undef TOLERANCE
};

double tolerance_default(const char *integrator, const char *formulation)
{
    for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; k++)
        if (fnmatch(tolerances[k].integrator, integrator, 0) == 0 &&
            fnmatch(tolerances[k].formulation, formulation, 0) == 0)
            return tolerances[k].rtol;
    abort();    /* the last line of tolerances.def fits everything */
}
