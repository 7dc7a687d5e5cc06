/*
 * control_lanes.c - the errors of steps in SIMD lanes.
 */
#include "control_lanes.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "norms.h"
#include "simd/lane_loops.h"
#include "simd/lane_rows.h"

struct control_lanes *control_lanes_new(const struct control *like)
{
    int groups = like->groups, rows = groups*LANES;
    struct control_lanes *lanes = memory_new(1, sizeof *lanes);
    struct arena *arena = &lanes->arena;

    *lanes = (struct control_lanes){ .groups = groups, .rtol = like->rtol,
                                     .atol = like->atol };
    lanes->begin = arena_new(arena, groups + 1, sizeof *lanes->begin);
    memory_copy(lanes->begin, like->begin, groups + 1, sizeof *lanes->begin);
    lanes->of = arena_new(arena, groups, sizeof *lanes->of);
    for (int g = 0; g < groups; g++)
        lanes->of[g] = -1;
    lanes->share = arena_new(arena, rows, sizeof *lanes->share);
    lanes->amplitude = arena_new(arena, rows, sizeof *lanes->amplitude);
    lanes->size = arena_new(arena, rows, sizeof *lanes->size);
    lanes->level = arena_new(arena, rows, sizeof *lanes->level);
    for (int e = 0; e < 2; e++)
        lanes->norm[e] = arena_new(arena, rows, sizeof *lanes->norm[e]);
    return lanes;
}

void control_lanes_free(struct control_lanes *lanes)
{
    if (!lanes)
        return;
    arena_free(&lanes->arena);
    free(lanes);
}

void control_lanes_put(struct control_lanes *lanes, int lane, const struct control *run)
{
    for (int g = 0; g < lanes->groups; g++) {
        const struct floor *floor = &run->floor[g];

        lanes->share[g*LANES + lane] = floor->share;
        if (floor->share > 0)
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

#define SET_TEXT "integrators/control_lanes_kernel.h"
#include "simd/simd_targets.h"

void control_lanes_error(struct control_lanes *lanes, const struct integrator *integrator,
                         const double *x_new, double *const *err, double *error)
{
    const struct lane_loops *loops = lane_loops();

    loops->largest(lanes->groups, lanes->begin, x_new, lanes->size);
    for (int e = 0; e < integrator->errors; e++)
        loops->largest(lanes->groups, lanes->begin, err[e], lanes->norm[e]);
    WIDEST(find_all)(lanes, integrator->errors, integrator->second, error);
    for (int l = 0; l < LANES; l++)
        error[l] = sqrt(error[l]);
}

void control_lanes_accept(struct control_lanes *lanes, const double *accepted)
{
    lane_loops()->move(lanes->groups, accepted, lanes->amplitude, lanes->size);
}
