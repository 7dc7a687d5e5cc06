#include "control_lanes.h"

#include <math.h>
#include <stdlib.h>

#include "formula/memory.h"
#include "lanes.h"
#include "packs.h"

struct control_lanes *control_lanes_new(const struct control *like)
{
    int groups = like->groups;
    struct control_lanes *lanes = memory_new(1, sizeof *lanes);

    *lanes = (struct control_lanes){ .groups = groups, .rtol = like->rtol,
                                     .atol = like->atol };
    lanes->begin = memory_new(groups + 1, sizeof *lanes->begin);
    memory_copy(lanes->begin, like->begin, groups + 1, sizeof *lanes->begin);
    lanes->of = memory_new(groups, sizeof *lanes->of);
    for (int g = 0; g < groups; g++)
        lanes->of[g] = -1;
    lanes->share = memory_new(5*groups*LANES, sizeof *lanes->share);
    lanes->amplitude = lanes->share + groups*LANES;
    lanes->size = lanes->amplitude + groups*LANES;
    lanes->norm[0] = lanes->size + groups*LANES;
    lanes->norm[1] = lanes->norm[0] + groups*LANES;
    return lanes;
}

void control_lanes_free(struct control_lanes *lanes)
{
    if (!lanes)
        return;
    free(lanes->begin);
    free(lanes->of);
    free(lanes->share);
    free(lanes);
}

void control_lanes_put(struct control_lanes *lanes, int lane, const struct control *run)
{
    for (int g = 0; g < lanes->groups; g++) {
        const struct floor *floor = &run->floor[g];

        lanes->share[g*LANES + lane] = floor->of >= 0 ? floor->share : 0;
        if (floor->of >= 0)
            lanes->of[g] = floor->of;
    }
}

void control_lanes_enter(struct control_lanes *lanes, int lane, const struct control *run)
{
    lane_put(lanes->groups, run->amplitude, lane, lanes->amplitude);
}

void control_lanes_leave(const struct control_lanes *lanes, int lane, struct control *run)
{
    lane_take(lanes->groups, lanes->amplitude, lane, run->amplitude);
    lane_take(lanes->groups, lanes->size, lane, run->size);
}

/* --- the error of a step ------------------------------------------------------------ */

#define INLINE static inline __attribute__((always_inline))
#define AT(rows, g) (*(pack *)((rows) + (g)*LANES + l))

/* Of groups that come to x, which are in lanes->size already. */
INLINE void note_sizes(struct control_lanes *lanes, int l)
{
    for (int g = 0; g < lanes->groups; g++) {
        pack size = AT(lanes->size, g), before = AT(lanes->amplitude, g);

        AT(lanes->size, g) = PACK_LARGER(size, before);
    }
}

/* From the largest parts of error vectors in lanes->norm to their norms, as in control.c;
   the first is infinite where the error is. Where a lane has no floor its share makes
   nothing of it; if that is nothing of infinity, the group that would be the floor has an
   infinite error itself. */
INLINE void find_norms(struct control_lanes *lanes, int errors, int l)
{
    const int *of = lanes->of;

    for (int g = 0; g < lanes->groups; g++) {
        pack most = AT(lanes->size, g), share = { 1, 1, 1, 1 }, infinite = { 0 };

        for (int k = g; of[k] >= 0; k = of[k]) {
            share *= AT(lanes->share, k);
            pack floor = share*AT(lanes->size, of[k]);
            most = PACK_LARGER(most, floor);
        }
        pack unit = lanes->rtol*most + lanes->atol;
        bits finite = unit < INFINITY;

        for (int e = 0; e < errors; e++) {
            pack error = AT(lanes->norm[e], g);
            pack norm = PACK_WHERE(error > 0, error/unit, infinite);

            AT(lanes->norm[e], g) = norm;
            finite &= norm < INFINITY;
        }
        infinite += INFINITY;
        AT(lanes->norm[0], g) = PACK_WHERE(finite, AT(lanes->norm[0], g), infinite);
    }
}

INLINE void all_norms(struct control_lanes *lanes, int errors)
{
    for (int l = 0; l < LANES; l += PACK) {
        note_sizes(lanes, l);
        find_norms(lanes, errors, l);
    }
}

PACK_WIDEST(norms, all_norms, (struct control_lanes *lanes, int errors),
            (lanes, errors))

static void combine(struct control_lanes *lanes, double (*of_two)(const double *norm))
{
    for (int i = 0; i < lanes->groups*LANES; i++) {
        const double norm[2] = { lanes->norm[0][i], lanes->norm[1][i] };

        lanes->norm[0][i] = norm[0] < INFINITY ? of_two(norm) : INFINITY;
    }
}

void control_lanes_error(struct control_lanes *lanes, const struct integrator *integrator,
                         const double *x_new, double *const *err, double *error)
{
    const struct pack_loops *loops = pack_loops();

    loops->largest(lanes->groups, lanes->begin, x_new, lanes->size);
    for (int e = 0; e < integrator->errors; e++)
        loops->largest(lanes->groups, lanes->begin, err[e], lanes->norm[e]);
    norms(lanes, integrator->errors);
    if (integrator->combine)
        combine(lanes, integrator->combine);
    loops->largest(1, (const int[]){ 0, lanes->groups }, lanes->norm[0], error);
}

void control_lanes_accept(struct control_lanes *lanes, const double *accepted)
{
    pack_loops()->move(lanes->groups, accepted, lanes->amplitude, lanes->size);
}
