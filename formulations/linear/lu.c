/*
 * lu.c - LU with partial pivoting of the saddle point (Golub, Van Loan 2013, section
 * 3.4).
 */
#include <stdlib.h>

#include "base/memory.h"
#include "linear/dense_lu.h"
#include "linear/linear.h"
#include "linear/rank.h"

struct lu {
    int n, m;
    struct dense_lu factor;     /* factors of K */
    struct rank_qr C;       /* QR of C, made when K is singular */
};

static void *lu_alloc(int n, int m)
{
    struct lu *lu = memory_new(1, sizeof *lu);
    lu->n = n;
    lu->m = m;
    dense_lu_init(&lu->factor, n + m);
    rank_qr_init(&lu->C, m, n);
    return lu;
}

static void lu_release(void *work)
{
    struct lu *lu = work;
    dense_lu_clear(&lu->factor);
    rank_qr_clear(&lu->C);
    free(lu);
}

static bool constraints_dependent(struct lu *lu, const double *K)
{
    int n = lu->n, m = lu->m, N = n + m;
    if (!rank_matters(K, n, m))
        return false;
    rank_qr_factor(&lu->C, K + n * N, N, 1);
    return lu->C.rank < m;
}

static enum status lu_factor(void *work, const double *K)
{
    struct lu *lu = work;
    if (dense_lu_matrix(&lu->factor, K))
        return OK;
    return constraints_dependent(lu, K) ? RANK_LOSS : SINGULAR;
}

static void lu_solve(void *work, double *x)
{
    struct lu *lu = work;
    dense_lu_solve(&lu->factor, x);
}

static void lu_transposed(void *work, const double *u, double *y)
{
    struct lu *lu = work;
    memory_copy(y, u, lu->n + lu->m, sizeof *y);
    dense_lu_solve_transposed(&lu->factor, y);
}

const struct linear_method linear_lu = {
    .name = "lu",
    .title = "LU with partial pivoting of the saddle point",
    .source = "Golub, Van Loan 2013, section 3.4",
    .alloc = lu_alloc,
    .release = lu_release,
    .factor = lu_factor,
    .solve = lu_solve,
    .transposed = lu_transposed,
    .corrected = true,
};
