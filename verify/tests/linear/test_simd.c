/*
 * test_simd.c - loops over lanes, each lane against what it is by itself.
 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "random_formulas.h"
#include "base/arena.h"
#include "simd/lane_loops.h"
#include "simd/lanes.h"

enum { GROUPS = 5, MOST = 6 };

static double largest_in(const double *x, int lane, int begin, int end)
{
    double largest = 0;

    for (int n = begin; n < end; n++) {
        if (!(fabs(x[n*LANES + lane]) < INFINITY))
            return INFINITY;
        largest = fmax(largest, fabs(x[n*LANES + lane]));
    }
    return largest;
}

Test(packs, the_largest_of_each_lane_is_infinite_where_one_is_no_number)
{
    static const double odd[] = { NAN, -NAN, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, 0 };
    struct random random = random_start();
    struct arena arena = {0};
    double *x = arena_new(&arena, GROUPS*MOST, LANES*sizeof *x);
    double *out = arena_new(&arena, GROUPS, LANES*sizeof *out);

    for (int k = 0; k < 3000; k++) {
        int begin[GROUPS + 1] = { 0 };
        for (int g = 0; g < GROUPS; g++)
            begin[g + 1] = begin[g] + random_below(&random, MOST + 1);
        for (int i = 0; i < begin[GROUPS]*LANES; i++)
            x[i] = random_below(&random, 40) > 0 ? random_between(&random, -1, 1)
                                                 : odd[random_below(&random, 7)];
        lane_loops()->largest(GROUPS, begin, x, out);
        for (int i = 0; i < GROUPS*LANES; i++) {
            int g = i/LANES, lane = i%LANES;
            double expected = largest_in(x, lane, begin[g], begin[g + 1]);

            cr_assert(out[i] == expected, "group %d, lane %d of seed %llu: %g, not %g", g,
                      lane, random.seed, out[i], expected);
        }
    }
    arena_free(&arena);
}
