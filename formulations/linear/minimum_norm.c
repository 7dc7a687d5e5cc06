/*
 * minimum_norm.c - pseudo-inverse of the saddle point for redundant constraints
 * (Mukharlyamov, Deressa 2014, (6); Golub, Pereyra 1973): the accelerations, which are
 * unique, and of all multipliers that give these those of least norm.
 *
 * The left null vectors L of dependent rows C make up those of K, and the null vectors W
 * of G those of K, when the accelerations are unique: then both have m - rank of C of
 * them, and the range of K is all of R^n times the range of C. With L, W orthonormal and
 * c diagonal and positive, the matrix
 *
 *     [ M     G    ]
 *     [ C   L c W' ]      is regular,
 *
 * and with b2 projected onto the range of C it gives K^+ b: its second row times L' says
 * W'lambda = 0, what remains of it C a = b2. So K^+ costs one LU, all four of Penrose's
 * conditions hold in the units of the model, and where no constraint is redundant the
 * matrix is K itself. Two orthogonal factorisations, of C and of G', each with its rows
 * scaled, take the place of a complete orthogonal decomposition of K: the rank of K could
 * only be read off that if lambda were scaled, and then another norm would be least.
 */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/memory.h"
#include "linear/dense_lu.h"
#include "linear/linear.h"
#include "linear/rank.h"

struct minimum_norm {
    int n, m;
    int defect;             /* number of vectors in L and in W */
    struct rank_qr C, G;    /* QR of C and of G' */
    double *L, *W;          /* [m][m] null vectors, one after the other */
    double *filled;         /* [(n+m)^2] K, or K scaled, with L c W' */
    double *row, *column;   /* [n+m] divisors of the rows and columns of `filled` */
    struct dense_lu factor; /* factors of `filled` */
    double *l, *w;          /* [m] scratch */
    struct arena arena;     /* memory of all arrays */
};

static void *minimum_norm_alloc(int n, int m)
{
    struct minimum_norm *work = memory_new(1, sizeof *work);
    work->n = n;
    work->m = m;
    rank_qr_init(&work->C, m, n);
    rank_qr_init(&work->G, m, n);
    work->L = arena_new(&work->arena, m * m, sizeof *work->L);
    work->W = arena_new(&work->arena, m * m, sizeof *work->W);
    work->filled = arena_new(&work->arena, (n + m) * (n + m), sizeof *work->filled);
    dense_lu_init(&work->factor, n + m);
    work->row = arena_new(&work->arena, n + m, sizeof *work->row);
    work->column = arena_new(&work->arena, n + m, sizeof *work->column);
    work->l = arena_new(&work->arena, m, sizeof *work->l);
    work->w = arena_new(&work->arena, m, sizeof *work->w);
    return work;
}

static void minimum_norm_release(void *memory)
{
    struct minimum_norm *work = memory;
    rank_qr_clear(&work->C);
    rank_qr_clear(&work->G);
    dense_lu_clear(&work->factor);
    arena_free(&work->arena);
    free(work);
}

/* --- the null vectors --------------------------------------------------------------- */

static double product(const double *x, const double *y, int m)
{
    double sum = 0;
    for (int i = 0; i < m; i++)
        sum += x[i] * y[i];
    return sum;
}

/* x - V V'x for the first `count` orthonormal vectors of V */
static void remove_part(const double *V, int count, int m, double *x)
{
    for (int k = 0; k < count; k++) {
        double part = product(V + k * m, x, m);
        for (int i = 0; i < m; i++)
            x[i] -= part * V[k * m + i];
    }
}

static void normalise(double *x, int m)
{
    double size = sqrt(product(x, x, m));
    for (int i = 0; i < m; i++)
        x[i] /= size;
}

/* Orthonormal vectors V with V'A = 0. With A = S Q [R; 0] these are the columns of S^-1 Q
   below R, made orthonormal by Gram and Schmidt, twice. Each entry stays accurate
   relative to its row, which its unit may make large or small. */
static void left_null_space(const struct rank_qr *qr, double *V)
{
    int m = qr->rows;
    for (int k = 0; k < m - qr->rank; k++) {
        double *v = V + k * m;
        for (int i = 0; i < m; i++)
            v[i] = i == qr->rank + k;
        rank_qr_times_Q(qr, v);
        for (int i = 0; i < m; i++)
            v[i] /= qr->scale[i];
        normalise(v, m);
        for (int pass = 0; pass < 2; pass++) {
            remove_part(V, k, m, v);
            normalise(v, m);
        }
    }
}

/* --- the method --------------------------------------------------------------------- */

static double largest(const double *x, int count, int step)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = fmax(size, fabs(x[i * step]));
    return size > 0 ? size : 1;
}

/* Scales rows, then columns, to one. */
static void scale(struct minimum_norm *work)
{
    int N = work->n + work->m;
    double *A = work->filled;
    for (int i = 0; i < N; i++) {
        work->row[i] = largest(A + i * N, N, 1);
        for (int j = 0; j < N; j++)
            A[i * N + j] /= work->row[i];
    }
    for (int j = 0; j < N; j++) {
        work->column[j] = largest(A + j, N, N);
        for (int i = 0; i < N; i++)
            A[i * N + j] /= work->column[j];
    }
}

/* scaled [m] = x_i / size_i, divided by the largest. */
static void scale_vector(const double *x, const double *size, int m, double *scaled)
{
    for (int i = 0; i < m; i++)
        scaled[i] = x[i] / size[i];
    double most = largest(scaled, m, 1);
    for (int i = 0; i < m; i++)
        scaled[i] /= most;
}

/* Adds L c W', with c such that the largest entry is that of the scaled matrix, one. */
static void fill(struct minimum_norm *work)
{
    int n = work->n, m = work->m, N = n + m;
    for (int k = 0; k < work->defect; k++) {
        scale_vector(work->L + k * m, work->row + n, m, work->l);
        scale_vector(work->W + k * m, work->column + n, m, work->w);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                work->filled[(n + i) * N + n + j] += work->l[i] * work->w[j];
    }
}

/* Scales and fills K. Friction that depends on the distribution of the multipliers makes
   the rank of G larger than that of C: the accelerations then depend on it as well. */
static enum status complete(struct minimum_norm *work, const double *K)
{
    rank_qr_factor(&work->G, K + work->n, 1, work->n + work->m);
    if (!work->G.decided)
        return RANK_LOSS;
    if (work->G.rank != work->C.rank)
        return SINGULAR;
    left_null_space(&work->C, work->L);
    left_null_space(&work->G, work->W);
    scale(work);
    fill(work);
    return OK;
}

static enum status minimum_norm_factor(void *memory, const double *K)
{
    struct minimum_norm *work = memory;
    int n = work->n, m = work->m, N = n + m;
    bool matters = rank_matters(K, n, m);
    enum status status = OK;

    memory_copy(work->filled, K, N * N, sizeof *K);
    for (int i = 0; i < N; i++)
        work->row[i] = work->column[i] = 1;
    rank_qr_factor(&work->C, K + n * N, N, 1);
    work->defect = matters ? m - work->C.rank : 0;
    if (matters && !work->C.decided)
        return RANK_LOSS;
    if (work->defect > 0)
        status = complete(work, K);
    if (status != OK)
        return status;
    return dense_lu_matrix(&work->factor, work->filled) ? OK : SINGULAR;
}

static void divide(double *x, const double *size, int count)
{
    for (int i = 0; i < count; i++)
        x[i] /= size[i];
}

/* The last line removes the rounding errors in the direction of W. */
static void minimum_norm_solve(void *memory, double *x)
{
    struct minimum_norm *work = memory;
    int n = work->n, m = work->m;
    remove_part(work->L, work->defect, m, x + n);
    divide(x, work->row, n + m);
    dense_lu_solve(&work->factor, x);
    divide(x, work->column, n + m);
    remove_part(work->W, work->defect, m, x + n);
}

static void minimum_norm_transposed(void *memory, const double *u, double *y)
{
    struct minimum_norm *work = memory;
    int n = work->n, m = work->m;
    memory_copy(y, u, n + m, sizeof *y);
    remove_part(work->W, work->defect, m, y + n);
    divide(y, work->column, n + m);
    dense_lu_solve_transposed(&work->factor, y);
    divide(y, work->row, n + m);
    remove_part(work->L, work->defect, m, y + n);
}

/* I - K^+ K = [0 0; 0 W W'] */
static void minimum_norm_kernel_part(void *memory, double *x)
{
    struct minimum_norm *work = memory;
    int n = work->n, m = work->m;
    memory_copy(work->l, x + n, m, sizeof *x);
    for (int i = 0; i < n + m; i++)
        x[i] = 0;
    for (int k = 0; k < work->defect; k++) {
        double part = product(work->W + k * m, work->l, m);
        for (int i = 0; i < m; i++)
            x[n + i] += part * work->W[k * m + i];
    }
}

static int minimum_norm_rank(const void *memory)
{
    const struct minimum_norm *work = memory;
    return work->C.rank;
}

const struct linear_method linear_minimum_norm = {
    .name = "minimum-norm",
    .title = "pseudo-inverse of the saddle point: redundant constraints",
    .source = "Mukharlyamov, Deressa 2014, (6); Golub, Pereyra 1973",
    .alloc = minimum_norm_alloc,
    .release = minimum_norm_release,
    .factor = minimum_norm_factor,
    .solve = minimum_norm_solve,
    .corrected = true,
    .transposed = minimum_norm_transposed,
    .kernel_part = minimum_norm_kernel_part,
    .rank = minimum_norm_rank,
};
