/*
 * singular_crossing.c - the rank of the constraints along a motion in MPFR
 * (singular_crossing.h)
 */
#include "oracles/singular_crossing.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

void crossing_init(struct crossing *crossing, int m, int n)
{
    size_t rows = (size_t)m, columns = (size_t)n;
    /* GSL aborts where eigenvalues do not converge; here that is a result. */
    gsl_set_error_handler_off();
    *crossing = (struct crossing){
        .m = m, .n = n,
        .QR = gsl_matrix_calloc(columns, rows),
        .tau = gsl_vector_calloc(rows),
        .after = gsl_matrix_calloc(columns, rows),
        .eigenvalue = gsl_vector_complex_calloc(rows),
        .work = gsl_eigen_nonsymm_alloc(rows),
    };
}

void crossing_clear(struct crossing *crossing)
{
    gsl_matrix_free(crossing->QR);
    gsl_vector_free(crossing->tau);
    gsl_matrix_free(crossing->after);
    gsl_vector_complex_free(crossing->eigenvalue);
    gsl_eigen_nonsymm_free(crossing->work);
    *crossing = (struct crossing){0};
}

void crossing_restart(struct crossing *crossing)
{
    crossing->begun = false;
    crossing->volume = crossing->largest = 0;
}

static void transpose(const struct crossing *crossing, const double *C, gsl_matrix *out)
{
    for (int i = 0; i < crossing->m; i++)
        for (int j = 0; j < crossing->n; j++)
            gsl_matrix_set(out, (size_t)j, (size_t)i, C[i*crossing->n + j]);
}

/* The first crossing on the way: C0' = Q R, so (C1 C0^+)' = R^-1 Q'C1'. Two directions
   share the real part of an eigenvalue that is not real. */
static double first_crossing(struct crossing *crossing, const double *Phi_q)
{
    size_t m = (size_t)crossing->m;
    double first = INFINITY;
    transpose(crossing, Phi_q, crossing->after);
    gsl_linalg_QR_QTmat(crossing->QR, crossing->tau, crossing->after);
    gsl_matrix_view R = gsl_matrix_submatrix(crossing->QR, 0, 0, m, m);
    gsl_matrix_view E = gsl_matrix_submatrix(crossing->after, 0, 0, m, m);
    gsl_blas_dtrsm(CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, 1, &R.matrix,
                   &E.matrix);
    gsl_eigen_nonsymm(&E.matrix, crossing->eigenvalue, crossing->work);
    for (size_t k = 0; k < m; k++) {
        double ratio = GSL_REAL(gsl_vector_complex_get(crossing->eigenvalue, k));
        if (ratio < 0)
            first = fmin(first, 1 / (1 - ratio));
    }
    return first;
}

double crossing_next(struct crossing *crossing, const double *Phi_q)
{
    double part = crossing->begun ? first_crossing(crossing, Phi_q) : INFINITY;
    transpose(crossing, Phi_q, crossing->QR);
    gsl_linalg_QR_decomp(crossing->QR, crossing->tau);
    crossing->begun = true;
    crossing->before = crossing->volume;
    crossing->volume = 1;
    for (size_t k = 0; k < (size_t)crossing->m; k++)
        crossing->volume *= fabs(gsl_matrix_get(crossing->QR, k, k));
    crossing->largest = fmax(crossing->largest, crossing->volume);
    return part;
}

double crossing_ahead(const struct crossing *crossing)
{
    double fall = crossing->before - crossing->volume;
    return fall > 0 ? crossing->volume / fall : INFINITY;
}

bool crossing_turned(const struct crossing *crossing, double part)
{
    return crossing->before > 0 && crossing->before < crossing->volume &&
           crossing->before <= part * crossing->largest;
}
