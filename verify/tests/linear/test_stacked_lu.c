/*
 * test_stacked_lu.c - matrices with the same places, factorised with the same pivots and
 * solved beside each other (formulations/linear/stacked_lu.c): each solution is as good
 * as rounding allows, by pivots that serve all matrices, or there are no factors.
 */
#include "base/memory.h"
#include "linear/stacked_lu.h"
#include "linear_systems.h"

enum { N = 20, MOST = 7, TRIALS = 20 };

/* About five entries in a row, one of them on the diagonal. `split`: none of the first
   half of the unknowns in the second half of the rows, which makes blocks. */
static void place_some(struct random *random, struct stacked_lu *lu, bool split)
{
    stacked_lu_init(lu, N, MOST);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (j == i
                || (random_below(random, N) < 4 && !(split && i >= N/2 && j < N/2)))
                sparse_place(&lu->K, i, j);
}

/* The largest |A x - b|_i of a matrix of `values` against eps (|A||x|)_i. */
static double backward_error(const struct sparse *A, const double *values,
                             const double *x, const double *b)
{
    double worst = 0;
    for (int i = 0; i < A->n; i++) {
        double left = -b[i], size = 0;
        for (int e = A->begin[i]; e < A->begin[i + 1]; e++) {
            left += values[e] * x[A->column[e]];
            size += fabs(values[e] * x[A->column[e]]);
        }
        worst = fmax(worst, fabs(left) / (DBL_EPSILON * size));
    }
    return worst;
}

/* The largest backward error of the solutions for all matrices and a random b. */
static double worst_of_all(struct random *random, const struct stacked_lu *lu, int count,
                           const double *values)
{
    int n = lu->K.n;
    double b[MOST * N], x[MOST * N], worst = 0;
    random_matrix(random, count * n, b);
    memcpy(x, b, sizeof x);
    stacked_lu_solve(lu, x);
    for (int i = 0; i < count; i++)
        worst = fmax(worst, backward_error(&lu->K, values + i * lu->K.count, x + i * n,
                                           b + i * n));
    return worst;
}

/* From 1 to 7 matrices, then others with the pivots of before. */
Test(stacked, solutions_are_as_good_as_rounding_allows)
{
    struct random random = random_start();
    for (int trial = 0; trial < TRIALS; trial++) {
        struct stacked_lu lu;
        place_some(&random, &lu, trial % 2 == 1);
        double *values = memory_new(MOST * lu.K.count, sizeof *values);
        for (int count = 1; count <= MOST; count++) {
            for (int i = 0; i < count; i++)
                for (int row = 0; row < N; row++)
                    for (int e = lu.K.begin[row]; e < lu.K.begin[row + 1]; e++)
                        values[i * lu.K.count + e] = random_between(&random, -1, 1)
                                                     + 4 * (lu.K.column[e] == row);
            cr_assert(stacked_lu_factor(&lu, count, values), "seed %llu", random.seed);
            double worst = worst_of_all(&random, &lu, count, values);
            cr_expect(worst < 1000, "seed %llu: %g", random.seed, worst);
        }
        free(values);
        stacked_lu_clear(&lu);
    }
}

static void place_two_by_two(struct stacked_lu *lu)
{
    stacked_lu_init(lu, 2, MOST);
    for (int k = 0; k < 4; k++)
        sparse_place(&lu->K, k / 2, k % 2);
}

/* The second matrix has no pivots on the diagonal, the first one has some elsewhere. */
Test(stacked, pivots_that_serve_all_are_found)
{
    const double values[] = {1, 0.5, 0.4, 1, 1e-14, 1, 1, 1e-14, 1, 0.9, 0.8, 1};
    struct random random = random_start();
    struct stacked_lu lu;
    place_two_by_two(&lu);
    for (int again = 0; again < 2; again++) {
        cr_assert(stacked_lu_factor(&lu, 3, values));
        double worst = worst_of_all(&random, &lu, 3, values);
        cr_expect(worst < 100, "seed %llu: %g", random.seed, worst);
    }
    stacked_lu_clear(&lu);
}

/* No pivots serve both matrices; one is singular; an entry is not finite. And what came
   before does not matter. */
Test(stacked, what_has_no_common_factors_is_refused)
{
    const double values[][8] = {{1, 0, 0, 1, 0, 1, 1, 0},
                                {1, 0.5, 0.4, 1, 1, 2, 2, 4},
                                {1, 0.5, 0.4, 1, 1, NAN, 0.5, 1}};
    const double sound[] = {1, 0.5, 0.4, 1, 1, 0.9, 0.8, 1};
    struct random random = random_start();
    struct stacked_lu lu;
    place_two_by_two(&lu);
    for (int k = 0; k < 3; k++) {
        cr_expect_not(stacked_lu_factor(&lu, 2, values[k]), "%d", k);
        cr_assert(stacked_lu_factor(&lu, 2, sound), "%d", k);
        double worst = worst_of_all(&random, &lu, 2, sound);
        cr_expect(worst < 100, "%d, seed %llu: %g", k, random.seed, worst);
    }
    stacked_lu_clear(&lu);
}
