/*
 * test_oracle_complex_parts.c - linear and nonlinear equations in complex arithmetic, of
 * which the complex step is made.
 */
#include "solving.h"

#include <complex.h>

#include "oracles/complex_least_norm.h"
#include "oracles/complex_lu.h"
#include "oracles/complex_newton.h"

enum { COLUMNS = 7, MOST_LU_ROWS = 9 };

/* A random matrix; rows from COLUMNS on are combinations of those before. */
static void random_rows(struct complex_lu *lu, double complex *A)
{
    unsigned seed = 12345;
    for (int k = 0; k < lu->rows * COLUMNS; k++) {
        seed = seed * 1664525u + 1013904223u;
        A[k] = (double)(seed >> 8) / (1 << 24) - 0.5 + 1e-40 * _Complex_I * k;
        if (k >= COLUMNS * COLUMNS)
            A[k] = (3 + 2e-40 * _Complex_I) * A[k - 3 * COLUMNS] - A[k - 2 * COLUMNS];
        lu->A[k] = A[k];
    }
}

Test(complex_lu, solves_and_never_conjugates_also_with_more_rows_than_unknowns)
{
    for (int rows = COLUMNS; rows <= MOST_LU_ROWS; rows++) {
        double complex A[MOST_LU_ROWS * COLUMNS], x[MOST_LU_ROWS];
        struct complex_lu lu;
        complex_lu_init(&lu, rows, COLUMNS);
        random_rows(&lu, A);
        for (int i = 0; i < rows; i++) {
            x[i] = 0;
            for (int j = 0; j < COLUMNS; j++)
                x[i] += A[i * COLUMNS + j] * (j + 1 + 1e-40 * _Complex_I * (j - 3));
        }
        cr_assert_eq(complex_lu_factor(&lu, complex_lu_rounding), OK);
        complex_lu_solve(&lu, x);
        for (int i = 0; i < rows; i++) {
            bool unknown = i < COLUMNS;     /* else it says whether rows contradict */
            cr_expect_float_eq(creal(x[i]), unknown ? i + 1 : 0, 1e-12);
            cr_expect_float_eq(cimag(x[i]) / 1e-40, unknown ? i - 3 : 0, 1e-10);
        }
        complex_lu_clear(&lu);
    }
}

Test(complex_lu, tells_dependent_columns_from_small_ones)
{
    /* columns 0 and 2 dependent to rounding, column 1 small, row 2 large */
    static const double small[4][3] = {
        {0.1, 1e-12, 0.3}, {0.7, 3e-12, 2.1}, {1e9, 2, 3e9}, {0.3, 0, 0.9}};
    struct complex_lu lu;
    for (int columns = 2; columns <= 3; columns++) {
        complex_lu_init(&lu, 4, columns);
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < columns; j++)
                    lu.A[i * columns + j] = small[i][j];
            if (pass == 0)
                cr_expect_eq(complex_lu_factor(&lu, complex_lu_rounding),
                             columns == 2 ? OK : SINGULAR);
            else
                cr_expect_eq(complex_lu_rank(&lu, complex_lu_rounding), 2);
        }
        complex_lu_clear(&lu);
    }
    complex_lu_init(&lu, 2, 3);
    for (int k = 0; k < 6; k++)
        lu.A[k] = k;
    cr_expect_eq(complex_lu_factor(&lu, complex_lu_rounding), SINGULAR, "too few rows");
    for (int k = 0; k < 6; k++)
        lu.A[k] = NAN;
    cr_expect_eq(complex_lu_rank(&lu, complex_lu_rounding), 0);
    complex_lu_clear(&lu);
}

/* The matrix is the Jacobian of other equations, a tenth off: the answer stays. */
Test(complex_newton, a_wrong_newton_matrix_slows_down_but_cannot_mislead)
{
    struct solving s;
    solving_of_case(&s, "five-bar", "index1");
    struct model *model = model_branch(s.model);
    struct diagnosis diagnosis;
    struct residual *residual = s.request.formulation->residual(model, model->start, NULL,
                                                                &diagnosis);
    struct complex_equations right, wrong;
    complex_equations_init(&right, model, residual->R, residual->rows, residual->unknown,
                           residual->rows);
    for (int i = 0; i < residual->rows; i++)
        residual->R[i] = mul(residual->R[i],
                             constant(model->tape, i % 2 ? "1.1" : "0.9"));
    complex_equations_init(&wrong, model, residual->R, residual->rows, residual->unknown,
                           residual->rows);
    struct complex_outputs keep = wrong.residual;
    wrong.residual = right.residual;    /* equations of one, matrix of the other */

    struct complex_values *values = complex_values_new(model, model_most_impulses(model));
    double complex a[6];
    for (int j = 0; j < model->p; j++)
        values->x[BLOCK_RHO][j] = s.value[j] + (j == 0 ? 1e-40 * _Complex_I : 0);
    for (int i = 0; i < model->n; i++)
        values->x[BLOCK_Q][i] = (double[]){-1.1, -1.3, 0.35, -2.3, 1.5, -1}[i];
    complex_equations_rho(&right, values);
    cr_assert_eq(complex_equations_solve(&right, values, 1e-40), OK);
    for (int i = 0; i < model->n; i++) {
        a[i] = values->x[BLOCK_A][i];
        values->x[BLOCK_A][i] = 0;
    }
    complex_equations_rho(&wrong, values);
    cr_assert_eq(complex_equations_solve(&wrong, values, 1e-40), OK);
    for (int i = 0; i < model->n; i++) {
        cr_expect_float_eq(creal(values->x[BLOCK_A][i]), creal(a[i]), 1e-11);
        cr_expect_float_eq(cimag(values->x[BLOCK_A][i]) / 1e-40, cimag(a[i]) / 1e-40,
                           1e-9);
    }
    wrong.residual = keep;
    complex_equations_clear(&right);
    complex_equations_clear(&wrong);
    complex_values_free(values);
    residual_free(residual);
    model_branch_free(model);
    solving_end(&s);
}

/* After how many rounds an iteration is at rest whose changes are these; 0: it is not. */
static int rounds_until_rest(double first, double ratio, double least)
{
    struct complex_rest rest = complex_rest_begin();
    const double size[2] = {1, 1};
    double falling = first;
    for (int round = 1; round <= 300; round++) {
        double noise = least * (1 + 0.3 * sin(7.0 * round));
        const double change[2] = {falling + noise, 0};
        if (complex_rest_reached(&rest, change, size))
            return round;
        falling *= ratio;
    }
    return 0;
}

/* lambda near a zero of its own is small against what cancels in its row: its changes are
   rounding long before they are small against it. */
Test(complex_rest, is_where_changes_have_long_not_fallen)
{
    int slow = rounds_until_rest(1, 0.8, 1e-17);
    cr_expect(slow > 120 && slow < 200, "%d rounds", slow);
    int noisy = rounds_until_rest(1, 0.5, 1e-11);
    cr_expect(noisy > 50 && noisy < 250, "%d rounds", noisy);
    cr_expect_eq(rounds_until_rest(1, 0.5, 1e-6), 0);
    cr_expect_eq(rounds_until_rest(1, 0.99, 1e-17), 0);
}
