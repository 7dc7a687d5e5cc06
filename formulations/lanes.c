#include "lanes.h"

#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"

/* As long as the longest vector. */
enum { LINE = 64 };

double *lanes_new(int count)
{
    size_t bytes = ((size_t)count * LANES * sizeof(double) + LINE) / LINE * LINE;
    double *rows = aligned_alloc(LINE, bytes);
    if (!rows)
        slip("out of memory (%d rows in lanes)", count);
    memset(rows, 0, bytes);
    return rows;
}
