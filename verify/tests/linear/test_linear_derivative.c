/*
 * test_linear_derivative.c - how multipliers of least norm change with the matrix (Golub,
 * Pereyra 1973), against differences of solutions by the singular value decomposition:
 *
 *     du = K^+ (db - dK u) + (I - K^+ K) dK' K^+' u
 *
 * The frozen pseudo-inverse, the first term alone, must be seen to be wrong.
 */
#include "linear_systems.h"

enum { PATH_N = 5, PATH_M = 4, PATH_RANK = 2, PATH = PATH_N + PATH_M };

/* M, C = (A T)', G = A_G T_G, b1 and b2 = T'c at e = 0, and their derivatives. */
struct path {
    double M[2][PATH_N * PATH_N], A[2][PATH_N * PATH_RANK], T[2][PATH_RANK * PATH_M];
    double A_G[2][PATH_N * PATH_RANK], T_G[2][PATH_RANK * PATH_M];
    double b1[2][PATH_N], c[2][PATH_RANK];
};

static void random_path(struct random *random, bool friction, struct path *path)
{
    for (int k = 0; k < 2; k++) {
        random_spd(random, PATH_N, path->M[k]);
        random_matrix(random, PATH_N * PATH_RANK, path->A[k]);
        random_matrix(random, PATH_RANK * PATH_M, path->T[k]);
        random_matrix(random, PATH_N, path->b1[k]);
        random_matrix(random, PATH_RANK, path->c[k]);
    }
    memcpy(path->A_G, path->A, sizeof path->A);
    memcpy(path->T_G, path->T, sizeof path->T);
    for (int k = 0; k < 2 && friction; k++) {
        for (int i = 0; i < PATH_N * PATH_RANK; i++)
            path->A_G[k][i] += random_between(random, -0.2, 0.2);
        for (int i = 0; i < PATH_RANK * PATH_M; i++)
            path->T_G[k][i] += random_between(random, -0.2, 0.2);
    }
}

static void line(const double *x0, const double *x1, double e, int count, double *x)
{
    for (int i = 0; i < count; i++)
        x[i] = x0[i] + e * x1[i];
}

/* [K, b] at e: of constant rank, and b2 = T'c is consistent. Quadratic in e. */
static void path_system(const struct path *path, double e, double *K_and_b)
{
    enum { n = PATH_N, m = PATH_M, r = PATH_RANK };
    struct saddle s = {.n = n, .m = m};
    double A[n * r], T[r * m], Tt[m * r], Ct[n * m], c[r], *b = K_and_b + PATH * PATH;
    line(path->M[0], path->M[1], e, n * n, s.M);
    line(path->A_G[0], path->A_G[1], e, n * r, A);
    line(path->T_G[0], path->T_G[1], e, r * m, T);
    matrix_product(A, T, n, r, m, s.G);
    line(path->A[0], path->A[1], e, n * r, A);
    line(path->T[0], path->T[1], e, r * m, T);
    matrix_product(A, T, n, r, m, Ct);
    transpose(Ct, n, m, s.C);
    saddle_matrix(&s, K_and_b);
    line(path->b1[0], path->b1[1], e, n, b);
    line(path->c[0], path->c[1], e, r, c);
    transpose(T, r, m, Tt);
    matrix_product(Tt, c, m, r, 1, b + n);
}

/* K^+ b at e by SVD. */
static void path_solution(const struct path *path, double e, double *u)
{
    double K[PATH * PATH + PATH], X[PATH * PATH];
    path_system(path, e, K);
    pseudo_inverse(K, PATH, PATH_N + PATH_RANK, X);
    matrix_product(X, K + PATH * PATH, PATH, PATH, 1, u);
}

/* Derivative at e = 0 by differences of order 4; of what is quadratic in e, exact. */
static void difference_of(void (*f)(const struct path *, double, double *),
                          const struct path *path, double h, int count, double *df)
{
    static const double weight[] = {1, -8, 0, 8, -1};
    double value[PATH * PATH + PATH];
    for (int i = 0; i < count; i++)
        df[i] = 0;
    for (int k = -2; k <= 2; k++) {
        f(path, k * h, value);
        for (int i = 0; i < count; i++)
            df[i] += weight[k + 2] * value[i] / (12 * h);
    }
}

/* du = K^+ (db - dK u) + (I - K^+ K) dK' K^+' u; `frozen` is its first term. */
static void derivative(const struct path *path, double *frozen, double *du)
{
    double K[PATH * PATH + PATH], dK[PATH * PATH + PATH], dKt[PATH * PATH];
    double u[PATH], y[PATH], dKu[PATH], part[PATH];
    void *work = linear_minimum_norm.alloc(PATH_N, PATH_M);
    path_system(path, 0, K);
    difference_of(path_system, path, 0.1, PATH * PATH + PATH, dK);
    cr_assert_eq(linear_minimum_norm.factor(work, K), OK);
    solve_saddle(&linear_minimum_norm, work, K, PATH, K + PATH * PATH, u);
    matrix_product(dK, u, PATH, PATH, 1, dKu);
    for (int i = 0; i < PATH; i++)
        frozen[i] = dK[PATH * PATH + i] - dKu[i];
    linear_minimum_norm.solve(work, frozen);
    linear_minimum_norm.transposed(work, u, y);
    transpose(dK, PATH, PATH, dKt);
    matrix_product(dKt, y, PATH, PATH, 1, part);
    linear_minimum_norm.kernel_part(work, part);
    for (int i = 0; i < PATH; i++)
        du[i] = frozen[i] + part[i];
    linear_minimum_norm.release(work);
}

/* Where K is well conditioned; elsewhere the differences are what errs: their error is of
   order h^4, times the fifth power of the condition. */
Test(linear_redundant, the_derivative_needs_more_than_the_frozen_pseudo_inverse)
{
    struct random random = random_start();
    int judged = 0;
    double worst = 0, frozen_best = INFINITY;
    for (int k = 0; k < 200; k++) {
        double du[PATH], frozen[PATH], expected[PATH];
        double K[PATH * PATH + PATH], X[PATH * PATH];
        struct path path;
        random_path(&random, k % 2, &path);
        path_system(&path, 0, K);
        if (pseudo_inverse(K, PATH, PATH_N + PATH_RANK, X) > 20)
            continue;
        judged++;
        derivative(&path, frozen, du);
        difference_of(path_solution, &path, 2e-4, PATH, expected);
        double size = norm(expected, PATH), error = difference(du, expected, PATH) / size;
        cr_expect(difference(frozen, expected, PATH_N) < 1e-8 * size, "accelerations");
        worst = fmax(worst, error);
        frozen_best = fmin(frozen_best, difference(frozen, expected, PATH) / size);
    }
    fprintf(stderr, "%d derivatives: error at most %.1e; frozen, at least %.1e\n", judged,
            worst, frozen_best);
    cr_expect(judged > 20);
    cr_expect(worst < 1e-8, "seed %llu", random.seed);
    cr_expect(frozen_best > 1e-4, "seed %llu", random.seed);
}
