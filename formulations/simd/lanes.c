#include "lanes.h"

#include "base/memory.h"
#include "simd/simd.h"

double *lanes_new(int count)
{
    double *rows;
    if (!simd_alloc(0, count, LANES, &rows))
        memory_exhausted();
    return rows;
}
