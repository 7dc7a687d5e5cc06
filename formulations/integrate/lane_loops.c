#include "lane_loops.h"

#include <math.h>

#include "lanes.h"

#define SET_TEXT "lane_loops_in.h"
#define LANES_TOO
#include "each_set.h"

const struct lane_loops *lane_loops(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return &avx512_loops;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2_loops;
#endif
    return &plain_loops;
}
