/*
 * spd.c - symmetric positive definite matrices: the test by Cholesky factorisation.
 */
#include "spd.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "constants.h"

static enum status require_symmetric(const char *name, const double *A, int m,
                                     struct diagnosis *diagnosis)
{
    for (int i = 0; i < m; i++)
        for (int j = i + 1; j < m; j++)
            if (A[i * m + j] != A[j * m + i])
                return diagnose(diagnosis, NOT_SPD, NAN,
                                "option %s is not symmetric: row %d, column %d is %.10g, "
                                "row %d, column %d is %.10g", name, i + 1, j + 1,
                                A[i * m + j], j + 1, i + 1, A[j * m + i]);
    return OK;
}

/* The least eigenvalue of A [m][m], m > 0; destroys A. */
static double least_eigenvalue(gsl_matrix *A)
{
    gsl_vector *value = gsl_vector_alloc(A->size1);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(A->size1);
    gsl_eigen_symm(A, value, work);
    double least = gsl_vector_min(value);
    gsl_eigen_symm_free(work);
    gsl_vector_free(value);
    return least;
}

/* A diagonal matrix of positive numbers, as most are, needs no factorisation. */
static bool is_positive_diagonal(const double *A, int m)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            if (i == j ? !(A[i * m + j] > 0) : A[i * m + j] != 0)
                return false;
    return true;
}

/* A Cholesky factorisation that fails shows that A [m*m] is not positive definite. */
static enum status require_positive(const char *name, const char *text, const double *A,
                                    int m, struct diagnosis *diagnosis)
{
    enum { SHOWN = 40 };
    enum status status = OK;
    if (is_positive_diagonal(A, m))
        return OK;
    gsl_matrix_const_view view = gsl_matrix_const_view_array(A, (size_t)m, (size_t)m);
    gsl_matrix *copy = gsl_matrix_alloc((size_t)m, (size_t)m);
    gsl_matrix_memcpy(copy, &view.matrix);
    /* The handler stays off: another thread may be in a factorisation that fails. */
    gsl_set_error_handler_off();
    if (gsl_linalg_cholesky_decomp1(copy) != GSL_SUCCESS) {
        gsl_matrix_memcpy(copy, &view.matrix);
        status = diagnose(diagnosis, NOT_SPD, NAN,
                          "option %s=%.*s%s is not positive definite: its least "
                          "eigenvalue is %.3g", name, SHOWN, text,
                          strlen(text) > SHOWN ? "..." : "", least_eigenvalue(copy));
    }
    gsl_matrix_free(copy);
    return status;
}

enum status require_spd(const struct model *model, const char *name,
                        const char *text, const formula *matrix, int m,
                        struct diagnosis *diagnosis)
{
    double *value = memory_new(m * m, sizeof *value);
    enum status status = constant_values(model, matrix, m * m, name, value, diagnosis);
    if (status == NOT_FINITE)
        status = diagnose(diagnosis, BAD_INPUT, NAN, "option %s=%.80s is not finite: "
                          "give numbers below 1e308", name, text);
    if (status == OK)
        status = require_symmetric(name, value, m, diagnosis);
    if (status == OK)
        status = require_positive(name, text, value, m, diagnosis);
    free(value);
    return status;
}
