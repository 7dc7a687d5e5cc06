/*
 * lanes.c - memory of SIMD lanes, aligned to lines of the cache.
 */
#include "lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

double *lanes_new(int count)
{
    enum { LINE = LANES*sizeof(double) };
    size_t bytes = ((size_t)count + 1)*LINE;    /* not 0 */
    double *rows = aligned_alloc(LINE, bytes);
    if (!rows)
        memory_exhausted();
    memset(rows, 0, bytes);
    return rows;
}
