/*
 * known.c - what is known already of why solutions disagree.
 */
#include <fnmatch.h>
#include <string.h>

#include "random/judge_draw.h"

/* Is a coordinate measured in another unit? */
static bool has_units(const struct draw *draw)
{
    for (int j = 0; j < draw->p; j++)
        if (draw->parameter[j].name[0] == 'u')
            return true;
    return false;
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
