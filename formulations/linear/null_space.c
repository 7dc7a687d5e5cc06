/*
 * null_space.c - null space method (Maggi; coordinate partitioning): accelerations
 * without the multipliers.
 *
 *     C N = 0, W'G = 0       N = [ -C_dep^-1 C_dof ]    C a_p = b2
 *     (W'M N) z = W'(b1 - M a_p)   [       I       ]    a = N z + a_p
 *     G_dep lambda = (b1 - M a)_dep
 *
 * C_dep are the columns of C that QR with pivoting takes first, the other coordinates are
 * the independent ones, and -C_dep^-1 C_dof is R of (73) in Corner, Sandu, Sandu 2019. W
 * is made from G' as N is from C, with dependent rows of its own: with friction,
 * G = Phi_q' - F_lambda has another null space than C'.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "linear/dense_lu.h"
#include "linear/linear.h"
#include "linear/rank.h"

struct null_space {
    int n, m, f;            /* f = n - m degrees of freedom */
    struct rank_qr C, G;    /* QR of C and of G' */
    double *N, *W;          /* [n][f] bases of the null spaces */
    double *M;              /* [n][n] mass matrix */
    double *MN, *WMN;       /* [n][f], [f][f] products */
    struct dense_lu factor; /* factors of W'MN */
    double *a, *z, *r;      /* [n] a_p, then a; [f]; [m] scratch */
    struct arena arena;     /* memory of all arrays */
};

static void *null_space_alloc(int n, int m)
{
    struct null_space *work = memory_new(1, sizeof *work);
    int f = n > m ? n - m : 0;
    work->n = n;
    work->m = m;
    work->f = f;
    rank_qr_init(&work->C, m, n);
    rank_qr_init(&work->G, m, n);
    work->N = arena_new(&work->arena, n * f, sizeof *work->N);
    work->W = arena_new(&work->arena, n * f, sizeof *work->W);
    work->M = arena_new(&work->arena, n * n, sizeof *work->M);
    work->MN = arena_new(&work->arena, n * f, sizeof *work->MN);
    work->WMN = arena_new(&work->arena, f * f, sizeof *work->WMN);
    dense_lu_init(&work->factor, f);
    work->a = arena_new(&work->arena, n, sizeof *work->a);
    work->z = arena_new(&work->arena, f, sizeof *work->z);
    work->r = arena_new(&work->arena, m, sizeof *work->r);
    return work;
}

static void null_space_release(void *memory)
{
    struct null_space *work = memory;
    rank_qr_clear(&work->C);
    rank_qr_clear(&work->G);
    dense_lu_clear(&work->factor);
    arena_free(&work->arena);
    free(work);
}

/* The coordinate at place i of the order of pivots: dependent if i < m. */
static int coordinate(const struct rank_qr *qr, int i)
{
    return (int)gsl_permutation_get(qr->column, (size_t)i);
}

/* N [n][f] from R11 and R12; the sizes of the rows and Q cancel. column [m] is
   scratch. */
static void null_space_basis(const struct rank_qr *qr, double *column, double *N)
{
    int m = qr->rows, f = qr->columns - m;
    for (int j = 0; j < f; j++) {
        for (int i = 0; i < m; i++)
            column[i] = gsl_matrix_get(qr->qr, (size_t)i, (size_t)(m + j));
        rank_qr_solve_R(qr, column);
        for (int i = 0; i < m; i++)
            N[coordinate(qr, i) * f + j] = -column[i];
        for (int i = 0; i < f; i++)
            N[coordinate(qr, m + i) * f + j] = i == j;
    }
}

/* sum [count] += a x */
static void add_multiple(double *sum, double a, const double *x, int count)
{
    for (int j = 0; a != 0 && j < count; j++)
        sum[j] += a * x[j];
}

/* Row by row: most entries of M and W are zero in a chain of bodies. */
static void multiply(struct null_space *work)
{
    int n = work->n, f = work->f;
    memset(work->MN, 0, (size_t)(n * f) * sizeof *work->MN);
    memset(work->WMN, 0, (size_t)(f * f) * sizeof *work->WMN);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            add_multiple(work->MN + i * f, work->M[i * n + k], work->N + k * f, f);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < f; i++)
            add_multiple(work->WMN + i * f, work->W[k * f + i], work->MN + k * f, f);
}

static enum status null_space_factor(void *memory, const double *K)
{
    struct null_space *work = memory;
    int n = work->n, m = work->m, size = n + m;
    if (!rank_matters(K, n, m))
        slip("the null space of the constraints was asked for, but D is not zero");
    rank_qr_factor(&work->C, K + n * size, size, 1);
    if (work->C.rank < m)
        return RANK_LOSS;
    rank_qr_factor(&work->G, K + n, 1, size);
    if (work->G.rank < m)
        return SINGULAR;
    for (int i = 0; i < n; i++)
        memory_copy(work->M + i * n, K + i * size, n, sizeof *K);
    null_space_basis(&work->C, work->r, work->N);
    null_space_basis(&work->G, work->r, work->W);
    multiply(work);
    return dense_lu_matrix(&work->factor, work->WMN) ? OK : SINGULAR;
}

/* The solution of C a = b2 whose independent accelerations are zero. */
static void particular_part(struct null_space *work, const double *b2)
{
    for (int i = 0; i < work->m; i++)
        work->r[i] = b2[i] / work->C.scale[i];
    rank_qr_times_Q_transposed(&work->C, work->r);
    rank_qr_solve_R(&work->C, work->r);
    for (int i = 0; i < work->n; i++)
        work->a[coordinate(&work->C, i)] = i < work->m ? work->r[i] : 0;
}

/* (b1 - M a)_i */
static double remaining_force(const struct null_space *work, const double *b1, int i)
{
    double force = b1[i];
    for (int j = 0; j < work->n; j++)
        force -= work->M[i * work->n + j] * work->a[j];
    return force;
}

static void null_space_solve(void *memory, double *x)
{
    struct null_space *work = memory;
    int n = work->n, m = work->m, f = work->f;
    double *lambda = x + n;

    particular_part(work, lambda);
    for (int j = 0; j < f; j++)
        work->z[j] = 0;
    for (int i = 0; i < n; i++) {
        double force = remaining_force(work, x, i);
        for (int j = 0; j < f; j++)
            work->z[j] += work->W[i * f + j] * force;
    }
    dense_lu_solve(&work->factor, work->z);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < f; j++)
            work->a[i] += work->N[i * f + j] * work->z[j];

    /* G' = S Q R P': the dependent rows of G lambda are R11' (Q' S lambda). */
    for (int i = 0; i < m; i++)
        lambda[i] = remaining_force(work, x, coordinate(&work->G, i));
    rank_qr_solve_R_transposed(&work->G, lambda);
    rank_qr_times_Q(&work->G, lambda);
    for (int i = 0; i < m; i++)
        lambda[i] /= work->G.scale[i];
    memory_copy(x, work->a, n, sizeof *x);
}

const struct linear_method linear_null_space = {
    .name = "null-space",
    .title = "accelerations from the null space of the constraints (Maggi)",
    .source = "Corner, Sandu, Sandu 2019, (73)-(75)",
    .alloc = null_space_alloc,
    .release = null_space_release,
    .factor = null_space_factor,
    .solve = null_space_solve,
    .corrected = true,
};
