#include "linear/rank.h"

#include <gsl/gsl_blas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "largest.h"

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
        .along = memory_new(2 * columns, sizeof *qr->along),
        .qr = gsl_matrix_calloc(at_least_one(rows), at_least_one(columns)),
        .tau = gsl_vector_calloc(at_least_one(smaller)),
        .column = gsl_permutation_calloc(at_least_one(columns)),
    };
    qr->square = qr->along + columns;
}

void rank_qr_clear(struct rank_qr *qr)
{
    free(qr->scale);
    free(qr->along);
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

/* Rows divided by their sizes. Are all entries finite? */
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

/* The squares of the lengths of the columns; rows have been scaled. They are computed
   afresh after every reflection: updated ones (gsl_linalg_QRPT_decomp) are nothing but
   rounding where rows are nearly dependent, and the pivot that is to tell would be an
   arbitrary column's. */
static void measure_columns(struct rank_qr *qr)
{
    int columns = qr->columns;
    const double *row = qr->qr->data;
    double *square = qr->square;
    memset(square, 0, (size_t)columns * sizeof *square);
    for (int i = 0; i < qr->rows; i++, row += columns)
        for (int j = 0; j < columns; j++)
            square[j] += row[j] * row[j];
}

static int longest_column(const struct rank_qr *qr, int k)
{
    int longest = k, columns = qr->columns;
    const double *square = qr->square;
    for (int j = k + 1; j < columns; j++)
        if (square[j] > square[longest])
            longest = j;
    return longest;
}

static void swap_columns(struct rank_qr *qr, int k, int other)
{
    double *A = qr->qr->data, longest = qr->square[other];
    size_t *column = qr->column->data, index = column[k];
    qr->square[other] = qr->square[k];
    qr->square[k] = longest;
    column[k] = column[other];
    column[other] = index;
    for (int i = 0; i < qr->rows; i++, A += qr->columns) {
        double entry = A[k];
        A[k] = A[other];
        A[other] = entry;
    }
}

/* Column k from row k on becomes beta (1, 0, ...), by I - tau v v' with v = (1, ...). The
   rest of v takes its place. Returns tau. */
static double reflect(struct rank_qr *qr, int k)
{
    int columns = qr->columns;
    double *column = qr->qr->data + k, alpha = column[k * columns];
    double beta = -copysign(sqrt(qr->square[k]), alpha);
    if (beta == 0)
        return 0;
    double unit = 1 / (alpha - beta);
    for (int i = k + 1; i < qr->rows; i++)
        column[i * columns] *= unit;
    column[k * columns] = beta;
    return (beta - alpha) / beta;
}

/* The columns right of k, reflected as that one, and measured below row k. */
static void reflect_rest(struct rank_qr *qr, int k, double tau)
{
    int rows = qr->rows, columns = qr->columns;
    double *along = qr->along, *square = qr->square, *first = qr->qr->data + k * columns;
    double *row = first + columns;
    for (int j = k + 1; j < columns; j++)
        along[j] = first[j];
    for (int i = k + 1; i < rows; i++, row += columns) {
        double v = row[k];
        for (int j = k + 1; j < columns; j++)
            along[j] += v * row[j];
    }
    for (int j = k + 1; j < columns; j++) {
        along[j] *= tau;
        first[j] -= along[j];
        square[j] = 0;
    }
    row = first + columns;
    for (int i = k + 1; i < rows; i++, row += columns) {
        double v = row[k];
        for (int j = k + 1; j < columns; j++) {
            double entry = row[j] -= v * along[j];
            square[j] += entry * entry;
        }
    }
}

/* Row k of R, by one reflection; stored as gsl_linalg_QR_decomp does. */
static double eliminate(struct rank_qr *qr, int k)
{
    int longest = longest_column(qr, k);
    if (longest != k)
        swap_columns(qr, k, longest);
    double tau = qr->tau->data[k] = reflect(qr, k);
    reflect_rest(qr, k, tau);
    return fabs(qr->qr->data[k * qr->columns + k]);
}

static void decompose(struct rank_qr *qr)
{
    int smaller = qr->rows < qr->columns ? qr->rows : qr->columns;
    double first = 0;
    measure_columns(qr);
    for (int k = 0; k < smaller; k++) {
        double pivot = eliminate(qr, k);
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
