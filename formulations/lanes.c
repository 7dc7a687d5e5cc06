#include "lanes.h"

#include "base/memory.h"
#include "integrate/packs.h"

double *lanes_new(int count)
{
    double *rows;
    if (!packs_alloc(0, count, LANES, &rows))
        memory_exhausted();
    return rows;
}
