/*
 * test_radau_tableau.c - the coefficients of Radau IIA against published ones and against
 * what defines the method.
 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrators/radau.h"

static const int stages_of[RADAU_METHODS] = {3, 5, 7};

/* Nodes and the real eigenvalue of A^-1 as in the program RADAU of Hairer and Wanner
   1999, for 3 stages by the formulas of HW 1996, IV.5 and IV.8. */
static const double published_c[RADAU_METHODS][RADAU_MOST_STAGES] = {
    {0.155051025721682190180271592529, 0.644948974278317809819728407471, 1},
    {0.5710419611451768219312e-01, 0.2768430136381238276800e+00,
     0.5835904323689168200567e+00, 0.8602401356562194478479e+00, 1},
    {0.2931642715978489197205e-01, 0.1480785996684842918500e+00,
     0.3369846902811542990971e+00, 0.5586715187715501320814e+00,
     0.7692338620300545009169e+00, 0.9269456713197411148519e+00, 1},
};
static const double published_eigenvalue[RADAU_METHODS] = {
    3.637834252744495732208, 6.286704751729276645173, 8.936832788405216337302};

/* HW 1996, table IV.5.6 */
static void radau5_matrix(double (*A)[3])
{
    double r = sqrt(6);
    double row[3][3] = {
        {(88 - 7*r)/360, (296 - 169*r)/1800, (-2 + 3*r)/225},
        {(296 + 169*r)/1800, (88 + 7*r)/360, (-2 - 3*r)/225},
        {(16 - r)/36, (16 + r)/36, 1.0/9}};

    memcpy(A, row, sizeof row);
}

Test(radau_tableau, nodes_and_eigenvalues_are_those_published_for_radau_5_9_and_13)
{
    for (int k = 0; k < RADAU_METHODS; k++) {
        struct tableau tableau;

        tableau_init(&tableau, stages_of[k]);
        for (int i = 0; i < tableau.stages; i++)
            cr_assert_float_eq(tableau.c[i], published_c[k][i], DBL_EPSILON/2, "%d: c%d "
                               "%.17g", stages_of[k], i, tableau.c[i]);
        cr_assert_float_eq(1/tableau.gamma0, published_eigenvalue[k], 1e-14, "%.17g",
                           1/tableau.gamma0);
    }
}

Test(radau_tableau, the_matrix_of_three_stages_is_that_of_hairer_and_wanner)
{
    struct tableau tableau;
    double A[3][3];

    tableau_init(&tableau, 3);
    radau5_matrix(A);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            cr_assert_float_eq(tableau.A[i][j], A[i][j], DBL_EPSILON/2, "%.17g",
                               tableau.A[i][j]);
}

/* Collocation: sum_j A_ij c_j^(m - 1) = c_i^m/m for m up to s; quadrature, by the last
   row, up to m = 2s - 1 and no further. */
Test(radau_tableau, polynomials_are_integrated_exactly_up_to_the_order)
{
    for (int k = 0; k < RADAU_METHODS; k++) {
        struct tableau tableau;
        int s = stages_of[k];

        tableau_init(&tableau, s);
        for (int m = 1; m <= 2*s; m++)
            for (int i = m > s ? s - 1 : 0; i < s; i++) {
                double sum = 0, wanted = pow(tableau.c[i], m)/m;

                for (int j = 0; j < s; j++)
                    sum += tableau.A[i][j]*pow(tableau.c[j], m - 1);
                if (m < 2*s)
                    cr_assert_float_eq(sum, wanted, 2*DBL_EPSILON, "%d, %d: %g", m, i,
                                       sum - wanted);
                else
                    cr_assert_gt(fabs(sum - wanted), 1e-10);
            }
    }
}

Test(radau_tableau, dense_weights_interpolate_and_integrate_and_end_as_the_matrix)
{
    for (int k = 0; k < RADAU_METHODS; k++) {
        struct tableau tableau;
        double weight[RADAU_MOST_STAGES];
        int s = stages_of[k];

        tableau_init(&tableau, s);
        for (int i = 0; i < s; i++) {
            tableau_values(&tableau, tableau.c[i], weight);
            for (int j = 0; j < s; j++)
                cr_assert_float_eq(weight[j], i == j, 20*DBL_EPSILON);
        }
        for (int m = 0; m < s; m++) {       /* degree s - 1, beyond the step, too */
            double value = 0, integral = 0, theta = 1.4;

            tableau_values(&tableau, theta, weight);
            for (int j = 0; j < s; j++)
                value += weight[j]*pow(tableau.c[j], m);
            tableau_integrals(&tableau, theta, weight);
            for (int j = 0; j < s; j++)
                integral += weight[j]*pow(tableau.c[j], m);
            cr_assert_float_eq(value, pow(theta, m), 1e-12);
            cr_assert_float_eq(integral, pow(theta, m + 1)/(m + 1), 1e-12);
        }
        tableau_integrals(&tableau, 1, weight);
        cr_assert_eq(memcmp(weight, tableau.A[s - 1], (size_t)s*sizeof *weight), 0);
        tableau_integrals(&tableau, 0, weight);
        for (int j = 0; j < s; j++)
            cr_assert(!(fabs(weight[j]) > 0));
    }
}

Test(radau_tableau, the_inverse_is_that_of_the_matrix_and_has_the_eigenvalue)
{
    for (int k = 0; k < RADAU_METHODS; k++) {
        struct tableau tableau;
        int s = stages_of[k];
        double v[RADAU_MOST_STAGES] = {0}, next[RADAU_MOST_STAGES];

        tableau_init(&tableau, s);
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++) {
                double sum = 0;

                for (int m = 0; m < s; m++)
                    sum += tableau.A[i][m]*tableau.inverse[1][m][j];
                cr_assert_float_eq(sum, i == j, 1e-13, "%d: %d %d %g", s, i, j, sum);
            }
        /* The power iteration converges: the real eigenvalue is the largest of A. */
        v[0] = 1;
        for (int step = 0; step < 4000; step++) {
            double size = 0;

            for (int i = 0; i < s; i++) {
                next[i] = 0;
                for (int j = 0; j < s; j++)
                    next[i] += tableau.A[i][j]*v[j];
                size = fmax(size, fabs(next[i]));
            }
            for (int i = 0; i < s; i++)
                v[i] = next[i]/size;
        }
        double ratio = 0;
        for (int j = 0; j < s; j++)
            ratio += tableau.A[s - 1][j]*v[j]/v[s - 1];
        cr_assert_float_eq(ratio, tableau.gamma0, 1e-12, "%d: %.17g, %.17g", s, ratio,
                           tableau.gamma0);
    }
}

/* The numbers for three stages were found by dense factorisation of A and A^2, and are
   those to which the error estimate was tuned. */
Test(radau_tableau, rounding_of_the_stages_is_felt_by_sums_of_the_inverse)
{
    struct tableau tableau;

    tableau_init(&tableau, 3);
    cr_assert_float_eq(tableau.amplified[1].here, 3.234, 1e-3);
    cr_assert_float_eq(tableau.amplified[1].before, 4.966, 1e-3);
    cr_assert_float_eq(tableau.amplified[2].here, 13.653, 1e-3);
    cr_assert_float_eq(tableau.amplified[2].before, 34.382, 1e-3);
    for (int s = 5; s <= 7; s += 2) {
        struct tableau more;

        tableau_init(&more, s);
        printf("%d stages: %g %g, %g %g\n", s, more.amplified[1].here,
               more.amplified[1].before, more.amplified[2].here,
               more.amplified[2].before);
        cr_assert_gt(more.amplified[2].here, tableau.amplified[2].here);
        tableau = more;
    }
}
