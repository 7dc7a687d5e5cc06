/*
 * row_groups.c - rows of a sparse matrix in groups of orthogonal rows, greedily.
 */
#include "row_groups.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"

/* Each row goes to the first part that has none of its columns. `taken` has, for each
   column, a bit for each of the first parts that contain this column. A row for which the
   first parts are too few is a part by itself. */
static int choose(int rows, int columns, const struct entries *at, int *part)
{
    enum { FIRST = 64 };
    uint64_t *taken = memory_new(columns, sizeof *taken);
    int parts = 0;
    for (int i = 0; i < rows; i++) {
        uint64_t others = 0;
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++)
            others |= taken[at->column[k]];
        int p = 0;
        while (p < FIRST && others >> p & 1)
            p++;
        for (int k = at->begin[i]; p < FIRST && k < at->begin[i + 1]; k++)
            taken[at->column[k]] |= UINT64_C(1) << p;
        part[i] = p < FIRST || p > parts ? p : parts;
        parts = part[i] >= parts ? part[i] + 1 : parts;
    }
    free(taken);
    return parts;
}

void row_groups_init(struct row_groups *apart, int rows, int columns,
                     const struct entries *at)
{
    int *part = memory_new(rows, sizeof *part), filled = 0;
    *apart = (struct row_groups){.parts = choose(rows, columns, at, part)};
    apart->begin = arena_new(&apart->arena, apart->parts + 1, sizeof *apart->begin);
    apart->row = arena_new(&apart->arena, rows, sizeof *apart->row);
    for (int p = 0; p < apart->parts; p++) {
        for (int i = 0; i < rows; i++)
            if (part[i] == p)
                apart->row[filled++] = i;
        apart->begin[p + 1] = filled;
    }
    free(part);
}

void row_groups_clear(struct row_groups *apart)
{
    arena_free(&apart->arena);
    *apart = (struct row_groups){0};
}
