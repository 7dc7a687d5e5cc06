/*
 * outweighed.c - largest ratio (G D^-1 C)_ii / M_ii at the start; see outweighed.h.
 */
#include "outweighed.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "forms/constants.h"

/* (G D^-1 C)_ii, with the diagonal of D alone. */
static formula added_by_penalty(const struct formula_matrix *R_u, int n, int i)
{
    formula sum = {NULL, 0};
    for (int k = n; k < R_u->rows; k++) {
        formula D = negate(formula_matrix_at(R_u, k, k));
        formula along = mul(formula_matrix_at(R_u, i, k), formula_matrix_at(R_u, k, i));
        if (!is_zero(D) && !is_zero(along))
            sum = add(sum, quotient(along, D));
    }
    return sum;
}

static bool has_penalty(const struct formula_matrix *R_u, int n)
{
    for (int k = n; k < R_u->rows; k++)
        if (!is_zero(formula_matrix_at(R_u, k, k)))
            return true;
    return false;
}

double outweighed(const struct model *model, const struct formula_matrix *R_u, int n)
{
    if (!has_penalty(R_u, n))
        return 0;
    formula *f = memory_new(2 * n, sizeof *f);
    double *value = memory_new(2 * n, sizeof *value), most = 0;
    for (int i = 0; i < n; i++) {
        f[i] = added_by_penalty(R_u, n, i);
        f[n + i] = formula_matrix_at(R_u, i, i);
    }
    values_at_start(model, f, 2 * n, value);
    for (int i = 0; i < n; i++) {
        double ratio = fabs(value[i]) > 0 ? fabs(value[i] / value[n + i]) : 0;
        most = isfinite(ratio) ? fmax(most, ratio) : INFINITY;
    }
    free(f);
    free(value);
    return most;
}
