#include "factor.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"

const double factor_rounding = 64 * DBL_EPSILON;

void factor_init(struct factor *factor, int n)
{
    /* GSL aborts on a singular matrix by default; here that is a result. */
    gsl_set_error_handler_off();
    size_t size = n > 0 ? (size_t)n : 1;
    factor->n = n;
    factor->lu = gsl_matrix_calloc(size, size);
    factor->permutation = gsl_permutation_calloc(size);
    factor->row = memory_new(2 * n, sizeof *factor->row);
    factor->column = factor->row + n;
}

void factor_clear(struct factor *factor)
{
    if (!factor->lu)
        return;
    gsl_matrix_free(factor->lu);
    gsl_permutation_free(factor->permutation);
    free(factor->row);
    factor->lu = NULL;
}

static double least_pivot(const struct factor *factor, const double *row,
                          const double *column)
{
    double least = INFINITY;
    for (size_t i = 0; i < (size_t)factor->n; i++) {
        double size = row[gsl_permutation_get(factor->permutation, i)];
        double pivot = fabs(gsl_matrix_get(factor->lu, i, i));
        double relative = pivot / (column ? size * column[i] : size);
        if (!isfinite(relative))
            return NAN;
        least = fmin(least, relative);
    }
    return least;
}

double factor_least_pivot(const struct factor *factor, const double *row)
{
    return least_pivot(factor, row ? row : factor->row, NULL);
}

/* Sizes of the rows, and of the columns once the rows are scaled to one. */
static void measure(struct factor *factor, const double *A)
{
    int n = factor->n;
    double *row = factor->row, *column = factor->column;
    memset(row, 0, 2 * (size_t)n * sizeof *row);
    for (int i = 0; i < n; i++) {
        const double *Ai = A + i * n;
        for (int j = 0; j < n; j++)
            if (fabs(Ai[j]) > row[i])
                row[i] = fabs(Ai[j]);
        for (int j = 0; j < n && row[i] > 0; j++)
            if (fabs(Ai[j]) > column[j] * row[i])
                column[j] = fabs(Ai[j]) / row[i];
    }
}

bool factor_matrix(struct factor *factor, const double *A)
{
    int sign;
    size_t n = (size_t)factor->n;
    if (n == 0)
        return true;
    memcpy(factor->lu->data, A, n * n * sizeof *A);
    measure(factor, A);
    gsl_linalg_LU_decomp(factor->lu, factor->permutation, &sign);
    return least_pivot(factor, factor->row, factor->column) > factor_rounding;
}

void factor_solve(const struct factor *factor, double *x)
{
    if (factor->n == 0)
        return;
    gsl_vector_view view = gsl_vector_view_array(x, (size_t)factor->n);
    gsl_linalg_LU_svx(factor->lu, factor->permutation, &view.vector);
}
