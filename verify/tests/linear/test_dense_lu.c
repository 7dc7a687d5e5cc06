/*
 * test_dense_lu.c - formulations/linear/dense_lu.c: sparse and full matrices in any units
 * are solved as well as rounding allows, both ways round; what cannot be solved is not.
 */
#include "linear/dense_lu.h"
#include "linear_systems.h"

static const int sizes[] = {1, 2, 5, 12, 40};
enum { SIZES = sizeof sizes / sizeof *sizes, TRIALS = 40 };

/* About four entries in a row and one on a diagonal of its own, so that the matrix is
   regular; or full. */
static void random_sparse(struct random *random, int n, bool full, double *A)
{
    int shift = random_below(random, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            bool own = j == (i + shift) % n;
            bool there = full || own || random_below(random, n) < 3;
            A[i * n + j] = there ? random_between(random, -1, 1) + 3 * own : 0;
        }
}

static void change_units_of_all(struct random *random, int n, double *A)
{
    double row[MOST_ROWS], column[MOST_ROWS];
    for (int i = 0; i < n; i++) {
        row[i] = pow(10, random_between(random, -8, 8));
        column[i] = pow(10, random_between(random, -8, 8));
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] *= row[i] * column[j];
}

/* The largest |A x - b|_i against eps (|A||x|)_i. */
static double backward_error(const double *A, int n, const double *x, const double *b)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double left = -b[i], size = 0;
        for (int j = 0; j < n; j++) {
            left += A[i * n + j] * x[j];
            size += fabs(A[i * n + j] * x[j]);
        }
        worst = fmax(worst, fabs(left) / (DBL_EPSILON * size));
    }
    return worst;
}

static double worst_of(struct random *random, int n, bool full, bool units)
{
    double A[MOST_ENTRIES], T[MOST_ENTRIES], b[MOST_ROWS], x[MOST_ROWS], worst = 0;
    struct dense_lu factor;
    dense_lu_init(&factor, n);
    for (int trial = 0; trial < TRIALS; trial++) {
        random_sparse(random, n, full, A);
        if (units)
            change_units_of_all(random, n, A);
        transpose(A, n, n, T);
        random_matrix(random, n, b);
        cr_assert(dense_lu_matrix(&factor, A), "seed %llu, n = %d", random->seed, n);
        memcpy(x, b, sizeof x);
        dense_lu_solve(&factor, x);
        worst = fmax(worst, backward_error(A, n, x, b));
        memcpy(x, b, sizeof x);
        dense_lu_solve_transposed(&factor, x);
        worst = fmax(worst, backward_error(T, n, x, b));
    }
    dense_lu_clear(&factor);
    return worst;
}

/* Elimination multiplies rounding by what multiples of other rows are against a row: with
   equal units 7 of it was the most that was met with any of 200 seeds. */
Test(factor, solutions_are_as_good_as_rounding_allows_both_ways_round)
{
    struct random random = random_start();
    for (int k = 0; k < SIZES; k++)
        for (int full = 0; full < 2; full++) {
            double worst = worst_of(&random, sizes[k], full, false);
            cr_expect(worst < 40, "seed %llu, n = %d, full = %d: %g", random.seed,
                      sizes[k], full, worst);
        }
}

/* Refused or not does not depend on units: random_sparse is never refused. */
Test(factor, units_of_rows_and_columns_do_not_matter)
{
    struct random random = random_start();
    for (int k = 0; k < SIZES; k++)
        worst_of(&random, sizes[k], k % 2, true);
}

Test(factor, columns_with_the_fewest_entries_come_first)
{
    const double A[9] = {1, 2, 0, 4, 0, 3, 5, 0, 6};
    struct dense_lu factor;
    dense_lu_init(&factor, 3);
    cr_assert(dense_lu_matrix(&factor, A));
    cr_expect_eq(factor.order[0], 1);
    cr_expect_eq(factor.order[1], 2);
    cr_expect_eq(factor.order[2], 0);
    dense_lu_clear(&factor);
}

/* Row 2 is row 0 + row 1 to rounding; column 1 is empty; an entry is not finite, wherever
   it stands. */
Test(factor, what_has_no_solution_is_refused)
{
    const double dependent[9] = {0.1, 0.7, 0, 0.2, 0, 0.3, 0.1 + 0.2, 0.7, 0.3};
    const double empty[9] = {1, 0, 2, 3, 0, 4, 5, 0, 7};
    struct dense_lu factor;
    dense_lu_init(&factor, 3);
    cr_expect_not(dense_lu_matrix(&factor, dependent));
    cr_expect_not(dense_lu_matrix(&factor, empty));
    for (int k = 0; k < 18; k++) {
        double A[9] = {4, 1, 0, 1, 4, 1, 0, 1, 4};
        cr_assert(dense_lu_matrix(&factor, A));
        A[k % 9] = k < 9 ? NAN : INFINITY;
        cr_expect_not(dense_lu_matrix(&factor, A), "entry %d", k % 9);
    }
    dense_lu_clear(&factor);
}

Test(factor, a_system_without_unknowns_has_a_solution)
{
    struct dense_lu factor;
    dense_lu_init(&factor, 0);
    cr_expect(dense_lu_matrix(&factor, NULL));
    dense_lu_solve(&factor, NULL);
    dense_lu_solve_transposed(&factor, NULL);
    dense_lu_clear(&factor);
}
