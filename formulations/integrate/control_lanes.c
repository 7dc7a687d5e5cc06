#include "control_lanes.h"

#include <math.h>
#include <stdlib.h>

#include "formula/memory.h"
#include "lane_loops.h"
#include "lanes.h"
#include "norms.h"
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
    lanes->share = lanes_new(6*groups);
    lanes->amplitude = lanes->share + groups*LANES;
    lanes->size = lanes->amplitude + groups*LANES;
    lanes->level = lanes->size + groups*LANES;
    lanes->norm[0] = lanes->level + groups*LANES;
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

/* From the largest parts of error vectors in lanes->norm to the squared errors of groups,
   to lanes->norm[0], as in norms.c. Where a lane has no floor its share makes nothing of
   it; if that is nothing of infinity, the group that would be the floor has an infinite
   error itself. */
INLINE void find_errors(struct control_lanes *lanes, int errors, double second, int l)
{
    const pack zero = { 0 }, infinite = zero + INFINITY;

    for (int g = 0; g < lanes->groups; g++) {
        pack level = AT(lanes->size, g);

        if (lanes->of[g] >= 0) {
            pack floor = AT(lanes->share, g)*AT(lanes->level, lanes->of[g]);
            level = PACK_WHERE(floor > level, floor, level);
        }
        AT(lanes->level, g) = level;
        pack unit = lanes->rtol*level + lanes->atol;
        pack first = AT(lanes->norm[0], g), other = AT(lanes->norm[errors - 1], g);
        pack norm = first/unit, square = norm*norm, error = square;
        bits finite = (first < infinite) & (other < infinite);
        if (second != 0) {
            pack share = second*(other/unit);
            error = ERROR_SQUARE(square, share*share);
        } else {
            finite &= (square > 0) == (norm > 0);   /* the ratio there is 0/0, or 1 */
        }
        error = PACK_WHERE(norm > 0, error, zero);
        finite &= error + unit < infinite;
        AT(lanes->norm[0], g) = PACK_WHERE(finite, error, infinite);
    }
}

INLINE void all_errors(struct control_lanes *lanes, int errors, double second)
{
    for (int l = 0; l < LANES; l += PACK) {
        note_sizes(lanes, l);
        find_errors(lanes, errors, second, l);
    }
}

PACK_WIDEST(find_all, all_errors,
            (struct control_lanes *lanes, int errors, double second),
            (lanes, errors, second))

void control_lanes_error(struct control_lanes *lanes, const struct integrator *integrator,
                         const double *x_new, double *const *err, double *error)
{
    const struct lane_loops *loops = lane_loops();

    loops->largest(lanes->groups, lanes->begin, x_new, lanes->size);
    for (int e = 0; e < integrator->errors; e++)
        loops->largest(lanes->groups, lanes->begin, err[e], lanes->norm[e]);
    find_all(lanes, integrator->errors, integrator->second);
    loops->largest(1, (const int[]){ 0, lanes->groups }, lanes->norm[0], error);
    for (int l = 0; l < LANES; l++)
        error[l] = sqrt(error[l]);
}

void control_lanes_accept(struct control_lanes *lanes, const double *accepted)
{
    lane_loops()->move(lanes->groups, accepted, lanes->amplitude, lanes->size);
}
