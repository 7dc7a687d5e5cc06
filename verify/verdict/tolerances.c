/*
 * tolerances.c - the first line of tolerances.def that fits (tolerances.h)
 */
#include "verdict/tolerances.h"

#include <fnmatch.h>
#include <stdlib.h>

static const struct tolerance {
    const char *class, *integrator, *formulation;
    double rtol;
} tolerances[] = {
#define TOLERANCE(class, integrator, formulation, rtol) \
    {class, integrator, formulation, rtol},
#include "verdict/tolerances.def"
#undef TOLERANCE
};

static bool fits(const char *pattern, const char *text)
{
    return fnmatch(pattern, text, 0) == 0;
}

double tolerance_default(const struct case_desc *desc,
                         const struct integrator *integrator,
                         const struct formulation *formulation)
{
    const char *classes = desc->classes ? desc->classes : "";
    for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; k++) {
        const struct tolerance *tolerance = &tolerances[k];
        if (fits(tolerance->class, classes) &&
            fits(tolerance->integrator, integrator->name) &&
            fits(tolerance->formulation, formulation->name))
            return tolerance->rtol;
    }
    abort();    /* the last line of tolerances.def fits everything */
}
