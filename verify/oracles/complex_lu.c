/*
 * complex_lu.c - dense complex LU with partial pivoting on real parts (complex_lu.h).
 */
#include "oracles/complex_lu.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"
#include "program/complex_step.h"

const double complex_lu_rounding = 8 * DBL_EPSILON;

void complex_lu_init(struct complex_lu *lu, int rows, int n)
{
    lu->rows = rows;
    lu->n = n;
    lu->A = memory_new(rows * n, sizeof *lu->A);
    lu->terms = memory_new(rows * n, sizeof *lu->terms);
    lu->divisor = memory_new(n, sizeof *lu->divisor);
    lu->pivot = memory_new(2 * n, sizeof *lu->pivot);
    lu->right = lu->pivot + n;
    lu->entry = memory_new(rows * n + 2 * rows + 1, sizeof *lu->entry);
    lu->below = lu->entry + rows * n;
    lu->above = lu->below + rows + 1;
}

void complex_lu_clear(struct complex_lu *lu)
{
    free(lu->A);
    free(lu->terms);
    free(lu->divisor);
    free(lu->pivot);
    free(lu->entry);
    *lu = (struct complex_lu){0};
}

static void swap_rows(struct complex_lu *lu, int i, int k)
{
    int n = lu->n;
    for (int j = 0; j < n; j++) {
        double complex keep = lu->A[i * n + j];
        lu->A[i * n + j] = lu->A[k * n + j];
        lu->A[k * n + j] = keep;
        double size = lu->terms[i * n + j];
        lu->terms[i * n + j] = lu->terms[k * n + j];
        lu->terms[k * n + j] = size;
    }
}

/* The row from `row` on that has the largest real entry, not cancelled, in a column; -1:
   none. Comparisons with NAN are false. */
static int pivot_row(const struct complex_lu *lu, int row, int column, double tolerance)
{
    int best = -1;
    double largest = 0;
    for (int i = row; i < lu->rows; i++) {
        double size = fabs(creal(lu->A[i * lu->n + column]));
        bool sound = size > tolerance * lu->terms[i * lu->n + column];
        if (sound && size > largest) {
            best = i;
            largest = size;
        }
    }
    return best;
}

/* Finds the columns after the pivot's in which row `row` of A has or had an entry. */
static int find_right(struct complex_lu *lu, int row, int column)
{
    int count = 0;
    for (int j = column + 1; j < lu->n; j++)
        if (lu->A[row * lu->n + j] != 0 || lu->terms[row * lu->n + j] != 0)
            lu->right[count++] = j;
    return count;
}

static void eliminate(struct complex_lu *lu, int row, int column)
{
    int n = lu->n, count = find_right(lu, row, column);
    const double complex *pivot = lu->A + row * n;
    const struct complex_divisor *divisor = &lu->divisor[column];
    lu->divisor[column] = complex_divisor_of(pivot[column]);
    for (int i = row + 1; i < lu->rows; i++) {
        double complex *A = lu->A + i * n;
        if (A[column] == 0)
            continue;
        double complex factor = complex_divided(A[column], divisor);
        double size = fabs(creal(factor)), *terms = lu->terms + i * n;
        A[column] = factor;
        for (int l = 0; l < count; l++) {
            int j = lu->right[l];
            A[j] -= complex_product(factor, pivot[j]);
            terms[j] += size * lu->terms[row * n + j];
        }
    }
}

/* Takes the pivot of a column and eliminates; false: there is no pivot. */
static bool take_column(struct complex_lu *lu, int row, int column, double tolerance)
{
    int best = pivot_row(lu, row, column, tolerance);
    if (best < 0)
        return false;
    lu->pivot[row] = best;
    if (best != row)
        swap_rows(lu, row, best);
    eliminate(lu, row, column);
    return true;
}

static void measure(struct complex_lu *lu)
{
    for (int k = 0; k < lu->rows * lu->n; k++)
        lu->terms[k] = fabs(creal(lu->A[k]));
}

/* Lists the entries of the factors row by row: a solution passes over zeros. */
static void list_entries(struct complex_lu *lu)
{
    int n = lu->n, count = 0;
    for (int i = 0; i < lu->rows; i++) {
        lu->below[i] = count;
        for (int j = 0; j < n && j < i; j++)
            if (lu->A[i * n + j] != 0)
                lu->entry[count++] = j;
        lu->above[i] = count;
        for (int j = i + 1; j < n; j++)
            if (lu->A[i * n + j] != 0)
                lu->entry[count++] = j;
    }
    lu->below[lu->rows] = count;
}

enum status complex_lu_factor(struct complex_lu *lu, double tolerance)
{
    measure(lu);
    for (int k = 0; k < lu->n; k++)
        if (!take_column(lu, k, k, tolerance))
            return SINGULAR;
    list_entries(lu);
    return OK;
}

int complex_lu_rank(struct complex_lu *lu, double tolerance)
{
    int rank = 0;
    measure(lu);
    for (int j = 0; j < lu->n; j++)
        rank += take_column(lu, rank, j, tolerance);
    return rank;
}

/* b_i less the entries from `from` to `to` of row i times b. */
static double complex left_of(const struct complex_lu *lu, int i, int from, int to,
                              const double complex *b)
{
    const double complex *A = lu->A + i * lu->n;
    double complex left = b[i];
    for (int e = from; e < to; e++)
        left -= complex_product(A[lu->entry[e]], b[lu->entry[e]]);
    return left;
}

void complex_lu_solve(const struct complex_lu *lu, double complex *b)
{
    int n = lu->n;
    /* whole rows were swapped, so all interchanges come first */
    for (int k = 0; k < n; k++) {
        double complex keep = b[k];
        b[k] = b[lu->pivot[k]];
        b[lu->pivot[k]] = keep;
    }
    for (int i = 0; i < lu->rows; i++)
        b[i] = left_of(lu, i, lu->below[i], lu->above[i], b);
    for (int i = n - 1; i >= 0; i--)
        b[i] = complex_divided(left_of(lu, i, lu->above[i], lu->below[i + 1], b),
                               &lu->divisor[i]);
}
