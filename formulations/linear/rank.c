/*
 * rank.c - QR factorisation with column pivoting.
 */
#include "linear/rank.h"

#include <gsl/gsl_blas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "base/tolerances.h"

static size_t at_least_one(int count)
{
    return count > 0 ? (size_t)count : 1;
}

void rank_qr_init(struct rank_qr *qr, int rows, int columns)
{
    int smaller = rows < columns ? rows : columns;
    *qr = (struct rank_qr){
        .rows = rows,
        .columns = columns,
        .scale = memory_new(rows, sizeof *qr->scale),
        .sum = memory_new(columns, sizeof *qr->sum),
        .qr = gsl_matrix_calloc(at_least_one(rows), at_least_one(columns)),
        .tau = gsl_vector_calloc(at_least_one(smaller)),
        .column = gsl_permutation_calloc(at_least_one(columns)),
    };
}

void rank_qr_clear(struct rank_qr *qr)
{
    free(qr->scale);
    free(qr->sum);
    gsl_matrix_free(qr->qr);
    gsl_vector_free(qr->tau);
    gsl_permutation_free(qr->column);
}

static double row_size(const struct rank_qr *qr, const double *row, int column)
{
    double size = 0;
    for (int j = 0; j < qr->columns; j++)
        size = larger(size, fabs(row[j * column]));
    return size;
}

/* Loads A with rows divided by their sizes; false if an entry is not finite. */
static bool load_scaled(struct rank_qr *qr, const double *A, int row, int column)
{
    double zero = 0;
    for (int i = 0; i < qr->rows; i++) {
        double size = row_size(qr, A + i * row, column), scale = size > 0 ? size : 1;
        double *scaled = qr->qr->data + i * qr->columns;
        qr->scale[i] = scale;
        for (int j = 0; j < qr->columns; j++) {
            scaled[j] = A[i * row + j * column] / scale;
            zero += 0 * scaled[j];
        }
    }
    return zero == 0;
}

static bool load_entries(struct rank_qr *qr, const struct entries *at, const double *A,
                         const double *sizes)
{
    double zero = 0;
    memset(qr->qr->data, 0, qr->qr->size1 * qr->qr->size2 * sizeof(double));
    for (int i = 0; i < qr->rows; i++) {
        double scale = sizes[i] > 0 ? sizes[i] : 1;
        double *scaled = qr->qr->data + i * qr->columns;
        qr->scale[i] = scale;
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++) {
            double entry = scaled[at->column[k]] = A[k] / scale;
            zero += 0 * entry;
        }
    }
    return zero == 0;
}

/* The column that is largest from row k on; rows have been scaled. The norm is computed
   afresh. Norms that are updated (gsl_linalg_QRPT_decomp) become rounding where rows are
   nearly dependent, and the decisive pivot would be an arbitrary column's. */
static size_t largest_column(const struct rank_qr *qr, int k)
{
    int columns = qr->columns, largest = k;
    double *square = qr->sum, most = 0;
    memset(square + k, 0, (size_t)(columns - k) * sizeof *square);
    for (int i = k; i < qr->rows; i++) {
        const double *row = qr->qr->data + i * columns;
        for (int j = k; j < columns; j++)
            square[j] += row[j] * row[j];
    }
    for (int j = k; j < columns; j++)
        if (square[j] > most) {
            most = square[j];
            largest = j;
        }
    return (size_t)largest;
}

/* Applies the reflection I - tau v v' in column k, v_k = 1, to the columns on the right,
   as gsl_linalg_householder_hm does, but row by row, and past the rows where v is zero:
   those are most while constraints are of neighbouring bodies. */
static void reflect(const struct rank_qr *qr, int k, double tau)
{
    int columns = qr->columns;
    double *first = qr->qr->data + k * columns, *w = qr->sum;
    if (tau == 0)
        return;
    memory_copy(w + k, first + k, columns - k, sizeof *w);
    for (int i = k + 1; i < qr->rows; i++) {
        const double *row = qr->qr->data + i * columns;
        for (int j = k + 1; row[k] != 0 && j < columns; j++)
            w[j] += row[j] * row[k];
    }
    for (int j = k + 1; j < columns; j++)
        first[j] -= tau * w[j];
    for (int i = k + 1; i < qr->rows; i++) {
        double *row = qr->qr->data + i * columns, multiple = tau * row[k];
        for (int j = k + 1; row[k] != 0 && j < columns; j++)
            row[j] -= multiple * w[j];
    }
}

/* Makes row k of R by one reflection, stored as by gsl_linalg_QR_decomp; returns
   |R_kk|. */
static double eliminate(struct rank_qr *qr, size_t k)
{
    gsl_matrix *A = qr->qr;
    size_t largest = largest_column(qr, (int)k);
    gsl_matrix_swap_columns(A, k, largest);
    gsl_permutation_swap(qr->column, k, largest);
    gsl_vector_view column = gsl_matrix_subcolumn(A, k, k, A->size1 - k);
    double tau = gsl_linalg_householder_transform(&column.vector);
    gsl_vector_set(qr->tau, k, tau);
    reflect(qr, (int)k, tau);
    return fabs(gsl_matrix_get(A, k, k));
}

static void decompose(struct rank_qr *qr)
{
    int smaller = qr->rows < qr->columns ? qr->rows : qr->columns;
    double first = 0;
    for (int k = 0; k < smaller; k++) {
        double pivot = eliminate(qr, (size_t)k);
        if (k == 0)
            first = pivot;
        if (!(pivot > rank_zero * first))
            return;
        qr->rank++;
        qr->decided = qr->decided && pivot >= rank_full * first;
    }
}

static void begin(struct rank_qr *qr)
{
    qr->rank = 0;
    qr->decided = true;
    gsl_permutation_init(qr->column);
    gsl_vector_set_zero(qr->tau);
}

void rank_qr_factor(struct rank_qr *qr, const double *A, int row, int column)
{
    begin(qr);
    if (load_scaled(qr, A, row, column))
        decompose(qr);
}

void rank_qr_factor_entries(struct rank_qr *qr, const struct entries *at, const double *A,
                            const double *sizes)
{
    begin(qr);
    if (load_entries(qr, at, A, sizes))
        decompose(qr);
}

double rank_qr_pivot(const struct rank_qr *qr, int k)
{
    size_t i = (size_t)k;
    return k < qr->rank ? fabs(gsl_matrix_get(qr->qr, i, i) /
                               gsl_matrix_get(qr->qr, 0, 0)) : 0;
}

void rank_qr_times_Q(const struct rank_qr *qr, double *x)
{
    if (qr->rows == 0 || qr->columns == 0)
        return;
    gsl_vector_view view = gsl_vector_view_array(x, (size_t)qr->rows);
    gsl_linalg_QR_Qvec(qr->qr, qr->tau, &view.vector);
}

void rank_qr_times_Q_transposed(const struct rank_qr *qr, double *x)
{
    if (qr->rows == 0 || qr->columns == 0)
        return;
    gsl_vector_view view = gsl_vector_view_array(x, (size_t)qr->rows);
    gsl_linalg_QR_QTvec(qr->qr, qr->tau, &view.vector);
}

static void solve_R(const struct rank_qr *qr, CBLAS_TRANSPOSE_t transpose, double *x)
{
    if (qr->rank == 0)
        return;
    size_t rank = (size_t)qr->rank;
    gsl_vector_view view = gsl_vector_view_array(x, rank);
    gsl_matrix_const_view R = gsl_matrix_const_submatrix(qr->qr, 0, 0, rank, rank);
    gsl_blas_dtrsv(CblasUpper, transpose, CblasNonUnit, &R.matrix, &view.vector);
}

void rank_qr_solve_R(const struct rank_qr *qr, double *x)
{
    solve_R(qr, CblasNoTrans, x);
}

void rank_qr_solve_R_transposed(const struct rank_qr *qr, double *x)
{
    solve_R(qr, CblasTrans, x);
}

bool rank_matters(const double *K, int n, int m)
{
    for (int i = n; i < n + m; i++)
        for (int j = n; j < n + m; j++)
            if (K[i * (n + m) + j] != 0)
                return false;
    return true;
}
