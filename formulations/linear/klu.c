/*
 * klu.c - sparse LU factorisation by KLU of SuiteSparse.
 */
#include "klu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "base/tolerances.h"
#include "dense_lu.h"
#include "klu_factors.h"
#include "linear/units.h"

void sparse_init(struct sparse *A, int n)
{
    *A = (struct sparse){.n = n};
    A->begin = arena_new(&A->arena, n + 1, sizeof *A->begin);
    A->row = arena_new(&A->arena, n, sizeof *A->row);
    A->right = arena_new(&A->arena, n, sizeof *A->right);
    A->x = arena_new(&A->arena, n, sizeof *A->x);
}

static void free_factors(struct sparse *A)
{
    if (!A->factors)
        return;
    klu_free_numeric(&A->factors->numeric, &A->factors->common);
    klu_free_symbolic(&A->factors->symbolic, &A->factors->common);
    free(A->factors);
    A->factors = NULL;
}

void sparse_clear(struct sparse *A)
{
    free_factors(A);
    free(A->column);
    free(A->value);
    arena_free(&A->arena);
    *A = (struct sparse){0};
}

int sparse_place(struct sparse *A, int row, int column)
{
    int k = A->count++;
    A->column = memory_grow(A->column, &A->room, A->count, sizeof *A->column);
    A->value = memory_grow(A->value, &A->value_room, A->count, sizeof *A->value);
    A->column[k] = column;
    A->begin[row + 1] = A->count;
    return k;
}

/* --- the order of elimination ------------------------------------------------------- */

/* Chooses an order of elimination with little fill-in. False: the places of the entries
   alone make the matrix singular. */
static bool analyse(struct sparse *A, bool on_diagonal)
{
    struct sparse_factors *f = A->factors = memory_new(1, sizeof *f);
    klu_defaults(&f->common);
    f->common.scale = -1;
    f->common.tol = 0.1;        /* KLU's 0.001 could lose all digits */
    if (on_diagonal) {
        f->common.btf = 0;
        f->common.tol = 0;
    }
    for (int i = 0; i < A->n; i++)      /* rows without an entry */
        if (A->begin[i + 1] < A->begin[i])
            A->begin[i + 1] = A->begin[i];
    if (!A->scaled)
        A->scaled = arena_new(&A->arena, A->count, sizeof *A->scaled);
    f->symbolic = klu_analyze(A->n, A->begin, A->column, &f->common);
    if (!f->symbolic && f->common.status == KLU_OUT_OF_MEMORY)
        memory_exhausted();
    if (f->symbolic && !on_diagonal && f->common.structural_rank < A->n)
        klu_free_symbolic(&f->symbolic, &f->common);
    return f->symbolic != NULL;
}

/* The power of two, 1 to 2 times a size, by which division makes no rounding errors; 0 if
   the size is not positive and finite. */
static double divisor(double size)
{
    double unit = unit_of_size(size);
    return unit > 0 ? 1 / unit : 0;
}

/* Scales rows, then columns, to between a half and one; false if a value is not
   finite. */
static bool scale(struct sparse *A)
{
    memset(A->row, 0, (size_t)A->n * sizeof *A->row);
    memset(A->right, 0, (size_t)A->n * sizeof *A->right);
    bool finite = true;
    for (int i = 0; i < A->n; i++)
        for (int k = A->begin[i]; k < A->begin[i + 1]; k++) {
            finite = finite && isfinite(A->value[k]);
            A->row[i] = larger(A->row[i], fabs(A->value[k]));
        }
    for (int i = 0; i < A->n; i++) {
        A->row[i] = divisor(A->row[i]);
        for (int k = A->begin[i]; k < A->begin[i + 1]; k++) {
            double *column = &A->right[A->column[k]];
            A->scaled[k] = A->row[i] > 0 ? A->value[k] / A->row[i] : 0;
            *column = larger(*column, fabs(A->scaled[k]));
        }
    }
    for (int j = 0; j < A->n; j++)
        A->right[j] = divisor(A->right[j]);
    for (int k = 0; k < A->count; k++)
        if (A->right[A->column[k]] > 0)
            A->scaled[k] /= A->right[A->column[k]];
    return finite;
}

/* Factorises with the pivots of the last time; false if entries grow too much. */
static bool factor_again(struct sparse *A)
{
    struct sparse_factors *f = A->factors;
    return f->numeric &&
           klu_refactor(A->begin, A->column, A->scaled, f->symbolic, f->numeric,
                        &f->common) &&
           klu_rgrowth(A->begin, A->column, A->scaled, f->symbolic, f->numeric,
                       &f->common) &&
           f->common.rgrowth > klu_least_growth;
}

static bool factor_anew(struct sparse *A)
{
    struct sparse_factors *f = A->factors;
    klu_free_numeric(&f->numeric, &f->common);
    f->numeric = klu_factor(A->begin, A->column, A->scaled, f->symbolic, &f->common);
    f->chosen++;
    if (!f->numeric && f->common.status == KLU_OUT_OF_MEMORY)
        memory_exhausted();
    return f->numeric != NULL;
}

/* Pivot k of the scaled matrix. */
static double pivot(const struct sparse *A, int k)
{
    return fabs(((const double *)A->factors->numeric->Udiag)[k]);
}

bool sparse_factor(struct sparse *A)
{
    if (!A->factors && !analyse(A, false))
        return false;
    if (!A->factors->symbolic || !scale(A))
        return false;
    if (!factor_again(A) && !factor_anew(A))
        return false;
    for (int k = 0; k < A->n; k++)
        if (!(pivot(A, k) > factor_rounding))
            return false;
    return true;
}

double sparse_least_pivot(const struct sparse *A, const double *size)
{
    const int *row = A->factors->symbolic->Q, *column = A->factors->numeric->Pnum;
    double least = INFINITY;
    for (int k = 0; k < A->n; k++) {
        double own = pivot(A, k) * A->right[column[k]] * A->row[row[k]];
        if (!isfinite(own / size[row[k]]))
            return NAN;
        least = fmin(least, own / size[row[k]]);
    }
    return least;
}

void sparse_solve(const struct sparse *A, double *x)
{
    struct sparse_factors *f = A->factors;
    for (int i = 0; i < A->n; i++)
        A->x[i] = x[i] / A->row[i];
    klu_tsolve(f->symbolic, f->numeric, A->n, 1, A->x, &f->common);
    for (int i = 0; i < A->n; i++)
        x[i] = A->x[i] / A->right[i];
}

void sparse_solve_transposed(const struct sparse *A, double *x)
{
    struct sparse_factors *f = A->factors;
    for (int i = 0; i < A->n; i++)
        A->x[i] = x[i] / A->right[i];
    klu_solve(f->symbolic, f->numeric, A->n, 1, A->x, &f->common);
    for (int i = 0; i < A->n; i++)
        x[i] = A->x[i] / A->row[i];
}

void sparse_solve_refined(const struct sparse *A, double *x, double *left)
{
    memory_copy(left, x, A->n, sizeof *x);
    sparse_solve(A, x);
    for (int i = 0; i < A->n; i++)
        for (int k = A->begin[i]; k < A->begin[i + 1]; k++)
            left[i] = fma(-A->value[k], x[A->column[k]], left[i]);
    sparse_solve(A, left);
    for (int i = 0; i < A->n; i++)
        x[i] += left[i];
}

/* --- definiteness ------------------------------------------------------------------- */

/* Scales to a diagonal of ones; false if the diagonal is not positive. */
static bool scale_symmetric(struct sparse *A)
{
    double *size = A->row;
    memset(size, 0, (size_t)A->n * sizeof *size);
    for (int i = 0; i < A->n; i++)
        for (int k = A->begin[i]; k < A->begin[i + 1]; k++)
            if (A->column[k] == i)
                size[i] = sqrt(fmax(A->value[k], 0));
    for (int i = 0; i < A->n; i++)
        if (!(size[i] > 0 && isfinite(size[i])))
            return false;
    for (int i = 0; i < A->n; i++)
        for (int k = A->begin[i]; k < A->begin[i + 1]; k++)
            A->scaled[k] = A->value[k] / size[i] / size[A->column[k]];
    return true;
}

bool sparse_positive_definite(struct sparse *A)
{
    free_factors(A);
    if (!analyse(A, true) || !scale_symmetric(A) || !factor_anew(A))
        return false;
    const struct sparse_factors *f = A->factors;
    const double *diagonal = f->numeric->Udiag;
    for (int k = 0; k < A->n; k++)
        if (f->symbolic->Q[k] != f->numeric->Pnum[k] || !(diagonal[k] > klu_doubtful))
            return false;
    return true;
}
