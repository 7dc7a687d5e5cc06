/*
 * quad_solve.c - dense linear equations in complex quadruple precision (quad.h).
 */
#include "oracles/native/quad.h"

/* Swaps the largest real part at or below row k of column k up, together with b. */
static bool pivot(int n, quad_complex *A, quad_complex *b, int k)
{
    int best = k;
    for (int i = k + 1; i < n; i++)
        if (fabsf128(quad_real(A[i * n + k])) > fabsf128(quad_real(A[best * n + k])))
            best = i;
    for (int j = 0; j < n; j++) {
        quad_complex keep = A[k * n + j];
        A[k * n + j] = A[best * n + j];
        A[best * n + j] = keep;
    }
    quad_complex keep = b[k];
    b[k] = b[best];
    b[best] = keep;
    /* false for NAN */
    return fabsf128(quad_real(A[k * n + k])) > (quad)1e-24;
}

bool quad_solve(int n, quad_complex *A, quad_complex *b)
{
    for (int k = 0; k < n; k++) {
        if (!pivot(n, A, b, k))
            return false;
        for (int i = k + 1; i < n; i++) {
            quad_complex factor = A[i * n + k] / A[k * n + k];
            for (int j = k + 1; j < n; j++)
                A[i * n + j] -= factor * A[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= A[i * n + j] * b[j];
        b[i] /= A[i * n + i];
    }
    return true;
}
