/*
 * test_bars.c - how many digits are asked for, from how numbers were made and from what
 * the oracle knows.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "verdict/bars.h"

static const struct made explicit = {.digits = 13}, loose = {.digits = 6},
                         index3 = {.digits = 12, .order = 5, .index = 3},
                         ggl = {.digits = 13, .order = 5, .index = 2};

static double bar_of(const struct made *made, const char *name, double judge,
                     double condition)
{
    const struct quantity quantity = quantity_parse(name);
    return bar_digits(made, &quantity, judge, condition);
}

Test(bars, follow_the_tolerance_the_condition_and_the_oracle)
{
    cr_expect_eq(bar_of(&explicit, "q.x", 34, 1), 11);
    cr_expect_eq(bar_of(&loose, "q.x", 34, 1), 4);
    cr_expect_eq(bar_of(&explicit, "dv.x/dL01", 34, 1e6), 5);
    cr_expect_eq(bar_of(&explicit, "q.x", 9, 1), 7);
}

Test(bars, ask_of_a_double_no_more_than_it_holds_and_of_mpfr_what_its_oracle_has)
{
    const struct made exact = {.digits = INFINITY};
    cr_expect_eq(bar_of(&exact, "a.x", 15.95, 1), 13);
    cr_expect_eq(bar_of(&exact, "q.x", 44, 1), 42);
}

/* Hairer, Lubich, Roche 1989: what the index differentiates k times loses h^k. */
Test(bars, of_a_dae_lose_the_orders_that_its_index_costs)
{
    cr_expect_float_eq(bar_of(&index3, "q.x", 34, 1), 10, 1e-9);
    cr_expect_float_eq(bar_of(&index3, "event.1.t", 34, 1), 10, 1e-9);
    cr_expect_float_eq(bar_of(&index3, "v.x", 34, 1), 0.8 * 12 - 2, 1e-9);
    cr_expect_float_eq(bar_of(&index3, "lambda.1", 34, 1), 0.8 * 12 - 2, 1e-9);
    cr_expect_float_eq(bar_of(&index3, "stage.lambda.1", 34, 1), 0.5 * 12 - 2, 1e-9);
    cr_expect_float_eq(bar_of(&index3, "dstage.a.x/dm", 34, 1), 0.5 * 12 - 2, 1e-9);
    cr_expect_float_eq(bar_of(&ggl, "v.x", 34, 1), 11, 1e-9);
    cr_expect_float_eq(bar_of(&ggl, "a.x", 34, 1), 11, 1e-9);
    cr_expect_float_eq(bar_of(&ggl, "stage.a.x", 34, 1), 0.75 * 13 - 2, 1e-9);
}

Test(bars, across_singular_configurations_are_half_of_the_digits)
{
    const struct made across = {.digits = 13, .singular = true};
    cr_expect_float_eq(bar_of(&across, "q.x", 34, 1), 6.5, 1e-9);
}
