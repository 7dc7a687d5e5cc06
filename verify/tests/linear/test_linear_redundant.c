/*
 * test_linear_redundant.c - multipliers of least norm where constraints are redundant;
 * the "non-ideal" force of Mukharlyamov and Deressa. Judged by the singular value
 * decomposition, which formulations/linear does not use.
 */
#include "linear_systems.h"

/* K has n + rank of C singular values that are not zero. */
struct redundant {
    struct saddle s;
    int N, rank;
    double K[MOST_ENTRIES], X[MOST_ENTRIES], condition;     /* X = K^+ by SVD */
    void *work;
};

/* A [n][rank] T [rank][m] */
static void product_of_rank(struct random *random, int n, int rank, int m, double change,
                            double *A, double *T, double *G)
{
    for (int k = 0; k < n * rank; k++)
        A[k] += change * random_between(random, -1, 1);
    for (int k = 0; k < rank * m; k++)
        T[k] += change * random_between(random, -1, 1);
    matrix_product(A, T, n, rank, m, G);
}

/* C = (A T)': rows that repeat or combine `rank` of them. With friction G is near C', and
   of the same rank, but of another range and with another kernel. */
static void draw(struct random *random, struct redundant *r, bool friction)
{
    int n = r->s.n, m = r->s.m;
    double A[MOST_ENTRIES] = {0}, T[MOST_ENTRIES] = {0}, Ct[MOST_ENTRIES];
    random_spd(random, n, r->s.M);
    product_of_rank(random, n, r->rank, m, 1, A, T, Ct);
    transpose(Ct, n, m, r->s.C);
    product_of_rank(random, n, r->rank, m, friction ? 0.2 : 0, A, T, r->s.G);
    saddle_matrix(&r->s, r->K);
    r->condition = pseudo_inverse(r->K, r->N, n + r->rank, r->X);
}

/* Whether a matrix nearly of smaller rank is one is another question: not these. */
static struct redundant begin(struct random *random, int n, int m, int rank,
                              bool friction)
{
    struct redundant r = {.s = {.n = n, .m = m}, .N = n + m, .rank = rank};
    do
        draw(random, &r, friction);
    while (r.condition > 1e4);
    r.work = linear_minimum_norm.alloc(n, m);
    cr_assert_eq(linear_minimum_norm.factor(r.work, r.K), OK, "seed %llu, %d, %d, %d",
                 random->seed, n, m, rank);
    cr_assert_eq(linear_minimum_norm.rank(r.work), rank);
    return r;
}

static void end(struct redundant *r)
{
    linear_minimum_norm.release(r->work);
}

static struct redundant begin_random(struct random *random, int k)
{
    int n = 1 + random_below(random, 10), rank = random_below(random, n + 1);
    int m = rank + 1 + random_below(random, 4);
    return begin(random, n, m, rank, k % 2);
}

/* What rounding may make of something of this size in K^+ b. */
static double rounding(const struct redundant *r, double size)
{
    return 20 * DBL_EPSILON * r->condition * size;
}

/* --- K^+ ---------------------------------------------------------------------------- */

static void expect_least(const struct redundant *r, struct random *random,
                         const double *b, const double *x)
{
    int n = r->s.n, m = r->s.m, N = r->N;
    double kernel[MOST_ROWS], Kx[MOST_ROWS], other[MOST_ROWS];
    random_matrix(random, N, kernel);
    linear_minimum_norm.kernel_part(r->work, kernel);
    cr_expect_eq(norm(kernel, n), 0);
    cr_expect(norm(kernel + n, m) > 0);

    /* Another solution with the same accelerations; the multipliers are larger, because
       those of x are orthogonal to the difference. */
    for (int i = 0; i < N; i++)
        other[i] = x[i] + kernel[i];
    matrix_product(r->K, other, N, N, 1, Kx);
    cr_expect(difference(Kx, b, N) < rounding(r, norm(b, N) + norm(kernel, N)));
    double product = 0;
    for (int i = 0; i < m; i++)
        product += x[n + i] * kernel[n + i];
    cr_expect(fabs(product) <= rounding(r, norm(x, N) * norm(kernel, N)));
}

Test(linear_redundant, the_solution_has_the_unique_accelerations_and_least_multipliers)
{
    struct random random = random_start();
    for (int k = 0; k < 400; k++) {
        struct redundant r = begin_random(&random, k);
        double any[MOST_ROWS], b[MOST_ROWS], x[MOST_ROWS], svd[MOST_ROWS], Kx[MOST_ROWS];
        random_matrix(&random, r.N, any);
        matrix_product(r.K, any, r.N, r.N, 1, b);       /* consistent */
        solve_saddle(&linear_minimum_norm, r.work, r.K, r.N, b, x);
        matrix_product(r.X, b, r.N, r.N, 1, svd);
        matrix_product(r.K, x, r.N, r.N, 1, Kx);
        cr_expect(difference(Kx, b, r.N) < rounding(&r, norm(b, r.N)));
        cr_expect(difference(x, any, r.s.n) < rounding(&r, norm(x, r.N)));
        cr_expect(difference(x, svd, r.N) < rounding(&r, norm(x, r.N)),
                  "seed %llu, k = %d: %g", random.seed, k, difference(x, svd, r.N));
        expect_least(&r, &random, b, x);
        end(&r);
    }
}

/* Column j of K^+, or of its transpose. */
static void explicit_inverse(const struct redundant *r, bool transposed, double *X)
{
    int N = r->N;
    for (int j = 0; j < N; j++) {
        double unit[MOST_ROWS] = {0}, x[MOST_ROWS];
        unit[j] = 1;
        if (transposed)
            linear_minimum_norm.transposed(r->work, unit, x);
        else
            solve_saddle(&linear_minimum_norm, r->work, r->K, N, unit, x);
        for (int i = 0; i < N; i++)
            X[transposed ? j * N + i : i * N + j] = x[i];
    }
}

static double asymmetry(const double *A, int N)
{
    double T[MOST_ENTRIES];
    transpose(A, N, N, T);
    return difference(A, T, N * N);
}

/* Penrose 1955: K X K = K, X K X = X, K X and X K symmetric. One matrix has all four. */
Test(linear_redundant, the_four_conditions_of_penrose_hold)
{
    struct random random = random_start();
    for (int k = 0; k < 200; k++) {
        struct redundant r = begin_random(&random, k);
        int N = r.N;
        double X[MOST_ENTRIES], Y[MOST_ENTRIES], KX[MOST_ENTRIES], XK[MOST_ENTRIES];
        double product[MOST_ENTRIES];
        explicit_inverse(&r, false, X);
        explicit_inverse(&r, true, Y);
        double size = norm(X, N * N), tolerance = rounding(&r, norm(r.K, N * N) * size);
        matrix_product(r.K, X, N, N, N, KX);
        matrix_product(X, r.K, N, N, N, XK);
        cr_expect(asymmetry(KX, N) < tolerance);
        cr_expect(asymmetry(XK, N) < tolerance);
        matrix_product(KX, r.K, N, N, N, product);
        cr_expect(difference(product, r.K, N * N) < tolerance * norm(r.K, N * N));
        matrix_product(XK, X, N, N, N, product);
        cr_expect(difference(product, X, N * N) < tolerance * size);
        cr_expect(difference(Y, X, N * N) < rounding(&r, size), "transposed");
        cr_expect(difference(r.X, X, N * N) < rounding(&r, size), "by SVD");
        end(&r);
    }
}

/* I - K^+ K, with K^+ by SVD. */
Test(linear_redundant, the_kernel_part_is_the_projection_onto_the_kernel)
{
    struct random random = random_start();
    for (int k = 0; k < 200; k++) {
        struct redundant r = begin_random(&random, k);
        double x[MOST_ROWS], Kx[MOST_ROWS], part[MOST_ROWS], expected[MOST_ROWS];
        random_matrix(&random, r.N, x);
        matrix_product(r.K, x, r.N, r.N, 1, Kx);
        matrix_product(r.X, Kx, r.N, r.N, 1, part);
        for (int i = 0; i < r.N; i++)
            expected[i] = x[i] - part[i];
        linear_minimum_norm.kernel_part(r.work, x);
        cr_expect(difference(x, expected, r.N) < rounding(&r, norm(part, r.N)));
        end(&r);
    }
}

/* --- units and refusals ------------------------------------------------------------- */

/* Another norm of lambda is least then, but neither the rank nor what is determined,
   accelerations and constraint forces, may change. The forces are then carried by other
   rows, whose condition is not that of K. */
Test(linear_redundant, units_of_constraints_change_nothing_that_is_determined)
{
    struct random random = random_start();
    for (int k = 0; k < 400; k++) {
        struct redundant r = begin_random(&random, k);
        int n = r.s.n, m = r.s.m, N = r.N;
        double any[MOST_ROWS], b[MOST_ROWS], x[MOST_ROWS], force[MOST_ROWS];
        double y[MOST_ROWS], again[MOST_ROWS], unit[MOST_ROWS];
        random_matrix(&random, N, any);
        matrix_product(r.K, any, N, N, 1, b);
        solve_saddle(&linear_minimum_norm, r.work, r.K, N, b, x);
        matrix_product(r.s.G, x + n, n, m, 1, force);
        for (int i = 0; i < m; i++) {
            unit[i] = pow(10, random_between(&random, -4, 4));
            b[n + i] *= unit[i];
        }
        change_units(&r.s, unit);
        saddle_matrix(&r.s, r.K);
        cr_assert_eq(linear_minimum_norm.factor(r.work, r.K), OK);
        cr_expect_eq(linear_minimum_norm.rank(r.work), r.rank);
        solve_saddle(&linear_minimum_norm, r.work, r.K, N, b, y);
        matrix_product(r.s.G, y + n, n, m, 1, again);
        double tolerance = 1e-9 * (norm(x, N) + norm(force, n));
        cr_expect(difference(x, y, n) < tolerance, "seed %llu, k = %d", random.seed, k);
        cr_expect(difference(force, again, n) < tolerance);
        end(&r);
    }
}

/* Friction by lambda_0 alone, which its constraint shares with another one: the motion
   depends on who carries the force. */
Test(linear_redundant, friction_that_depends_on_the_distribution_is_singular)
{
    struct random random = random_start();
    struct redundant r = begin(&random, 6, 4, 3, false);
    cr_expect_eq(factor_once(&linear_minimum_norm, &r.s), OK);
    for (int j = 0; j < 6; j++)
        r.s.G[j * 4] += random_between(&random, -0.1, 0.1);
    cr_expect_eq(factor_once(&linear_minimum_norm, &r.s), SINGULAR);
    end(&r);
}

/* No inertia along a kernel vector of C. */
Test(linear_redundant, accelerations_that_are_not_determined_are_singular)
{
    struct random random = random_start();
    struct redundant r = begin(&random, 6, 4, 3, false);
    for (int j = 0; j < 6; j++)
        r.s.M[6 * j + 2] = r.s.M[12 + j] = 0;
    for (int i = 0; i < 4; i++)
        r.s.C[6 * i + 2] = r.s.G[8 + i] = 0;
    cr_expect_eq(factor_once(&linear_minimum_norm, &r.s), SINGULAR);
    end(&r);
}

Test(linear_redundant, with_alpha_redundant_constraints_are_solved_as_by_lu)
{
    struct random random = random_start();
    struct redundant r = begin(&random, 6, 4, 3, false);
    double b[MOST_ROWS], x[MOST_ROWS], y[MOST_ROWS];
    void *lu = linear_lu.alloc(6, 4);
    random_spd(&random, 4, r.s.D);
    saddle_matrix(&r.s, r.K);
    random_matrix(&random, 10, b);
    cr_assert_eq(linear_minimum_norm.factor(r.work, r.K), OK);
    cr_assert_eq(linear_lu.factor(lu, r.K), OK);
    solve_saddle(&linear_minimum_norm, r.work, r.K, 10, b, x);
    solve_saddle(&linear_lu, lu, r.K, 10, b, y);
    cr_expect_eq(difference(x, y, 10), 0);
    cr_expect_eq(linear_minimum_norm.rank(r.work), 3);
    linear_minimum_norm.kernel_part(r.work, x);
    cr_expect_eq(norm(x, 10), 0);
    linear_lu.release(lu);
    end(&r);
}

/* --- Mukharlyamov, Deressa 2014 ----------------------------------------------------- */

/* A = Phi_q M^-1 Phi_q' of four constraints: the third repeats the first, the fourth
   combines the first two. */
enum { COORDINATES = 6, CONSTRAINTS = 4 };

struct model_of_four {
    struct saddle s;
    double inverse_M[COORDINATES * COORDINATES], A[CONSTRAINTS * CONSTRAINTS];
    double A_plus[CONSTRAINTS * CONSTRAINTS], condition;
};

static struct model_of_four random_model_of_four(struct random *random)
{
    enum { n = COORDINATES, m = CONSTRAINTS };
    struct model_of_four model = {.s = random_saddle(random, n, m)};
    struct saddle *s = &model.s;
    double product[n * m];
    for (int j = 0; j < n; j++) {
        s->C[2 * n + j] = s->C[j];
        s->C[3 * n + j] = 0.3 * s->C[j] - 0.7 * s->C[n + j];
    }
    transpose(s->C, m, n, s->G);
    pseudo_inverse(s->M, n, n, model.inverse_M);
    matrix_product(model.inverse_M, s->G, n, n, m, product);
    matrix_product(s->C, product, m, n, m, model.A);
    model.condition = pseudo_inverse(model.A, m, 2, model.A_plus);
    return model;
}

/* (I - A^+ A) u */
static void undetermined_part(const struct model_of_four *model, const double *u,
                              double *v)
{
    double Au[CONSTRAINTS], part[CONSTRAINTS];
    matrix_product(model->A, u, CONSTRAINTS, CONSTRAINTS, 1, Au);
    matrix_product(model->A_plus, Au, CONSTRAINTS, CONSTRAINTS, 1, part);
    for (int i = 0; i < CONSTRAINTS; i++)
        v[i] = u[i] - part[i];
}

/* (11) is said to hold for ideal constraints, (13) to be the force of the others. For M
   positive definite the kernel of A is that of Phi_q': u is there, its force is not. */
Test(linear_redundant, the_non_ideal_force_of_redundant_constraints_vanishes)
{
    struct random random = random_start();
    double most = 0, least = INFINITY;
    for (int k = 0; k < 200; k++) {
        struct model_of_four model = random_model_of_four(&random);
        double u[CONSTRAINTS], v[CONSTRAINTS], force[COORDINATES];
        random_matrix(&random, CONSTRAINTS, u);
        undetermined_part(&model, u, v);
        matrix_product(model.s.G, v, COORDINATES, CONSTRAINTS, 1, force);
        double size = norm(model.s.G, COORDINATES * CONSTRAINTS) * norm(u, CONSTRAINTS);
        most = fmax(most, norm(force, COORDINATES) / (size * model.condition));
        least = fmin(least, norm(v, CONSTRAINTS) / norm(u, CONSTRAINTS));
    }
    fprintf(stderr, "(13): at most %.1e of Phi_q' u; (11): at least %.1e of u\n", most,
            least);
    cr_expect(most < 10 * DBL_EPSILON, "seed %llu", random.seed);
    cr_expect(least > 1e-3, "seed %llu", random.seed);
}

/* (6) without its free part, lambda = A^+ (Phi_q M^-1 Q - xi), against K^+ (Q, xi). */
Test(linear_redundant, the_multipliers_are_those_of_the_pseudo_inverse_of_A)
{
    enum { n = COORDINATES, m = CONSTRAINTS };
    struct random random = random_start();
    for (int k = 0; k < 200; k++) {
        struct model_of_four model = random_model_of_four(&random);
        double K[MOST_ENTRIES], any[n], b[n + m], x[n + m], a_free[n], left[m], lambda[m];
        void *work = linear_minimum_norm.alloc(n, m);
        random_matrix(&random, n, b);
        random_matrix(&random, n, any);
        matrix_product(model.s.C, any, m, n, 1, b + n);
        matrix_product(model.inverse_M, b, n, n, 1, a_free);
        matrix_product(model.s.C, a_free, m, n, 1, left);
        for (int i = 0; i < m; i++)
            left[i] -= b[n + i];
        matrix_product(model.A_plus, left, m, m, 1, lambda);
        saddle_matrix(&model.s, K);
        cr_assert_eq(linear_minimum_norm.factor(work, K), OK);
        solve_saddle(&linear_minimum_norm, work, K, n + m, b, x);
        double size = norm(model.A_plus, m * m) * norm(model.s.C, m * n) *
                      (norm(a_free, n) + norm(any, n));
        cr_expect(difference(lambda, x + n, m) <
                      20 * DBL_EPSILON * model.condition * size,
                  "seed %llu: %g", random.seed, difference(lambda, x + n, m) / size);
        linear_minimum_norm.release(work);
    }
}
