/*
 * test_number_text.c - numbers as text (verify/base/number_text.h): the bytes of printf.
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number_text.h"
#include "random_formulas.h"

static void is_printed_by_printf(double x, const struct random *random)
{
    char got[NUMBER_TEXT_ROOM], want[400];
    int length = snprintf(want, sizeof want, "%.17g", x);
    memset(got, '?', sizeof got);
    cr_assert_eq(number_text(got, x), length, "%a, seed %llu", x, random->seed);
    cr_assert_str_eq(got, want, "%a, seed %llu", x, random->seed);
}

static double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The first and the last of every binade, and random numbers between; infinities and
   numbers that are none are those of the last exponent. */
Test(number_text, is_that_of_printf_at_every_exponent)
{
    enum { EXPONENTS = 2048, EACH = 400 };
    const uint64_t fraction = ((uint64_t)1 << 52) - 1, sign = (uint64_t)1 << 63;
    struct random random = random_start();
    for (uint64_t e = 0; e < EXPONENTS; e++)
        for (int k = 0; k < EACH; k++) {
            uint64_t bits = k == 0 ? 0 : k == 1 ? fraction : random_bits(&random);
            is_printed_by_printf(of_bits((bits & (fraction | sign)) | e << 52), &random);
        }
}

Test(number_text, is_that_of_printf_beside_powers_of_ten)
{
    struct random random = random_start();
    for (int k = -330; k <= 308; k++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", k);
        double x = strtod(text, NULL);
        for (int i = 0; i < 4; i++)
            x = nextafter(x, 0);
        for (int i = 0; i < 9; i++, x = nextafter(x, INFINITY))
            is_printed_by_printf(x, &random);
    }
}

/* Quarters between 10^15 and 2^50 have 18 digits, the last of them a 5: half of them are
   rounded down. */
Test(number_text, half_of_a_last_digit_is_rounded_to_even)
{
    struct random random = random_start();
    int down = 0;
    for (int k = 0; k < 10000; k++) {
        double whole = floor(random_between(&random, 1e15, 0x1p50));
        char text[NUMBER_TEXT_ROOM];
        is_printed_by_printf(whole + 0.25, &random);
        is_printed_by_printf(whole + 0.75, &random);
        number_text(text, whole + 0.25);
        down += text[strlen(text) - 1] == '2';
    }
    cr_assert_eq(down, 10000);
}

/* Few digits: zeros at the end are left out, those in front of the point are not. */
Test(number_text, is_that_of_printf_for_short_decimals)
{
    struct random random = random_start();
    for (int k = 0; k < 100000; k++) {
        double x = (double)(random_bits(&random) >> random_below(&random, 64));
        is_printed_by_printf(x, &random);
        is_printed_by_printf(-x / 8, &random);
        is_printed_by_printf(x * pow(10, -random_below(&random, 40)), &random);
    }
    is_printed_by_printf(0.0, &random);
    is_printed_by_printf(-0.0, &random);
    is_printed_by_printf(NAN, &random);
    is_printed_by_printf(-NAN, &random);
}

Test(number_text, identifies_the_number)
{
    struct random random = random_start();
    for (int k = 0; k < 100000; k++) {
        int exponent = random_below(&random, 200) - 120;
        double x = ldexp(random_between(&random, -1, 1), exponent);
        char text[NUMBER_TEXT_ROOM];
        number_text(text, x);
        cr_assert_eq(strtod(text, NULL), x, "%s, %a, seed %llu", text, x, random.seed);
    }
}
