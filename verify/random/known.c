/*
 * known.c - disagreements with a known cause (known.def).
 */
#include <fnmatch.h>
#include <string.h>

#include "random/judge_draw.h"

/* Has a penalty formulation the disagreement? Only the penalty resists multipliers of
   dependent rows, by 1/alpha: the rounding by which such rows disagree is magnified by
   alpha, in double in any case. */
static bool is_penalty(const struct disagreement *d)
{
    return strncmp(d->who, "penalty", 7) == 0 ||
           strncmp(d->who, "modified-lagrange", 17) == 0;
}

const char *known_cause(const struct draw *draw, const struct disagreement *d)
{
#define KNOWN(who_, condition, cause) \
    if (fnmatch(who_, d->who, 0) == 0 && (condition)) \
        return cause;
#include "random/known.def"
#undef KNOWN
    return NULL;
}
