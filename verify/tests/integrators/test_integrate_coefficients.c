/*
 * test_integrate_coefficients.c - dop853.def, rk87.def and verner98.def against the order
 * conditions (HNW II.2).
 *
 * The tables are read once more and in long double, so that a wrong 17th digit shows.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { STAGES = 26, TERMS = 10, LARGEST_TREE = 10 };

static struct table {
    const char *name;
    int solution;               /* stage that is the solution */
    int order, extension;       /* orders of the solution and of the extension */
    long double a[STAGES][STAGES], c[STAGES], wrong[2][STAGES], extra[TERMS][STAGES];
} dop853 = {.name = "dop853", .solution = 12, .order = 8, .extension = 7},
  rk87 = {.name = "rk87", .solution = 13, .order = 8, .extension = 7},
  verner98 = {.name = "verner98", .solution = 16, .order = 9, .extension = 9};

#define TERM(j, value) row[j] += value##L;
#define RATIO(j, p, q) row[j] += (long double)p/q;
#define DIFFERENCE(j, p, q, r, s) row[j] += (long double)p/q - (long double)r/s;
static void read_coefficients(void)
{
    long double *row = NULL;

#define STAGE(i, c_i, ...) dop853.c[i] = c_i##L; row = dop853.a[i]; __VA_ARGS__
#define ERROR(i, ...) row = dop853.wrong[i]; __VA_ARGS__
#define DENSE(i, ...) row = dop853.extra[i]; __VA_ARGS__
#include "integrators/dop853.def"

#define TERM(j, value) row[j] += value##L;
#define RATIO(j, p, q) row[j] += (long double)p/q;
#define DIFFERENCE(j, p, q, r, s) row[j] += (long double)p/q - (long double)r/s;
    /* Its nodes are ratios, in double; no condition needs them. */
#define STAGE(i, c_i, ...) rk87.c[i] = c_i; row = rk87.a[i]; __VA_ARGS__
#define ERROR(i, ...) row = rk87.wrong[i]; __VA_ARGS__
#define DENSE(i, ...) row = rk87.extra[i]; __VA_ARGS__
#include "integrators/rk87.def"

#define TERM(j, value) row[j] += value##L;
#define STAGE(i, c_i, ...) verner98.c[i] = c_i##L; row = verner98.a[i]; __VA_ARGS__
#define ERROR(i, ...) row = verner98.wrong[i]; __VA_ARGS__
#define DENSE(i, ...) row = verner98.extra[i]; __VA_ARGS__
#include "integrators/verner98.def"
}

/*
 * A rooted tree as levels in preorder, the root at 0. The next one of the same size:
 * Beyer and Hedetniemi, SIAM J. Comput. 9 (1980).
 */
static bool next_tree(int size, int *level)
{
    int p = size - 1, q;

    while (p > 0 && level[p] <= 1)
        p--;
    if (p <= 0)
        return false;
    for (q = p - 1; level[q] != level[p] - 1; q--)
        ;
    for (int i = p; i < size; i++)
        level[i] = level[i - (p - q)];
    return true;
}

/* sum_i b_i Phi_i - power/gamma of one tree (HNW II.2); *total: the magnitudes of the
   terms added up. */
static long double residual(const struct table *table, int size, const int *level,
                            const long double *b, long double power, long double *total)
{
    long double phi[LARGEST_TREE][STAGES], sum = 0, gamma = 1;
    int weight[LARGEST_TREE];

    for (int k = 0; k < size; k++) {
        weight[k] = 1;
        for (int i = 0; i < STAGES; i++)
            phi[k][i] = 1;
    }
    for (int k = size - 1; k >= 0; k--) {
        int parent = k - 1;

        gamma *= weight[k];
        if (k == 0)
            break;
        while (level[parent] != level[k] - 1)
            parent--;
        weight[parent] += weight[k];
        for (int i = 0; i < STAGES; i++) {
            long double stage = 0;

            for (int j = 0; j < i; j++)
                stage += table->a[i][j]*phi[k][j];
            phi[parent][i] *= stage;
        }
    }
    *total = 0;
    for (int i = 0; i < STAGES; i++) {
        sum += b[i]*phi[0][i];
        *total += fabsl(b[i]*phi[0][i]);
    }
    return sum - power/gamma;
}

/* Worst residual, in units of the terms, over the trees of one size; power/gamma is
   what b should give. */
static long double worst_of(const struct table *table, int size, const long double *b,
                            long double power, int *trees)
{
    int level[LARGEST_TREE];
    long double worst = 0, total;

    for (int i = 0; i < size; i++)
        level[i] = i;
    do {
        long double left = residual(table, size, level, b, power, &total);

        worst = fmaxl(worst, fabsl(left)/fmaxl(1, total));
        if (trees)
            ++*trees;
    } while (next_tree(size, level));
    return worst;
}

/* b integrates to theta, not to 1. */
static long double worst_residual(const struct table *table, int size,
                                  const long double *b, long double theta, int *trees)
{
    return worst_of(table, size, b, powl(theta, size), trees);
}

/* How many permutations of equal branches a tree has; those of a vertex are side by
   side. */
static long double symmetry(int size, const int *level)
{
    long double sigma = 1;

    for (int k = 0; k < size; k++) {
        int before = -1, length = 0, equal = 1;

        for (int i = k + 1, end; i < size && level[i] > level[k]; i = end) {
            for (end = i + 1; end < size && level[end] > level[i]; end++)
                ;
            bool same = before >= 0 && length == end - i &&
                        memcmp(level + before, level + i,
                               (size_t)length*sizeof *level) == 0;

            equal = same ? equal + 1 : 1;
            sigma *= equal;
            before = i;
            length = end - i;
        }
    }
    return sigma;
}

/* The coefficients of the error of h^size, all trees together (HNW II.3, (3.2)). */
static double error_coefficients(const struct table *table, int size)
{
    const long double *b = table->a[table->solution];
    int level[LARGEST_TREE];
    long double square = 0, total;

    for (int i = 0; i < size; i++)
        level[i] = i;
    do {
        long double left = residual(table, size, level, b, 1, &total);

        square += powl(left/symmetry(size, level), 2);
    } while (next_tree(size, level));
    return (double)sqrtl(square);
}

TestSuite(integrate_coefficients, .init = read_coefficients);

/* Those of rk87 are known to a double only. */
Test(integrate_coefficients, rows_sum_to_their_nodes)
{
    for (int i = 0; i < STAGES; i++) {
        long double sum[3] = { 0, 0, 0 };

        for (int j = 0; j < i; j++) {
            sum[0] += dop853.a[i][j];
            sum[1] += rk87.a[i][j];
            sum[2] += verner98.a[i][j];
        }
        cr_assert_lt(fabsl(sum[0] - dop853.c[i]), 1e-17L, "row %d", i);
        cr_assert_lt(fabsl(sum[1] - rk87.c[i]), 1e-16L, "row %d", i);
        cr_assert_lt(fabsl(sum[2] - verner98.c[i]), 1e-17L, "row %d", i);
    }
}

static const int trees_up_to[] = {0, 1, 2, 4, 8, 17, 37, 85, 200, 486};

static void check_order(const struct table *table)
{
    const long double *b = table->a[table->solution];
    int trees = 0;

    for (int size = 1; size <= table->order; size++)
        cr_assert_lt(worst_residual(table, size, b, 1, &trees), 1e-16L, "%s: %d",
                     table->name, size);
    cr_assert_eq(trees, trees_up_to[table->order]);
    /* The next order must fail, or the test tests nothing. */
    cr_assert_gt(worst_residual(table, table->order + 1, b, 1, NULL), 1e-7L);
}

Test(integrate_coefficients, they_satisfy_all_conditions_of_their_order_and_no_more)
{
    check_order(&dop853);
    check_order(&rk87);
    check_order(&verner98);
}

/* 4.5e-6: Prince and Dormand 1981. 3.49e-7 is in the name of Verner's table. */
Test(integrate_coefficients, their_error_coefficients_are_the_published_ones)
{
    cr_expect_float_eq(error_coefficients(&rk87, 9), 4.5e-6, 0.05e-6);
    cr_expect_float_eq(error_coefficients(&verner98, 10), 3.49e-7, 0.005e-7);
}

static void check_embedded(const struct table *table, int e, int order)
{
    long double b[STAGES];

    for (int i = 0; i < STAGES; i++)
        b[i] = table->a[table->solution][i] - table->wrong[e][i];
    for (int size = 1; size <= order; size++)
        cr_assert_lt(worst_residual(table, size, b, 1, NULL), 1e-16L, "%s, %d: %d",
                     table->name, e, size);
    cr_assert_gt(worst_residual(table, order + 1, b, 1, NULL), 1e-5L);
}

Test(integrate_coefficients, embedded_weights_have_orders_5_3_and_7_and_8_exactly)
{
    check_embedded(&dop853, 0, 5);
    check_embedded(&dop853, 1, 3);
    check_embedded(&rk87, 0, 7);
    check_embedded(&verner98, 0, 8);
}

/* Weights of p(theta): the nested form, applied to the weights of c_0, c_1, ... */
static void dense_weights(const struct table *table, long double theta,
                          long double *weight)
{
    for (int i = 0; i < STAGES; i++) {
        long double rise = table->a[table->solution][i];
        long double first = i == 0, last = i == table->solution;
        long double row[TERMS] = { 0, rise, first - rise, rise - last - (first - rise) };

        for (int k = 4; k < TERMS; k++)
            row[k] = table->extra[k][i];
        weight[i] = row[TERMS - 1];
        for (int k = TERMS - 1; k > 0; k--)
            weight[i] = row[k - 1] + (k % 2 ? theta : 1 - theta)*weight[i];
    }
}

static void check_extension(const struct table *table)
{
    int trees = 0;

    for (int k = 0; k <= 10; k++) {
        long double theta = k/10.0L, weight[STAGES];

        dense_weights(table, theta, weight);
        for (int size = 1; size <= table->extension; size++)
            cr_assert_lt(worst_residual(table, size, weight, theta, k ? NULL : &trees),
                         1e-16L, "%s: order %d at %Lg", table->name, size, theta);
        if (k == 3)
            cr_assert_gt(worst_residual(table, table->extension + 1, weight, theta, NULL),
                         1e-8L);
    }
    cr_assert_eq(trees, trees_up_to[table->extension]);
}

Test(integrate_coefficients, their_extensions_satisfy_all_conditions_of_orders_7_and_9)
{
    check_extension(&dop853);
    check_extension(&rk87);
    check_extension(&verner98);
}
