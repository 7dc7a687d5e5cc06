/*
 * test_covariance.c - covariances from Hessians (verify/optimise/covariance.h): closed
 * forms, units, the distribution of psi, and each refusal.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optimise/covariance.h"

TestSuite(covariance);

enum { MOST = 4 };
static const char *const name[MOST] = {"a", "b", "c", "d"};

static struct fit fit_of(int n, const double *hessian)
{
    return (struct fit){.n = n, .name = name, .hessian = hessian};
}

static struct covariance found(const struct fit *fit)
{
    struct covariance c;
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = covariance_of(fit, &c, &diagnosis);
    cr_assert_eq(status, OK, "%s: %s", status_text(status), diagnosis.place);
    return c;
}

static void expect_refusal(const struct fit *fit, enum status expected, const char *word)
{
    struct covariance c;
    struct diagnosis diagnosis = {.t = NAN};
    enum status status = covariance_of(fit, &c, &diagnosis);
    cr_expect_eq(status, expected, "%s: %s", status_text(status), diagnosis.place);
    cr_expect_eq(diagnosis.status, expected);
    cr_expect_not_null(strstr(diagnosis.place, word), "no '%s' in: %s", word,
                       diagnosis.place);
    covariance_clear(&c);
}

/* --- closed forms ------------------------------------------------------------------- */

Test(covariance, is_twice_the_inverse_of_the_hessian)
{
    static const double H[] = {2, 1, 1, 40};
    static const double want[] = {2 * 40 / 79., -2 / 79., -2 / 79., 2 * 2 / 79.};
    const struct fit fit = fit_of(2, H);
    struct covariance c = found(&fit);
    for (int i = 0; i < 4; i++)
        cr_expect_float_eq(c.matrix[i], want[i], 1e-15);
    cr_expect_float_eq(c.deviation[0], sqrt(want[0]), 1e-15);
    cr_expect_float_eq(c.correlation[1], -1 / sqrt(80), 1e-15);
    cr_expect_eq(c.correlation[1], c.correlation[2]);
    cr_expect_eq(c.correlation[0], 1);
    /* eigenvalues 1 -+ r of a unit diagonal with r = 1/sqrt(80) beside it */
    double r = 1 / sqrt(80);
    cr_expect_float_eq(c.condition, (1 + r) / (1 - r), 1e-14);
    cr_expect_eq(c.degrees, 0);
    cr_expect(isnan(c.reduced) && isnan(c.chance));
    covariance_clear(&c);
}

/* The inverse of the Hilbert matrix is of integers. */
Test(covariance, of_a_hilbert_matrix_has_the_digits_that_it_says)
{
    static const double inverse[4][4] = {{16, -120, 240, -140},
                                         {-120, 1200, -2700, 1680},
                                         {240, -2700, 6480, -4200},
                                         {-140, 1680, -4200, 2800}};
    double H[16];
    for (int i = 0; i < 16; i++)
        H[i] = 1. / (i / 4 + i % 4 + 1);
    const struct fit fit = fit_of(4, H);
    struct covariance c = found(&fit);
    cr_expect(c.digits > 10 && c.digits < 12.5, "%g", c.digits);
    for (int i = 0; i < 16; i++)
        cr_expect_float_eq(c.matrix[i], 2 * inverse[i / 4][i % 4],
                           pow(10, -c.digits) * fabs(c.matrix[i]), "%d: %.17g", i,
                           c.matrix[i]);
    covariance_clear(&c);
}

/* To the bit for powers of two; 1e6 would round. */
Test(covariance, does_not_depend_on_units)
{
    static const double H[] = {2, 1, 1, 40}, unit[] = {0x1p-60, 0x1p70};
    double scaled[4];
    for (int i = 0; i < 4; i++)
        scaled[i] = H[i] * unit[i / 2] * unit[i % 2];
    const struct fit fit = fit_of(2, H), other = fit_of(2, scaled);
    struct covariance c = found(&fit), d = found(&other);
    for (int k = 0; k < 2; k++)
        cr_expect_eq(d.deviation[k] * unit[k], c.deviation[k]);
    cr_expect_eq(d.correlation[1], c.correlation[1]);
    cr_expect_eq(d.condition, c.condition);
    covariance_clear(&c);
    covariance_clear(&d);
}

/* --- psi ---------------------------------------------------------------------------- */

Test(covariance, of_an_unknown_variance_has_that_of_the_deviations)
{
    static const double H[] = {2, 1, 1, 40};
    struct fit fit = fit_of(2, H);
    struct covariance known = found(&fit);
    fit.variances = VARIANCES_EQUAL;
    fit.readings = 12;
    fit.psi = 90;
    struct covariance equal = found(&fit);
    cr_expect_eq(equal.degrees, 10);
    cr_expect_eq(equal.reduced, 9);
    cr_expect(isnan(equal.chance), "a variance that is fitted tells no probability");
    for (int k = 0; k < 2; k++)
        cr_expect_float_eq(equal.deviation[k], 3 * known.deviation[k], 1e-15);
    cr_expect_float_eq(equal.correlation[1], known.correlation[1], 1e-16);
    covariance_clear(&known);
    covariance_clear(&equal);
}

/* Of two degrees of freedom the distribution of chi-square is exponential. */
Test(covariance, of_known_variances_tells_how_probable_psi_is)
{
    static const double H[] = {2, 1, 1, 40};
    struct fit fit = fit_of(2, H);
    fit.readings = 4;
    fit.psi = 5;
    struct covariance c = found(&fit);
    cr_expect_eq(c.reduced, 2.5);
    cr_expect_float_eq(c.chance, exp(-2.5), 1e-15);
    covariance_clear(&c);
    /* a log likelihood may have any sign, and as many readings as parameters fit */
    fit.psi = -5;
    c = found(&fit);
    cr_expect(isnan(c.reduced) && isnan(c.chance));
    covariance_clear(&c);
    fit.psi = 5;
    fit.readings = 2;
    c = found(&fit);
    cr_expect_eq(c.degrees, 0);
    cr_expect(isnan(c.reduced) && isnan(c.chance));
    covariance_clear(&c);
}

/* --- refusals ----------------------------------------------------------------------- */

Test(covariance, of_a_saddle_is_refused)
{
    static const double turned[] = {1, 0, 2, 0, 5, 0, 2, 0, 1};
    static const double down[] = {1, 0, 0, -1e-30}, flat[] = {1, 0, 0, 0};
    const struct fit fit = fit_of(3, turned), second = fit_of(2, down);
    const struct fit third = fit_of(2, flat);
    expect_refusal(&fit, NOT_SPD, "downwards along a, c together");
    expect_refusal(&second, NOT_SPD, "upwards along b:");
    expect_refusal(&third, NOT_SPD, "upwards along b:");
}

/* The least eigenvalue is 1e-9, with two digits at errors of 1e-11. */
Test(covariance, that_errors_of_the_hessian_leave_no_digits_of_is_refused)
{
    static const double H[] = {1, 1 - 1e-9, 1 - 1e-9, 1};
    struct fit fit = fit_of(2, H);
    fit.error = 0.99e-11;
    struct covariance c = found(&fit);
    cr_expect_float_eq(c.digits, 2, 0.01);
    covariance_clear(&c);
    fit.error = 1.01e-11;
    expect_refusal(&fit, NO_DIGITS, "does not tell a, b apart");
    fit.error = 1;
    expect_refusal(&fit, NO_DIGITS, "does not tell a, b apart");
}

/* Rows and columns that differ show errors that nobody has told. */
Test(covariance, takes_asymmetry_for_an_error)
{
    static const double odd[] = {1, 0.9, 0.9 + 1e-4, 1}, worse[] = {1, 0.9, 0.91, 1};
    const struct fit fit = fit_of(2, odd), second = fit_of(2, worse);
    struct covariance c = found(&fit);
    cr_expect_float_eq(c.digits, log10(0.1 / (1e-4 / sqrt(2))), 1e-3);
    covariance_clear(&c);
    expect_refusal(&second, NO_DIGITS, "does not tell a, b apart");
}

Test(covariance, of_too_few_readings_is_refused)
{
    static const double H[] = {2, 1, 1, 40};
    struct fit fit = fit_of(2, H);
    fit.variances = VARIANCES_EQUAL;
    fit.psi = 3;
    for (fit.readings = 0; fit.readings <= 2; fit.readings++)
        expect_refusal(&fit, BAD_INPUT, "for 2 parameters leave none");
    struct covariance c = found(&fit);
    cr_expect_eq(c.reduced, 3);
    covariance_clear(&c);
    fit.psi = 0;
    expect_refusal(&fit, BAD_INPUT, "no sum of squares");
    fit.psi = -1;
    expect_refusal(&fit, BAD_INPUT, "no sum of squares");
}

Test(covariance, of_what_is_no_number_is_refused)
{
    static const double H[] = {2, 1, NAN, 40}, infinite[] = {INFINITY, 0, 0, 1};
    const struct fit fit = fit_of(2, H), second = fit_of(2, infinite);
    expect_refusal(&fit, NOT_FINITE, "by b and a");
    expect_refusal(&second, NOT_FINITE, "by a and a");
}
