/*
 * sparse_lu.c - sparse LU of the saddle point by KLU (Davis, Palamadai Natarajan 2010),
 * for large mechanisms: the cost grows with the entries of the factors.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "linear/klu.h"
#include "linear/least_singular.h"
#include "linear/linear.h"
#include "linear/rank.h"

struct sparse_lu {
    int n, m;
    const struct entries *at;   /* places of the entries of K, the caller's */
    struct sparse K;
};

static void *sparse_lu_alloc(int n, int m, const struct entries *at)
{
    struct sparse_lu *lu = memory_new(1, sizeof *lu);
    lu->n = n;
    lu->m = m;
    lu->at = at;
    sparse_init(&lu->K, n + m);
    for (int i = 0; i < n + m; i++)
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++)
            sparse_place(&lu->K, i, at->column[k]);
    return lu;
}

static void sparse_lu_release(void *work)
{
    struct sparse_lu *lu = work;
    sparse_clear(&lu->K);
    free(lu);
}

/* True if K = [M G; C 0] is singular because rows of C are dependent. A run asks once, at
   its end. */
static bool constraints_dependent(const struct sparse_lu *lu, const double *K)
{
    const int *begin = lu->at->begin + lu->n;
    int first = begin[0], count = begin[lu->m] - first;
    struct entries C = {.count = count, .begin = memory_new(lu->m + 1, sizeof(int)),
                        .column = lu->at->column + first};
    double *size = memory_new(lu->m, sizeof *size);
    bool only_C = true;
    for (int i = 0; i < lu->m; i++) {
        C.begin[i + 1] = begin[i + 1] - first;
        for (int k = C.begin[i]; k < C.begin[i + 1]; k++) {
            only_C = only_C && (C.column[k] < lu->n || K[first + k] == 0);
            size[i] = fmax(size[i], fabs(K[first + k]));
        }
    }
    bool dependent = false;
    if (only_C && lu->m > 0) {
        struct least_singular least;
        least_singular_init(&least, lu->m, lu->n, &C);
        dependent = least_singular_value(&least, K + first, size) <= rank_zero;
        least_singular_clear(&least);
    }
    free(C.begin);
    free(size);
    return dependent;
}

static enum status sparse_lu_factor(void *work, const double *K)
{
    struct sparse_lu *lu = work;
    memory_copy(lu->K.value, K, lu->K.count, sizeof *K);
    if (sparse_factor(&lu->K))
        return OK;
    return constraints_dependent(lu, K) ? RANK_LOSS : SINGULAR;
}

static void sparse_lu_solve(void *work, double *x)
{
    struct sparse_lu *lu = work;
    sparse_solve(&lu->K, x);
}

static void sparse_lu_transposed(void *work, const double *u, double *y)
{
    struct sparse_lu *lu = work;
    memory_copy(y, u, lu->n + lu->m, sizeof *y);
    sparse_solve_transposed(&lu->K, y);
}

const struct linear_method linear_sparse = {
    .name = "sparse-lu",
    .title = "sparse LU with partial pivoting of the saddle point, by KLU",
    .source = "Davis, Palamadai Natarajan 2010",
    .alloc_sparse = sparse_lu_alloc,
    .release = sparse_lu_release,
    .factor = sparse_lu_factor,
    .solve = sparse_lu_solve,
    .transposed = sparse_lu_transposed,
    .corrected = true,
};
