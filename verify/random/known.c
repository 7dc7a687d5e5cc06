/*
 * known.c - what is known already of why solutions disagree.
 */
#include <fnmatch.h>
#include <string.h>

#include "random/judge_draw.h"

#define USES(place, block) (draw_uses(draw, place) >> (block) & 1)

/* An event of one direction that leads back into its mode with nothing changed. */
static bool identity_one_way(const struct draw *draw)
{
    for (int e = 0; e < draw->events; e++) {
        const struct drawn_event *event = &draw->event[e];
        bool jumps = draw_has(draw, AT_Q_PLUS, e, -1) ||
                     draw_has(draw, AT_V_PLUS, e, -1) ||
                     draw_has(draw, AT_S_PLUS, e, -1) || draw_has(draw, AT_PSI, e, -1);
        if (event->direction != EITHER && !event->terminal && !jumps)
            return true;
    }
    return false;
}

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
