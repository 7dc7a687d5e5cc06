/*
 * native_range.c - accelerations and multipliers of minimum norm where constraints depend
 * on others: by Gram-Schmidt, which nothing else here uses.
 *
 * Phi_q = L Q with orthonormal rows Q [rank * n], and lambda = L kappa is in the range of
 * Phi_q. With nu = L' lambda
 *
 *     M a + Q' nu = F,     Q a = -(L' L)^-1 L' gamma,     lambda = L (L' L)^-1 nu
 *
 * States come from runs in double, so that dependent rows are dependent to their digits
 * only: a remainder of a row below 1e-9 counts as nothing.
 */
#include "oracles/native/native_constraint.h"

#include <stdlib.h>

#include "base/memory.h"

static quad_complex product(const quad_complex *a, const quad_complex *b, int n)
{
    quad_complex sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static quad norm(const quad_complex *row, int n)
{
    quad sum = 0;
    for (int k = 0; k < n; k++)
        sum += quad_real(row[k]) * quad_real(row[k]);
    return sqrtf128(sum);
}

/* The index of the longest of m rows. */
static int longest(const quad_complex *rows, int m, int n)
{
    int best = 0;
    for (int i = 1; i < m; i++)
        if (norm(rows + i * n, n) > norm(rows + best * n, n))
            best = i;
    return best;
}

int native_range(int m, int n, quad_complex *rows, quad_complex *Q, quad_complex *L)
{
    quad size = m > 0 ? norm(rows + longest(rows, m, n) * n, n) : 0;
    int rank = 0;
    for (; rank < m && rank < n; rank++) {
        const quad_complex *row = rows + longest(rows, m, n) * n;
        quad_complex *q = Q + rank * n;
        if (norm(row, n) <= (quad)1e-9 * size)
            break;
        quad_complex length = csqrtf128(product(row, row, n));
        for (int k = 0; k < n; k++)
            q[k] = row[k] / length;
        for (int i = 0; i < m; i++) {
            L[i * n + rank] = 0;
            for (int pass = 0; pass < 2; pass++) {      /* twice is enough */
                quad_complex part = product(rows + i * n, q, n);
                L[i * n + rank] += part;
                for (int k = 0; k < n; k++)
                    rows[i * n + k] -= part * q[k];
            }
        }
    }
    return rank;
}

/* x [rank] = (L' L)^-1 x, in place. */
static bool normal_solve(struct native_factor L, quad_complex *x)
{
    int rank = L.columns;
    quad_complex *A = calloc((size_t)(rank * rank) + 1, sizeof *A);
    if (!A)
        memory_exhausted();
    for (int i = 0; i < rank; i++)
        for (int j = 0; j < rank; j++)
            for (int k = 0; k < L.rows; k++)
                A[i * rank + j] += L.x[k * L.stride + i] * L.x[k * L.stride + j];
    bool regular = quad_solve(rank, A, x);
    free(A);
    return regular;
}

bool native_least_norm(struct native_factor L, quad_complex *nu, quad_complex *lambda)
{
    bool regular = normal_solve(L, nu);
    for (int i = 0; i < L.rows; i++)
        lambda[i] = product(L.x + i * L.stride, nu, L.columns);
    return regular;
}

bool native_least_squares(struct native_factor L, const quad_complex *b, quad_complex *x)
{
    for (int j = 0; j < L.columns; j++) {
        x[j] = 0;
        for (int i = 0; i < L.rows; i++)
            x[j] += L.x[i * L.stride + j] * b[i];
    }
    return normal_solve(L, x);
}
