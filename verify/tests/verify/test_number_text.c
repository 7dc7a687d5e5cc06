/*
 * test_number_text.c - numbers as text (verify/base/number_text.h): read back they are
 * the same, no shorter text is, and none of that length is nearer; by printf and strtod.
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number_text.h"
#include "random_formulas.h"
#include "sampling.h"

/* Digits as an integer, and the power of ten that they are multiplied by. */
struct decimal {
    long long digits;
    int count, power;
};

static struct decimal decimal_of(const char *text)
{
    struct decimal decimal = {0, 0, 0};
    bool point = false;
    for (; *text && *text != 'e'; text++) {
        point = point || *text == '.';
        if (*text < '0' || *text > '9')
            continue;
        decimal.digits = 10 * decimal.digits + (*text - '0');
        decimal.power -= point;
    }
    if (*text == 'e')
        decimal.power += atoi(text + 1);
    while (decimal.digits > 0 && decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.power++;
    }
    for (long long rest = decimal.digits; rest > 0; rest /= 10)
        decimal.count++;
    return decimal;
}

static bool is_read_as(long long digits, int power, double x)
{
    char text[60];
    snprintf(text, sizeof text, "%llde%d", digits, power);
    return strtod(text, NULL) == x;
}

/* The decimal of so many digits that is nearest to x, and its neighbours: is one of them
   read as x? The nearest of them that is, or 0. */
static long long read_back(double x, int count, int *power)
{
    char text[60];
    snprintf(text, sizeof text, "%.*e", count - 1, x);
    char *e = strchr(text, 'e');
    *power = atoi(e + 1) - (count - 1);
    *e = '\0';
    if (count > 1)
        memmove(text + 1, text + 2, strlen(text + 2) + 1);
    long long near = atoll(text);
    if (is_read_as(near, *power, x))
        return near;
    bool up = is_read_as(near + 1, *power, x);
    return up ? near + 1 : is_read_as(near - 1, *power, x) ? near - 1 : 0;
}

static void is_shortest(double x, const struct random *random)
{
    char text[NUMBER_TEXT_ROOM], formatted[NUMBER_TEXT_ROOM + 20];
    int length = number_text(text, x), power;
    cr_assert_eq((int)strlen(text), length, "%s, %a, seed %llu", text, x, random->seed);
    cr_assert_eq(strtod(text, NULL), x, "%s, %a, seed %llu", text, x, random->seed);
    if (x == 0)
        return;
    struct decimal decimal = decimal_of(text);
    long long digits = read_back(fabs(x), decimal.count, &power);
    cr_assert(decimal.count <= 17 && digits == decimal.digits && power == decimal.power,
              "%s, not %llde%d, %a, seed %llu", text, digits, power, x, random->seed);
    if (decimal.count > 1)
        cr_assert_eq(read_back(fabs(x), decimal.count - 1, &power), 0,
                     "%s is not the shortest, %a, seed %llu", text, x, random->seed);
    /* the layout is that of printf, with zeros in front of the point up to 1e17 */
    snprintf(formatted, sizeof formatted, "%.*g", decimal.count, x);
    if (fabs(x) < 1e17 && decimal.power > 0)
        snprintf(formatted, sizeof formatted, "%s%lld%0*d", signbit(x) ? "-" : "",
                 decimal.digits, decimal.power, 0);
    if (strtod(formatted, NULL) == x)
        cr_assert_str_eq(text, formatted, "%a, seed %llu", x, random->seed);
}

static double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* All of so many trials in make test-all, a fifth in make test. */
static int trials(int all)
{
    return in_test_all() ? all : all / 5;
}

/* The powers of two, their neighbours on both sides, and random numbers between, in every
   binade; the first one has the subnormal numbers. */
Test(number_text, is_the_shortest_at_every_exponent, .timeout = 120)
{
    enum { EXPONENTS = 2047 };
    const uint64_t fraction = ((uint64_t)1 << 52) - 1, sign = (uint64_t)1 << 63;
    struct random random = random_start();
    for (uint64_t e = 0; e < EXPONENTS; e++)
        for (int k = 0; k < trials(150); k++) {
            uint64_t bits = k == 0 ? 0 : k == 1 ? 1 : k == 2 ? fraction
                          : random_bits(&random);
            is_shortest(of_bits((bits & (fraction | sign)) | e << 52), &random);
        }
}

/* The numbers of runs. */
Test(number_text, is_the_shortest_where_numbers_of_runs_are, .timeout = 120)
{
    struct random random = random_start();
    for (int k = 0; k < trials(1000000); k++) {
        int exponent = random_below(&random, 180) - 125;
        is_shortest(ldexp(random_between(&random, -1, 1), exponent), &random);
    }
}

Test(number_text, is_the_shortest_beside_powers_of_ten)
{
    struct random random = random_start();
    for (int k = -323; k <= 308; k++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", k);
        double x = strtod(text, NULL);
        for (int i = 0; i < 4; i++)
            x = nextafter(x, 0);
        for (int i = 0; i < 9; i++, x = nextafter(x, INFINITY))
            is_shortest(x, &random);
    }
}

/* Subnormal numbers have few digits: the least has one. */
Test(number_text, is_the_shortest_of_subnormal_numbers)
{
    struct random random = random_start();
    char text[NUMBER_TEXT_ROOM];
    for (int k = 0; k < trials(200000); k++)
        is_shortest(of_bits(random_bits(&random) >> (12 + random_below(&random, 51))),
                    &random);
    number_text(text, 0x1p-1074);
    cr_expect_str_eq(text, "5e-324");
    number_text(text, DBL_MAX);
    cr_expect_str_eq(text, "1.7976931348623157e+308");
    number_text(text, DBL_MIN);
    cr_expect_str_eq(text, "2.2250738585072014e-308");
}

/* Halves and quarters of a last digit: ends of intervals, and ties between two texts. */
Test(number_text, is_the_shortest_at_halves)
{
    struct random random = random_start();
    for (int k = 0; k < trials(100000); k++) {
        double whole = floor(random_between(&random, 1e15, 0x1p50));
        is_shortest(whole + 0.25, &random);
        is_shortest(whole + 0.5, &random);
        is_shortest(whole + 0.75, &random);
        is_shortest(floor(random_between(&random, 0x1p52, 1e17)), &random);
    }
    for (int k = 0; k < 1000; k++)
        is_shortest(0x1p53 + 2.0 * k, &random);
}

/* A decimal that a user writes comes back as it was written. */
Test(number_text, short_decimals_are_as_they_were_written)
{
    struct random random = random_start();
    for (int k = 0; k < trials(200000); k++) {
        long long digits = (long long)(random_bits(&random) % 1000000000000000);
        char text[60], got[NUMBER_TEXT_ROOM];
        digits >>= random_below(&random, 45);
        snprintf(text, sizeof text, "%llde%d", digits, random_below(&random, 60) - 45);
        double x = strtod(text, NULL);
        number_text(got, x);
        struct decimal written = decimal_of(text), printed = decimal_of(got);
        cr_assert(written.digits == printed.digits &&
                  (digits == 0 || written.power == printed.power), "%s: %s", text, got);
        is_shortest(-x, &random);
    }
}

Test(number_text, is_laid_out_for_people)
{
    static const struct { double x; const char *text; } number[] = {
        {0.0, "0"}, {-0.0, "-0"}, {NAN, "nan"}, {INFINITY, "inf"}, {-INFINITY, "-inf"},
        {0.1, "0.1"}, {-2.5, "-2.5"}, {1.0 / 3, "0.3333333333333333"}, {100, "100"},
        {0.0001, "0.0001"}, {0.00001, "1e-05"}, {1.5e-7, "1.5e-07"},
        {1e16, "10000000000000000"}, {1e17, "1e+17"}, {1.25e20, "1.25e+20"},
        {1e-40, "1e-40"}, {0.53029, "0.53029"}, {0x1p-44, "5.684341886080802e-14"}};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        char text[NUMBER_TEXT_ROOM];
        number_text(text, number[k].x);
        cr_expect_str_eq(text, number[k].text, "%s, not %s", text, number[k].text);
    }
}
