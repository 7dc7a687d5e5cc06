/*
 * normal.c - normal form: n equations for the accelerations, multipliers eliminated:
 *
 *     (M + G D^-1 C) a = b1 + G D^-1 b2         lambda = D^-1 (C a - b2)
 *
 * With D^-1 = alpha and G = C' this is (64) of Corner, Sandu, Sandu 2019. The matrix is
 * positive definite, but the sum rounds M off at the last digit of alpha C'C: the
 * solution loses about as many digits as alpha / M has.
 */
#include <gsl/gsl_blas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/tolerances.h"
#include "linear/dense_lu.h"
#include "linear/linear.h"

struct normal {
    int n, m;
    double *K;              /* [(n+m)^2] copy of the matrix */
    gsl_matrix *D, *T, *H;  /* Cholesky factor of D; D^-1 C; M + G D^-1 C or its factor */
    bool symmetric;         /* H is factorised by Cholesky, else by `lu` */
    struct dense_lu lu;     /* factors of H without symmetry */
    double *diagonal;       /* [n] diagonal of H */
    double *w;              /* [m] scratch */
    struct arena arena;     /* memory of all arrays */
};

static void *normal_alloc(int n, int m)
{
    struct normal *work = memory_new(1, sizeof *work);
    size_t rows = n > 0 ? (size_t)n : 1, constraints = m > 0 ? (size_t)m : 1;
    work->n = n;
    work->m = m;
    work->K = arena_new(&work->arena, (n + m) * (n + m), sizeof *work->K);
    work->D = gsl_matrix_calloc(constraints, constraints);
    work->T = gsl_matrix_calloc(constraints, rows);
    work->H = gsl_matrix_calloc(rows, rows);
    dense_lu_init(&work->lu, n);
    work->diagonal = arena_new(&work->arena, n, sizeof *work->diagonal);
    work->w = arena_new(&work->arena, m, sizeof *work->w);
    return work;
}

static void normal_release(void *memory)
{
    struct normal *work = memory;
    gsl_matrix_free(work->D);
    gsl_matrix_free(work->T);
    gsl_matrix_free(work->H);
    dense_lu_clear(&work->lu);
    arena_free(&work->arena);
    free(work);
}

/* True if M = M' and G = C', up to rounding. */
static bool without_friction(const struct normal *work)
{
    int N = work->n + work->m;
    for (int i = 0; i < work->n; i++)
        for (int j = i + 1; j < N; j++) {
            double right = work->K[i * N + j], left = work->K[j * N + i];
            double size = fmax(fabs(right), fabs(left));
            if (!(fabs(right - left) <= factor_rounding * size))
                return false;
        }
    return true;
}

/* Makes the Cholesky factor of D; false if D is not symmetric positive definite. */
static bool factor_D(struct normal *work)
{
    int n = work->n, m = work->m, N = n + m;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            gsl_matrix_set(work->D, (size_t)i, (size_t)j, -work->K[(n + i) * N + n + j]);
    for (size_t i = 0; i < (size_t)m; i++)
        for (size_t j = 0; j < i; j++) {
            double size = sqrt(fabs(gsl_matrix_get(work->D, i, i)) *
                               fabs(gsl_matrix_get(work->D, j, j)));
            if (!(fabs(gsl_matrix_get(work->D, i, j) - gsl_matrix_get(work->D, j, i)) <=
                  asymmetry_of_inverse * size))
                return false;
        }
    return gsl_linalg_cholesky_decomp1(work->D) == GSL_SUCCESS;
}

/* T = D^-1 C, H = M + G T; M, G and C are blocks of K. */
static void assemble(struct normal *work)
{
    size_t n = (size_t)work->n, m = (size_t)work->m, N = n + m;
    const double *K = work->K;
    gsl_matrix_const_view M = gsl_matrix_const_view_array_with_tda(K, n, n, N);
    gsl_matrix_memcpy(work->H, &M.matrix);
    if (m == 0)
        return;
    gsl_matrix_const_view G = gsl_matrix_const_view_array_with_tda(K + n, n, m, N);
    gsl_matrix_const_view C = gsl_matrix_const_view_array_with_tda(K + n * N, m, n, N);
    gsl_matrix_memcpy(work->T, &C.matrix);
    gsl_linalg_cholesky_svx_mat(work->D, work->T);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, &G.matrix, work->T, 1, work->H);
}

/* Cholesky factorisation of H; false if a pivot is not positive, or is the rounding of a
   zero. */
static bool cholesky(struct normal *work)
{
    for (size_t i = 0; i < (size_t)work->n; i++)
        work->diagonal[i] = gsl_matrix_get(work->H, i, i);
    if (gsl_linalg_cholesky_decomp1(work->H) != GSL_SUCCESS)
        return false;
    for (size_t i = 0; i < (size_t)work->n; i++) {
        double pivot = gsl_matrix_get(work->H, i, i);
        if (!(pivot * pivot > factor_rounding * work->diagonal[i]))
            return false;
    }
    return true;
}

/* LU distinguishes a regular but indefinite matrix, at which Cholesky fails, from one
   that is singular to rounding, in which the sign of a pivot means nothing. */
static enum status factor_H(struct normal *work)
{
    assemble(work);
    if (!work->symmetric)
        return dense_lu_matrix(&work->lu, work->H->data) ? OK : SINGULAR;
    if (cholesky(work))
        return OK;
    assemble(work);
    return dense_lu_matrix(&work->lu, work->H->data) ? NOT_SPD : SINGULAR;
}

static enum status normal_factor(void *memory, const double *K)
{
    struct normal *work = memory;
    int N = work->n + work->m;
    memory_copy(work->K, K, N * N, sizeof *K);
    if (work->m > 0 && !factor_D(work))
        return NOT_SPD;
    if (work->n == 0)
        return OK;
    work->symmetric = without_friction(work);
    return factor_H(work);
}

static void solve_D(const struct normal *work, double *w)
{
    gsl_vector_view view = gsl_vector_view_array(w, (size_t)work->m);
    gsl_linalg_cholesky_svx(work->D, &view.vector);
}

static void normal_solve(void *memory, double *x)
{
    struct normal *work = memory;
    int n = work->n, m = work->m, N = n + m;
    double *w = work->w, *lambda = x + n;
    if (m > 0) {
        memory_copy(w, lambda, m, sizeof *w);
        solve_D(work, w);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i] += work->K[i * N + n + j] * w[j];
    if (work->symmetric && n > 0) {
        gsl_vector_view a = gsl_vector_view_array(x, (size_t)n);
        gsl_linalg_cholesky_svx(work->H, &a.vector);
    } else {
        dense_lu_solve(&work->lu, x);
    }
    for (int i = 0; i < m; i++) {
        lambda[i] = -lambda[i];
        for (int j = 0; j < n; j++)
            lambda[i] += work->K[(n + i) * N + j] * x[j];
    }
    if (m > 0)
        solve_D(work, lambda);
}

const struct linear_method linear_normal = {
    .name = "normal",
    .title = "n equations for the accelerations, multipliers eliminated",
    .source = "Corner, Sandu, Sandu 2019, (64)",
    .alloc = normal_alloc,
    .release = normal_release,
    .factor = normal_factor,
    .solve = normal_solve,
    .corrected = false,
};
