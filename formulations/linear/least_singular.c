/*
 * least_singular.c - the least singular value by inverse iteration on A A'.
 */
#include "linear/least_singular.h"

#include <math.h>
#include <string.h>

#include "base/tolerances.h"

/* Places the rows of [alpha I  A'], which need the columns of A one after the other, then
   the rows of [A 0]. */
static void place(struct least_singular *least, const struct entries *at)
{
    struct arena scratch = {0};
    int n = least->n, m = least->m, *next = arena_new(&scratch, n + 1, sizeof *next);
    int *order = arena_new(&scratch, at->count, sizeof *order);
    int *row = arena_new(&scratch, at->count, sizeof *row);
    for (int k = 0; k < at->count; k++)
        next[at->column[k] + 1]++;
    for (int j = 0; j < n; j++)
        next[j + 1] += next[j];
    for (int i = 0; i < m; i++)
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++) {
            row[k] = i;
            order[next[at->column[k]]++] = k;
        }
    for (int j = 0, l = 0; j < n; j++) {
        int diagonal = sparse_place(&least->K, j, j);
        least->K.value[diagonal] = least_singular_alpha;
        for (; l < next[j]; l++)
            least->column_entry[order[l]] = sparse_place(&least->K, j, n + row[order[l]]);
    }
    for (int k = 0; k < at->count; k++)
        least->row_entry[k] = sparse_place(&least->K, n + row[k], at->column[k]);
    arena_free(&scratch);
}

void least_singular_init(struct least_singular *least, int m, int n,
                         const struct entries *at)
{
    int count = at->count, N = n + m;
    *least = (struct least_singular){.m = m, .n = n, .at = at};
    least->row_entry = arena_new(&least->arena, count, sizeof *least->row_entry);
    least->column_entry = arena_new(&least->arena, count, sizeof *least->column_entry);
    least->y = arena_new(&least->arena, N, sizeof *least->y);
    least->next = arena_new(&least->arena, N, sizeof *least->next);
    sparse_init(&least->K, N);
    place(least, at);
    for (int i = 0; i < m; i++)         /* the first vector has a part in each
                                           direction */
        least->y[n + i] = 1 + 0.5 * sin(i);
}

void least_singular_clear(struct least_singular *least)
{
    sparse_clear(&least->K);
    arena_free(&least->arena);
    *least = (struct least_singular){0};
}

/* Loads A and A' into K; returns the largest length of a column. */
static double load(struct least_singular *least, const double *A, const double *size)
{
    const struct entries *at = least->at;
    double *length = least->next, most = 0;
    memset(length, 0, (size_t)least->n * sizeof *length);
    for (int i = 0; i < least->m; i++)
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++) {
            double entry = size[i] > 0 ? A[k] / size[i] : 0;
            least->K.value[least->row_entry[k]] = entry;
            least->K.value[least->column_entry[k]] = entry;
            length[at->column[k]] += entry * entry;
        }
    for (int j = 0; j < least->n; j++)
        most = fmax(most, length[j]);
    return sqrt(most);
}

/* One iteration w = alpha (A A')^-1 y; y becomes w scaled to length one. Returns the
   square of the singular value by Rayleigh's quotient w'(A A')w / w'w. */
static double iterate(struct least_singular *least)
{
    int n = least->n, m = least->m;
    double *y = least->y + n, *w = least->next + n, wy = 0, ww = 0;
    memcpy(least->next, least->y, (size_t)(n + m) * sizeof *least->y);
    sparse_solve(&least->K, least->next);
    for (int i = 0; i < m; i++) {
        wy -= w[i] * y[i];
        ww += w[i] * w[i];
    }
    for (int i = 0; i < m; i++)
        y[i] = -w[i] / sqrt(ww);
    return least_singular_alpha * wy / ww;
}

double least_singular_value(struct least_singular *least, const double *A,
                            const double *size)
{
    enum { MOST = 40 };
    double last = INFINITY, square = 0;
    least->longest = load(least, A, size);
    if (!(least->longest > 0) || !sparse_factor(&least->K))
        return 0;
    for (int k = 0; k < MOST; k++) {
        square = iterate(least);
        if (!isfinite(square) || fabs(square - last) <= least_singular_change * square)
            break;
        last = square;
    }
    return square > 0 ? sqrt(square) / least->longest : 0;
}
