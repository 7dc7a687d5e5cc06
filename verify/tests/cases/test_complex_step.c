/*
 * test_complex_step.c - quotient, sine and cosine of numbers with a small imaginary part
 * (cases/program/complex_step.h), against long double.
 */
#include <criterion/criterion.h>

#include <string.h>

#include "program/complex_step.h"
#include "random_formulas.h"

enum { TRIALS = 100000 };

static double any_sign(struct random *random, double log2_low, double log2_high)
{
    double size = exp2(random_between(random, log2_low, log2_high));
    return random_bits(random) % 2 ? size : -size;
}

/* A number whose parts have magnitudes around 1 and around `step`. */
static double complex any_step(struct random *random, double step)
{
    double x = any_sign(random, -20, 20);
    return complex_of(x, step * any_sign(random, -20, 20));
}

/* Is a part as good as its own terms allow, if it is large enough to be a double? */
static bool is_near(double got, long double want, long double terms)
{
    return fabsl(got - want) <= 4 * DBL_EPSILON * terms + DBL_MIN;
}

static void divides(double complex a, double complex b, const struct random *random)
{
    long double x = creal(a), y = cimag(a), c = creal(b), d = cimag(b);
    long double squares = c * c + d * d;
    double complex got = complex_quotient(a, b);
    cr_assert(is_near(creal(got), (x * c + y * d) / squares,
                      (fabsl(x * c) + fabsl(y * d)) / squares) &&
              is_near(cimag(got), (y * c - x * d) / squares,
                      (fabsl(y * c) + fabsl(x * d)) / squares),
              "(%a + %a i) / (%a + %a i) = %a + %a i, seed %llu", creal(a), cimag(a),
              creal(b), cimag(b), creal(got), cimag(got), random->seed);
}

Test(complex_quotient, both_parts_have_all_digits_of_their_own)
{
    struct random random = random_start();
    for (int trial = 0; trial < TRIALS; trial++) {
        double step = trial % 3 == 0 ? 1e-200 : trial % 3 == 1 ? 1e-40 : 1;
        double complex a = any_step(&random, step), b = any_step(&random, step);
        divides(a, b, &random);
        divides(a, creal(b), &random);
        divides(creal(a), b, &random);
        divides(complex_of(0, cimag(a)), b, &random);
    }
}

/* Numbers near the ends of the range, where c^2 + d^2 under- or overflows. */
Test(complex_quotient, intermediate_results_do_not_leave_the_range)
{
    struct random random = random_start();
    for (int trial = 0; trial < TRIALS; trial++) {
        double scale = any_sign(&random, -900, 1020), ratio = any_sign(&random, -60, 1);
        double complex b = complex_of(scale, scale * ratio);
        double x = any_sign(&random, -2, 2), y = any_sign(&random, -2, 2);
        divides(complex_of(x, y) * scale, b, &random);
    }
}

Test(complex_quotient, zeros_and_what_is_not_finite_are_left_to_the_compiler)
{
    static const double special[] = {0.0, -0.0, 1, INFINITY, -INFINITY, NAN};
    const int count = sizeof special / sizeof *special;
    for (int k = 0; k < count * count * count; k++) {
        double complex a = complex_of(special[k % count], special[k / count % count]);
        double complex zero = complex_of(0, special[k / count / count]);
        double complex got = complex_quotient(a, zero), want = a / zero;
        cr_expect(isnan(creal(got)) == isnan(creal(want)) &&
                  isnan(cimag(got)) == isnan(cimag(want)));
        cr_expect(isnan(creal(got)) || creal(got) == creal(want));
        cr_expect(isnan(cimag(got)) || cimag(got) == cimag(want));
    }
}

static void is_close(double got, long double want, const char *what,
                     const struct random *random)
{
    cr_assert(fabsl(got - want) <= 2 * DBL_EPSILON * fabsl(want), "%s: %a, not %La, "
              "seed %llu", what, got, want, random->seed);
}

/* The last of the imaginary parts is on the other side of the limit. */
Test(complex_sine, parts_have_all_digits_on_both_sides_of_the_limit)
{
    static const double size[] = {1e-300, 1e-40, 1e-20, 0.99 * 0x1p-28, 1.01 * 0x1p-28};
    struct random random = random_start();
    for (int trial = 0; trial < TRIALS; trial++) {
        double x = random_between(&random, -30, 30), y = size[trial % 5];
        double complex sine = complex_sin(complex_of(x, y));
        double complex cosine = complex_cos(complex_of(x, y));
        is_close(creal(sine), sinl(x) * coshl(y), "sine", &random);
        is_close(cimag(sine), cosl(x) * sinhl(y), "slope of the sine", &random);
        is_close(creal(cosine), cosl(x) * coshl(y), "cosine", &random);
        is_close(cimag(cosine), -sinl(x) * sinhl(y), "slope of the cosine", &random);
    }
}
