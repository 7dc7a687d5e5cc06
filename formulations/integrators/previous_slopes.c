#include "previous_slopes.h"

#define SET_TEXT "integrators/previous_slopes_kernel.h"
#include "simd/simd_targets.h"

const struct slope_loops *slope_loops(bool widest)
{
    (void)widest;
#ifdef __x86_64__
    if (widest && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2_loops;
#endif
    return &plain_loops;
}
