/*
 * linear_systems.h - random saddle points for the tests of formulations/linear, and what
 * those are compared with: the singular value decomposition.
 */
#ifndef SALTUS_LINEAR_SYSTEMS_H
#define SALTUS_LINEAR_SYSTEMS_H

#include <criterion/criterion.h>
#include <float.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "linear/linear.h"
#include "random_formulas.h"

enum { MOST_ROWS = 40, MOST_ENTRIES = MOST_ROWS * MOST_ROWS };

/* By rows: M [n][n], G [n][m], C [m][n], D [m][m]. */
struct saddle {
    int n, m;
    double M[MOST_ENTRIES], G[MOST_ENTRIES], C[MOST_ENTRIES], D[MOST_ENTRIES];
};

static inline void random_matrix(struct random *random, int count, double *A)
{
    for (int k = 0; k < count; k++)
        A[k] = random_between(random, -1, 1);
}

/* C = A B: A [rows][inner], B [inner][columns] */
static inline void matrix_product(const double *A, const double *B, int rows, int inner,
                                  int columns, double *C)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int k = 0; k < inner; k++)
                sum += A[i * inner + k] * B[k * columns + j];
            C[i * columns + j] = sum;
        }
}

static inline void transpose(const double *A, int rows, int columns, double *T)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            T[j * rows + i] = A[i * columns + j];
}

static inline void random_spd(struct random *random, int n, double *A)
{
    double B[MOST_ENTRIES], T[MOST_ENTRIES];
    random_matrix(random, n * n, B);
    transpose(B, n, n, T);
    matrix_product(B, T, n, n, n, A);
    for (int i = 0; i < n; i++)
        A[i * n + i] += 0.5;
}

/* M positive definite, C of full rank as good as always, G = C', D = 0. */
static inline struct saddle random_saddle(struct random *random, int n, int m)
{
    struct saddle s = {.n = n, .m = m};
    random_spd(random, n, s.M);
    random_matrix(random, m * n, s.C);
    transpose(s.C, m, n, s.G);
    return s;
}

/* G = Phi_q' - F_lambda */
static inline void add_friction(struct random *random, struct saddle *s)
{
    for (int k = 0; k < s->n * s->m; k++)
        s->G[k] -= random_between(random, -0.3, 0.3);
}

static inline void saddle_matrix(const struct saddle *s, double *K)
{
    int n = s->n, m = s->m, N = n + m;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            K[i * N + j] = i < n ? (j < n ? s->M[i * n + j] : s->G[i * m + j - n])
                                 : (j < n ? s->C[(i - n) * n + j]
                                          : -s->D[(i - n) * m + j - n]);
}

/* Constraint i in units of its own, so multiplier i too. */
static inline void change_units(struct saddle *s, const double *unit)
{
    for (int i = 0; i < s->m; i++)
        for (int j = 0; j < s->n; j++) {
            s->C[i * s->n + j] *= unit[i];
            s->G[j * s->m + i] *= unit[i];
        }
    for (int i = 0; i < s->m; i++)
        for (int j = 0; j < s->m; j++)
            s->D[i * s->m + j] *= unit[i] * unit[j];
}

static inline double norm(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static inline double difference(const double *x, const double *y, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}

/* x = method^-1 b, corrected once as the equations of motion are. */
static inline void solve_saddle(const struct linear_method *method, void *work,
                                const double *K, int N, const double *b, double *x)
{
    memcpy(x, b, (size_t)N * sizeof *x);
    method->solve(work, x);
    if (!method->corrected)
        return;
    double left[MOST_ROWS];
    matrix_product(K, x, N, N, 1, left);
    for (int i = 0; i < N; i++)
        left[i] = b[i] - left[i];
    method->solve(work, left);
    for (int i = 0; i < N; i++)
        x[i] += left[i];
}

static inline enum status factor_once(const struct linear_method *method,
                                      const struct saddle *s)
{
    double K[MOST_ENTRIES];
    void *work = method->alloc(s->n, s->m);
    saddle_matrix(s, K);
    enum status status = method->factor(work, K);
    method->release(work);
    return status;
}

/* A^+ [N][N] of a square matrix from its `rank` largest singular values; returns the
   ratio of the first to the last of these. */
static inline double pseudo_inverse(const double *A, int N, int rank, double *X)
{
    size_t size = (size_t)N;
    gsl_matrix *U = gsl_matrix_alloc(size, size), *V = gsl_matrix_alloc(size, size);
    gsl_vector *S = gsl_vector_alloc(size), *w = gsl_vector_alloc(size);
    memcpy(U->data, A, size * size * sizeof *A);
    gsl_linalg_SV_decomp(U, V, S, w);
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) {
            double sum = 0;
            for (size_t k = 0; k < (size_t)rank; k++)
                sum += gsl_matrix_get(V, i, k) * gsl_matrix_get(U, j, k) /
                       gsl_vector_get(S, k);
            X[i * size + j] = sum;
        }
    double last = rank > 0 ? gsl_vector_get(S, (size_t)rank - 1) : 1;
    double condition = rank > 0 ? gsl_vector_get(S, 0) / last : 1;
    gsl_matrix_free(U);
    gsl_matrix_free(V);
    gsl_vector_free(S);
    gsl_vector_free(w);
    return condition;
}

#endif
