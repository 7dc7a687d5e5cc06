#include "linear/rank.h"

#include <gsl/gsl_blas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"

const double rank_zero = 1e-10, rank_full = 1e-6;

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
        .product = memory_new(columns, sizeof *qr->product),
        .qr = gsl_matrix_calloc(at_least_one(rows), at_least_one(columns)),
        .tau = gsl_vector_calloc(at_least_one(smaller)),
        .column = gsl_permutation_calloc(at_least_one(columns)),
    };
}

void rank_qr_clear(struct rank_qr *qr)
{
    free(qr->scale);
    free(qr->product);
    gsl_matrix_free(qr->qr);
    gsl_vector_free(qr->tau);
    gsl_permutation_free(qr->column);
}

static double row_size(const struct rank_qr *qr, const double *row, int column)
{
    double size = 0;
    for (int j = 0; j < qr->columns; j++)
        size = fmax(size, fabs(row[j * column]));
    return size;
}

/* Rows divided by these sizes, or by their own. */
static void load_scaled(struct rank_qr *qr, const double *A, int row, int column,
                        const double *sizes)
{
    for (int i = 0; i < qr->rows; i++) {
        double size = sizes ? sizes[i] : row_size(qr, A + i * row, column);
        qr->scale[i] = size > 0 ? size : 1;
        double *scaled = qr->qr->data + (size_t)i * qr->qr->tda;
        for (int j = 0; j < qr->columns; j++)
            scaled[j] = A[i * row + j * column] / qr->scale[i];
    }
}

/* The column that is largest from row k on; rows have been scaled. Its norm is computed
   afresh: updated norms (gsl_linalg_QRPT_decomp) are nothing but rounding where rows are
   nearly dependent, and the pivot that is to tell would be an arbitrary column's. */
static size_t largest_column(const gsl_matrix *A, size_t k)
{
    size_t largest = k;
    double most = 0;
    for (size_t j = k; j < A->size2; j++) {
        double square = 0;
        for (size_t i = k; i < A->size1; i++) {
            double entry = A->data[i * A->tda + j];
            square += entry * entry;
        }
        if (square > most) {
            most = square;
            largest = j;
        }
    }
    return largest;
}

static void swap_columns(struct rank_qr *qr, size_t k, size_t other)
{
    gsl_matrix *A = qr->qr;
    size_t column = qr->column->data[k];
    if (other == k)
        return;
    for (size_t i = 0; i < A->size1; i++) {
        double *row = A->data + i * A->tda, entry = row[k];
        row[k] = row[other];
        row[other] = entry;
    }
    qr->column->data[k] = qr->column->data[other];
    qr->column->data[other] = column;
}

/* Euclidean; neither overflows nor underflows. */
static double norm(const double *x, size_t count, size_t stride)
{
    double scale = 0, squares = 1;
    for (size_t i = 0; i < count; i++) {
        double size = fabs(x[i * stride]);
        if (scale < size) {
            squares = 1 + squares * (scale / size) * (scale / size);
            scale = size;
        } else if (size != 0) {
            squares += (size / scale) * (size / scale);
        }
    }
    return count == 1 ? fabs(x[0]) : scale * sqrt(squares);
}

/* I - tau (1, v) (1, v)' takes x to (its norm, 0 ..); v replaces all of x but the first.
   Returns tau. */
static double reflection(double *x, size_t count, size_t stride)
{
    double length = norm(x + stride, count - 1, stride), alpha = x[0];
    if (count == 1 || length == 0)
        return 0;
    double beta = alpha >= 0 ? -hypot(alpha, length) : hypot(alpha, length);
    for (size_t i = 1; i < count; i++)
        x[i * stride] *= 1 / (alpha - beta);
    x[0] = beta;
    return (beta - alpha) / beta;
}

/* The columns right of column k, rows from k on. */
static void reflect_rest(struct rank_qr *qr, size_t k, double tau)
{
    const gsl_matrix *A = qr->qr;
    size_t columns = A->size2;
    double *first = A->data + k * A->tda, *product = qr->product;
    if (tau == 0)
        return;
    for (size_t j = k + 1; j < columns; j++)
        product[j] = first[j];
    for (size_t i = k + 1; i < A->size1; i++) {
        const double *row = A->data + i * A->tda;
        for (size_t j = k + 1; j < columns; j++)
            product[j] += row[j] * row[k];
    }
    for (size_t j = k + 1; j < columns; j++)
        first[j] -= tau * product[j];
    for (size_t i = k + 1; i < A->size1; i++) {
        double *row = A->data + i * A->tda, multiple = tau * row[k];
        for (size_t j = k + 1; j < columns; j++)
            row[j] -= multiple * product[j];
    }
}

/* Row k of R, by one reflection; stored as gsl_linalg_QR_decomp does. */
static double eliminate(struct rank_qr *qr, size_t k)
{
    gsl_matrix *A = qr->qr;
    double *pivot = A->data + k * A->tda + k;
    swap_columns(qr, k, largest_column(A, k));
    double tau = reflection(pivot, A->size1 - k, A->tda);
    qr->tau->data[k] = tau;
    reflect_rest(qr, k, tau);
    return fabs(*pivot);
}

void rank_qr_factor_in(struct rank_qr *qr, const double *A, int row, int column,
                       const double *sizes)
{
    int smaller = qr->rows < qr->columns ? qr->rows : qr->columns;
    double first = 0;
    qr->rank = 0;
    qr->decided = true;
    load_scaled(qr, A, row, column, sizes);
    for (int j = 0; j < qr->columns; j++)
        qr->column->data[j] = (size_t)j;
    memset(qr->tau->data, 0, (size_t)smaller * sizeof(double));
    for (size_t k = 0; k < (size_t)smaller; k++) {
        double pivot = eliminate(qr, k);
        if (k == 0)
            first = pivot;
        if (!(pivot > rank_zero * first))
            return;
        qr->rank++;
        qr->decided = qr->decided && pivot >= rank_full * first;
    }
}

void rank_qr_factor(struct rank_qr *qr, const double *A, int row, int column)
{
    rank_qr_factor_in(qr, A, row, column, NULL);
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
