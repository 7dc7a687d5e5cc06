/*
 * test_reference_fixed.c - convolutions in fixed point, against sums of MPFR numbers with
 * eight times the digits.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "arithmetic/mp.h"

#include "arithmetic/fixed.h"

enum { LENGTH = 40, PRECISION = 320, PLANES = 6 };

static gmp_randstate_t state;
static mpfr_ptr a, b, out, sum;
static int need[LENGTH];
static uint64_t digit_a[PLANES * LENGTH], digit_b[PLANES * LENGTH];
static uint64_t sum_a[PLANES * (LENGTH + 1)], sum_b[PLANES * (LENGTH + 1)];
static struct fixed_shape shape;
static struct fixed fixed_a, fixed_b;

static void open_series(void)
{
    gmp_randinit_default(state);
    gmp_randseed_ui(state, 20261121);
    a = mp_vector_new(LENGTH, PRECISION);
    b = mp_vector_new(LENGTH, PRECISION);
    out = mp_vector_new(1, PRECISION);
    sum = mp_vector_new(2, 8 * PRECISION);
    for (int k = 0; k < LENGTH; k++)
        need[k] = PLANES - k * (PLANES - 1) / (LENGTH - 1);
    shape = (struct fixed_shape){.length = LENGTH, .planes = PLANES, .need = need};
    fixed_a = (struct fixed){.digit = digit_a, .sum = sum_a};
    fixed_b = (struct fixed){.digit = digit_b, .sum = sum_b};
}

static void close_series(void)
{
    mp_vector_free(a);
    mp_vector_free(b);
    mp_vector_free(out);
    mp_vector_free(sum);
    gmp_randclear(state);
    mpfr_free_cache();
}

TestSuite(reference_fixed, .init = open_series, .fini = close_series);

/* In (-1, 1) 2^(e + drift k), now and then far smaller, or zero */
static void random_series(mpfr_ptr x, long e, long drift)
{
    for (int k = 0; k < LENGTH; k++) {
        long lower = gmp_urandomm_ui(state, 4) == 0
                         ? (long)gmp_urandomm_ui(state, PRECISION) : 0;
        mpfr_urandomb(x + k, state);
        mpfr_mul_si(x + k, x + k, gmp_urandomm_ui(state, 2) == 0 ? 1 : -1, MPFR_RNDN);
        mpfr_mul_2si(x + k, x + k, e + drift * k - lower, MPFR_RNDN);
        if (gmp_urandomm_ui(state, 20) == 0)
            mpfr_set_zero(x + k, 1);
    }
}

static void fill(int upto)
{
    fixed_fill(&fixed_a, &shape, a, 1, upto);
    fixed_fill(&fixed_b, &shape, b, 1, upto);
}

/* log2 of |convolution - exact sum| over the bound of fixed.h, which is at least one unit
   of the last place */
static double error(int low, int high, int k)
{
    mpfr_set_zero(sum, 1);
    for (int j = low; j <= high; j++) {
        mpfr_mul(sum + 1, a + j, b + k - j, MPFR_RNDN);
        mpfr_add(sum, sum, sum + 1, MPFR_RNDN);
    }
    fixed_convolve(out, &fixed_a, &fixed_b, &shape, low, high, k);
    mpfr_sub(sum, sum, out, MPFR_RNDN);
    double bound = log2((high - low + 1) * (need[k] + 1.0)) +
                   (double)(fixed_a.exponent + fixed_b.exponent) -
                   (double)FIXED_BITS * need[k];
    return mp_log2(sum) - fmax(bound, mp_log2(out) - PRECISION + 1);
}

Test(reference_fixed, a_convolution_is_exact_to_its_bound_relative_to_the_largest)
{
    for (int trial = 0; trial < 200; trial++) {
        random_series(a, -30, 0);
        random_series(b, 50, 0);
        fixed_a.filled = fixed_b.filled = 0;
        fill(LENGTH - 1);
        for (int k = 0; k < LENGTH; k++) {
            cr_expect_lt(error(0, k, k), 0, "all, coefficient %d", k);
            cr_expect_lt(error(k / 3, k / 2, k), 0, "a part, coefficient %d", k);
        }
    }
}

/* The exponent was the first coefficient's. */
Test(reference_fixed, a_series_that_grows_as_it_is_filled_is_still_exact_to_its_bound)
{
    random_series(a, 0, 3);
    random_series(b, 0, -2);
    for (int k = 0; k < LENGTH; k++) {
        fill(k);
        cr_expect_lt(error(0, k, k), 0, "coefficient %d", k);
    }
}

/* The sum of largest terms of one sign, which is where 128 bits would not do. */
Test(reference_fixed, terms_as_large_as_can_be_do_not_overflow)
{
    for (int k = 0; k < LENGTH; k++)
        for (int i = 0; i < 2; i++) {
            mpfr_ptr x = (i == 0 ? a : b) + k;
            mpfr_set_ui(x, 1, MPFR_RNDN);
            mpfr_nextbelow(x);
            mpfr_mul_2si(x, x, k == 0 ? 0 : 4, MPFR_RNDN);
            if (i == 1)
                mpfr_neg(x, x, MPFR_RNDN);
        }
    fill(LENGTH - 1);
    for (int k = 1; k < LENGTH; k++)
        cr_expect_lt(error(0, k, k), 0, "coefficient %d", k);
    cr_expect(fixed_fits(&shape));
    cr_expect_not(fixed_fits(&(struct fixed_shape){.length = 30000, .planes = 150}));
}

Test(reference_fixed, what_is_not_a_number_or_all_zero_stays_so)
{
    random_series(a, 0, 0);
    fill(LENGTH - 1);
    fixed_convolve(out, &fixed_a, &fixed_b, &shape, 0, 7, 7);
    cr_expect(mpfr_zero_p(out) != 0);
    mpfr_set_inf(a + 3, 1);
    fixed_a.filled = 0;
    fill(LENGTH - 1);
    fixed_convolve(out, &fixed_a, &fixed_b, &shape, 0, 7, 7);
    cr_expect(mpfr_nan_p(out) != 0);
}
