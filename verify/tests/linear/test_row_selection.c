/*
 * test_row_selection.c - independent rows of matrices, and systems with more equations
 * than unknowns that agree.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linear/overdetermined.h"
#include "linear/row_selection.h"

enum { ROWS = 7, COLUMNS = 5, TRIALS = 2000 };

static double uniform(void)
{
    return 2 * (rand() / (double)RAND_MAX) - 1;
}

static void begin_random(void)
{
    unsigned seed = 20240607;
    printf("seed %u\n", seed);
    srand(seed);
}

/* A sum of `rank` products of random vectors, rows and columns in any units. */
static void random_matrix(int rank, double *A)
{
    memset(A, 0, ROWS * COLUMNS * sizeof *A);
    for (int k = 0; k < rank; k++) {
        double left[ROWS], right[COLUMNS];
        for (int i = 0; i < ROWS; i++)
            left[i] = uniform();
        for (int j = 0; j < COLUMNS; j++)
            right[j] = uniform();
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                A[i * COLUMNS + j] += left[i] * right[j];
    }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            A[i * COLUMNS + j] *= pow(10, i - 3) * pow(1e3, j - 2);
}

/* The rank is that of the matrix, and that of the chosen rows alone. */
Test(independent, as_many_rows_are_chosen_as_the_matrix_has_rank)
{
    struct row_selection whole, part;
    row_selection_init(&whole, ROWS, COLUMNS);
    begin_random();
    for (int trial = 0; trial < TRIALS; trial++) {
        double A[ROWS * COLUMNS], chosen[ROWS * COLUMNS];
        int rank = trial % (COLUMNS + 1);
        random_matrix(rank, A);
        int found = row_selection_rows(&whole, A, NULL);
        cr_assert_eq(found, rank, "trial %d: rank %d, not %d", trial, found, rank);
        for (int k = 0; k + 1 < ROWS; k++)
            if (k + 1 != rank)
                cr_assert_lt(whole.row[k], whole.row[k + 1]);
        for (int k = 0; k < rank; k++)
            memcpy(chosen + k * COLUMNS, A + whole.row[k] * COLUMNS,
                   COLUMNS * sizeof *A);
        row_selection_init(&part, rank, COLUMNS);
        cr_assert_eq(row_selection_rows(&part, chosen, NULL), rank);
        row_selection_clear(&part);
    }
    row_selection_clear(&whole);
}

/* A row of which 1e-8 is left is neither. */
Test(independent, rows_may_be_too_near_to_tell)
{
    struct row_selection independent;
    double A[] = {0, 0, 1, 2, 5, 10, 1, 2 + 1e-12};
    row_selection_init(&independent, 4, 2);
    cr_expect_eq(row_selection_rows(&independent, A, NULL), 1);
    cr_expect(independent.decided);
    A[7] = 2 + 1e-8;
    row_selection_rows(&independent, A, NULL);
    cr_expect_not(independent.decided);
    A[7] = 2 + 1e-4;
    cr_expect_eq(row_selection_rows(&independent, A, NULL), 2);
    cr_expect(independent.decided);
    cr_expect_neq(independent.row[0], 0);
    row_selection_clear(&independent);
}

Test(independent, a_right_side_is_in_the_range_or_not)
{
    begin_random();
    for (int trial = 0; trial < TRIALS; trial++) {
        double A[ROWS * COLUMNS], b[ROWS] = {0};
        random_matrix(1 + trial % COLUMNS, A);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                b[i] += 1e5 * A[i * COLUMNS + j] * cos(trial + j);
        cr_assert(row_selection_solvable(A, b, ROWS, COLUMNS), "trial %d", trial);
        b[trial % ROWS] *= 1.01;
        cr_assert_not(row_selection_solvable(A, b, ROWS, COLUMNS), "trial %d", trial);
    }
}

/* Nothing is chosen of nothing. */
Test(independent, matrices_may_be_empty)
{
    struct row_selection independent;
    const double A[1] = {0};
    row_selection_init(&independent, 0, 3);
    cr_expect_eq(row_selection_rows(&independent, A, NULL), 0);
    row_selection_clear(&independent);
    row_selection_init(&independent, 3, 0);
    cr_expect_eq(row_selection_rows(&independent, A, NULL), 0);
    cr_expect_eq(independent.row[2], 2);
    row_selection_clear(&independent);
}

/* b = A x for a known x. The solution is compared by the residuals, in units of the row:
   x itself is as accurate as a random matrix allows. */
Test(overdetermined, equations_that_agree_are_solved_by_some_and_hold_all)
{
    struct overdetermined system;
    overdetermined_init(&system, ROWS, COLUMNS);
    begin_random();
    for (int trial = 0; trial < TRIALS; trial++) {
        double want[COLUMNS], b[ROWS] = {0}, x[COLUMNS];
        random_matrix(COLUMNS, system.A);
        for (int j = 0; j < COLUMNS; j++)
            want[j] = uniform() * pow(1e3, 2 - j);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                b[i] += system.A[i * COLUMNS + j] * want[j];
        cr_assert(overdetermined_factor(&system, NULL));
        overdetermined_solve(&system, b, x);
        for (int i = 0; i < ROWS; i++) {
            double left = -b[i];
            for (int j = 0; j < COLUMNS; j++)
                left += system.A[i * COLUMNS + j] * x[j];
            cr_assert_lt(fabs(left), 1e-10 * pow(10, i - 3), "trial %d, row %d: %g",
                         trial, i, left);
        }
    }
    overdetermined_clear(&system);
}

Test(overdetermined, a_matrix_without_full_rank_is_refused)
{
    struct overdetermined system;
    overdetermined_init(&system, ROWS, COLUMNS);
    begin_random();
    for (int trial = 0; trial < TRIALS; trial++) {
        random_matrix(trial % COLUMNS, system.A);
        cr_assert_not(overdetermined_factor(&system, NULL), "trial %d", trial);
    }
    overdetermined_clear(&system);
}

/* What has been factorised is not taken for another matrix, nor for one that is singular,
   nor is it lost. */
Test(overdetermined, matrices_may_change_and_come_back)
{
    enum { SIZE = 2, SHOWN = 6 };
    static const double matrix[SHOWN][SIZE * SIZE] = {
        {2, 0, 0, 4}, {2, 0, 0, 4}, {2, 0, 0, 8},
        {1, 1, 1, 1}, {1, 1, 1, 1}, {2, 0, 0, 8}};
    static const double want[SHOWN] = {2, 2, 1, NAN, NAN, 1};
    static const double b[SIZE] = {2, 8};
    struct overdetermined system;
    overdetermined_init(&system, SIZE, SIZE);
    for (int k = 0; k < SHOWN; k++) {
        double x[SIZE];
        memcpy(system.A, matrix[k], sizeof matrix[k]);
        bool regular = overdetermined_factor(&system, NULL);
        cr_assert_eq(regular, !isnan(want[k]), "matrix %d", k);
        if (!regular)
            continue;
        overdetermined_solve(&system, b, x);
        cr_expect_eq(x[1], want[k], "matrix %d: %g", k, x[1]);
    }
    overdetermined_clear(&system);
}
