/*
 * lane_loops.c - loops over rows of lanes in every instruction set.
 */
#include "lane_loops.h"

#include <math.h>

#include "lane_rows.h"

#define SET_TEXT "simd/lane_loops_kernel.h"
#include "simd_targets.h"

const struct lane_loops *lane_loops(void)
{
    return WIDEST(loops);
}
