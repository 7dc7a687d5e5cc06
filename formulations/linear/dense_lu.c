/*
 * dense_lu.c - LU factorisation with partial pivoting that skips zeros.
 */
#include "dense_lu.h"

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

#include "base/tolerances.h"

void dense_lu_init(struct dense_lu *factor, int n)
{
    /* GSL's handler aborts the process where a factorisation fails, which is a result
       here. */
    gsl_set_error_handler_off();
    size_t size = n > 0 ? (size_t)n : 1;
    *factor = (struct dense_lu){.n = n};
    factor->lu = gsl_matrix_calloc(size, size);
    factor->permutation = gsl_permutation_calloc(size);
    factor->order = arena_new(&factor->arena, n, sizeof *factor->order);
    factor->end = arena_new(&factor->arena, n, sizeof *factor->end);
    factor->below = arena_new(&factor->arena, n, sizeof *factor->below);
    factor->diagonal = arena_new(&factor->arena, n, sizeof *factor->diagonal);
    factor->entry = arena_new(&factor->arena, n * n, sizeof *factor->entry);
    factor->x = arena_new(&factor->arena, n, sizeof *factor->x);
    factor->row = arena_new(&factor->arena, n, sizeof *factor->row);
    factor->column = arena_new(&factor->arena, n, sizeof *factor->column);
    factor->value = arena_new(&factor->arena, n * n, sizeof *factor->value);
}

void dense_lu_clear(struct dense_lu *factor)
{
    if (!factor->lu)
        return;
    gsl_matrix_free(factor->lu);
    gsl_permutation_free(factor->permutation);
    arena_free(&factor->arena);
    factor->lu = NULL;
}

static double least_pivot(const struct dense_lu *factor, const double *row,
                          const double *column)
{
    const size_t *exchanged = factor->permutation->data;
    const double *lu = factor->lu->data;
    double least = INFINITY;
    for (int i = 0; i < factor->n; i++) {
        double size = row[exchanged[i]], pivot = fabs(lu[i * factor->n + i]);
        double relative = pivot / (column ? size * column[factor->order[i]] : size);
        if (!isfinite(relative))
            return NAN;
        least = relative < least ? relative : least;
    }
    return least;
}

double dense_lu_least_pivot(const struct dense_lu *factor, const double *row)
{
    return least_pivot(factor, row ? row : factor->row, NULL);
}

/* The sizes of the rows of A, and in `below` the numbers of entries of its columns; false
   if an entry is not finite. */
static bool measure(struct dense_lu *factor, const double *A)
{
    int n = factor->n, *entries = factor->below;
    double zero = 0;
    memset(entries, 0, (size_t)n * sizeof *entries);
    for (int i = 0; i < n; i++, A += n) {
        double size = 0;
        for (int j = 0; j < n; j++) {
            double a = fabs(A[j]);
            size = a > size ? a : size;
            entries[j] += a > 0;
            zero += 0 * a;
        }
        factor->row[i] = size;
    }
    return zero == 0;
}

/* Q sorts columns by their number of entries, fewest first, equal ones in their order. */
static void sort_columns(struct dense_lu *factor)
{
    const int *entries = factor->below;
    int *order = factor->order;
    for (int j = 0; j < factor->n; j++) {
        int place = j;
        for (; place > 0 && entries[order[place - 1]] > entries[j]; place--)
            order[place] = order[place - 1];
        order[place] = j;
    }
}

/* lu = A Q */
static void take_columns(struct dense_lu *factor, const double *A)
{
    int n = factor->n;
    const int *order = factor->order;
    double *lu = factor->lu->data;
    for (int i = 0; i < n; i++, A += n, lu += n) {
        for (int k = 0; k < n; k++)
            lu[k] = A[order[k]];
        factor->permutation->data[i] = (size_t)i;
    }
}

static void exchange_rows(struct dense_lu *factor, int k, int other)
{
    int n = factor->n;
    double *lu = factor->lu->data;
    size_t *exchanged = factor->permutation->data, row = exchanged[k];
    for (int j = 0; j < n; j++) {
        double entry = lu[k * n + j];
        lu[k * n + j] = lu[other * n + j];
        lu[other * n + j] = entry;
    }
    exchanged[k] = exchanged[other];
    exchanged[other] = row;
}

/* Brings the largest entry of column k, on or below the diagonal, to the diagonal.
   Returns the number of entries below the diagonal; `below` has their rows. */
static int bring_pivot(struct dense_lu *factor, int k)
{
    int n = factor->n, pivot = k, count = 0;
    const double *column = factor->lu->data + k;
    double largest = fabs(column[k * n]);
    for (int i = k + 1; i < n; i++) {
        double size = fabs(column[i * n]);
        if (size != 0)
            factor->below[count++] = i;
        if (size > largest) {
            largest = size;
            pivot = i;
        }
    }
    if (pivot != k)
        exchange_rows(factor, k, pivot);
    return count;
}

/* Appends the entries of a row in columns from..to - 1 to the `found` entries there are;
   returns the new number. */
static int take_entries(struct dense_lu *factor, const double *row, int from, int to,
                        int found)
{
    int *entry = factor->entry;
    double *value = factor->value;
    for (int j = from; j < to; j++)
        if (row[j] != 0) {
            entry[found] = j;
            value[found++] = row[j];
        }
    return found;
}

/* Subtracts multiples of row k, with these entries right of its pivot, from the rows
   below. The function is separate so that all data of its loops stay in registers. */
static __attribute__((noinline)) void
clear_below(double *lu, int n, int k, const int *below, int rows, const int *entry,
            const double *value, int entries)
{
    double pivot = lu[k * n + k];
    for (int b = 0; b < rows; b++) {
        double *row = lu + below[b] * n;
        double multiple = row[k] /= pivot;
        for (int l = 0; l < entries; l++)
            row[entry[l]] -= multiple * value[l];
    }
}

/* Elimination. The entries of L U are noted row by row when a row is final; the diagonal
   is noted even if it is zero. */
static void eliminate(struct dense_lu *factor)
{
    int n = factor->n, found = 0;
    double *lu = factor->lu->data;
    for (int k = 0; k < n; k++) {
        int rows = bring_pivot(factor, k);
        int diagonal = take_entries(factor, lu + k * n, 0, k, found);
        factor->diagonal[k] = diagonal;
        factor->entry[diagonal] = k;
        factor->value[diagonal] = lu[k * n + k];
        found = take_entries(factor, lu + k * n, k + 1, n, diagonal + 1);
        factor->end[k] = found;
        clear_below(lu, n, k, factor->below, rows, factor->entry + diagonal + 1,
                    factor->value + diagonal + 1, found - diagonal - 1);
    }
}

/* The sizes of the columns with rows scaled to one. */
static void measure_columns(struct dense_lu *factor, const double *A)
{
    int n = factor->n;
    double *column = factor->column;
    memset(column, 0, (size_t)n * sizeof *column);
    for (int i = 0; i < n; i++, A += n)
        for (int j = 0; j < n; j++)
            if (fabs(A[j]) > column[j] * factor->row[i])
                column[j] = fabs(A[j]) / factor->row[i];
}

static bool no_pivot_small(const struct dense_lu *factor)
{
    const size_t *exchanged = factor->permutation->data;
    const double *pivot = factor->lu->data;
    bool none = true;
    for (int i = 0; i < factor->n; i++, pivot += factor->n + 1)
        none = none && fabs(*pivot) > factor_rounding * factor->row[exchanged[i]] &&
               fabs(*pivot) <= DBL_MAX;
    return none;
}

/* True if no pivot is zero to rounding with rows and columns scaled. Columns of scaled
   rows are at most one, so pivots that are not small without column scaling are not small
   with it. */
static bool is_regular(struct dense_lu *factor, const double *A)
{
    if (no_pivot_small(factor))
        return true;
    measure_columns(factor, A);
    return least_pivot(factor, factor->row, factor->column) > factor_rounding;
}

bool dense_lu_matrix(struct dense_lu *factor, const double *A)
{
    if (!measure(factor, A))
        return false;
    sort_columns(factor);
    take_columns(factor, A);
    eliminate(factor);
    return is_regular(factor, A);
}

void dense_lu_solve(const struct dense_lu *factor, double *x)
{
    int n = factor->n;
    const int *diagonal = factor->diagonal, *end = factor->end, *entry = factor->entry;
    const double *value = factor->value;
    const size_t *exchanged = factor->permutation->data;
    double *y = factor->x;
    for (int i = 0, l = 0; i < n; i++) {
        double rest = x[exchanged[i]];
        for (; l < diagonal[i]; l++)
            rest -= value[l] * y[entry[l]];
        y[i] = rest;
        l = end[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        double rest = y[i];
        for (int l = diagonal[i] + 1; l < end[i]; l++)
            rest -= value[l] * y[entry[l]];
        x[factor->order[i]] = y[i] = rest / value[diagonal[i]];
    }
}

/* Solves Q'A' = U'L'P. */
void dense_lu_solve_transposed(const struct dense_lu *factor, double *x)
{
    int n = factor->n;
    if (n == 0)
        return;
    gsl_vector_view view = gsl_vector_view_array(factor->x, (size_t)n);
    for (int k = 0; k < n; k++)
        factor->x[k] = x[factor->order[k]];
    gsl_blas_dtrsv(CblasUpper, CblasTrans, CblasNonUnit, factor->lu, &view.vector);
    gsl_blas_dtrsv(CblasLower, CblasTrans, CblasUnit, factor->lu, &view.vector);
    for (int i = 0; i < n; i++)
        x[gsl_permutation_get(factor->permutation, (size_t)i)] = factor->x[i];
}
