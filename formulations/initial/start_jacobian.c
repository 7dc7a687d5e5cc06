/*
 * start_jacobian.c - Jacobian of the open components of a start, dense or sparse.
 */
#include "start_jacobian.h"

#include <stdlib.h>

#include "base/memory.h"

/* Places entry k of the whole matrix at row i and column j of the equations. */
static void place(struct start_jacobian *e, int k, int i, int j)
{
    int placed = e->sparse ? sparse_place(&e->matrix, i, j) : i * e->open + j;
    e->entry[e->entries++] = (struct open_entry){k, placed};
}

/* Places the entries of the rows in the open columns. */
static void place_all(struct start_jacobian *e)
{
    const struct entries *at = e->whole.at;
    int *column = memory_new(e->whole.columns, sizeof *column);
    for (int k = 0; k < e->open; k++)
        column[e->index[k]] = k + 1;
    for (int i = 0; i < e->rows; i++)
        for (int k = at->begin[e->row[i]]; k < at->begin[e->row[i] + 1]; k++)
            if (column[at->column[k]] > 0)
                place(e, k, i, column[at->column[k]] - 1);
    free(column);
}

void start_jacobian_init(struct start_jacobian *e, struct arena *arena,
                         const struct start_matrix *whole, int rows, const int *row,
                         int open, const int *index)
{
    *e = (struct start_jacobian){.rows = rows,
                                 .open = open,
                                 .row = row,
                                 .index = index,
                                 .whole = *whole};
    e->sparse = open == rows && open >= SPARSE_FROM;
    if (e->sparse)
        sparse_init(&e->matrix, open);
    else
        overdetermined_init(&e->dense, rows, open);
    e->entry = arena_new(arena, whole->at->count, sizeof *e->entry);
    place_all(e);
}

void start_jacobian_clear(struct start_jacobian *e)
{
    if (e->sparse)
        sparse_clear(&e->matrix);
    else
        overdetermined_clear(&e->dense);
}

bool start_jacobian_factor(struct start_jacobian *e, const double *unit,
                           const double *size)
{
    double *value = e->sparse ? e->matrix.value : e->dense.A;
    for (int k = 0; k < e->entries; k++) {
        int from = e->entry[k].from;
        value[e->entry[k].placed] = start_matrix_entry(&e->whole, from) *
                                    unit[e->whole.at->column[from]];
    }
    return e->sparse ? sparse_factor(&e->matrix) : overdetermined_factor(&e->dense, size);
}

void start_jacobian_keep(struct start_jacobian *e, bool keep)
{
    if (!e->sparse)
        e->dense.keeps = keep;
}

void start_jacobian_solve(const struct start_jacobian *e, const double *b,
                          const double *unit, double *x)
{
    if (e->sparse) {
        memory_copy(x, b, e->open, sizeof *x);
        sparse_solve(&e->matrix, x);
    } else {
        overdetermined_solve(&e->dense, b, x);
    }
    for (int k = 0; k < e->open; k++)
        x[k] *= unit[e->index[k]];
}

double start_jacobian_least_pivot(const struct start_jacobian *e, const double *size)
{
    return e->sparse ? sparse_least_pivot(&e->matrix, size)
                     : overdetermined_least_pivot(&e->dense, size);
}
