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

Test(bars, follow_the_tolerance_the_condition_and_the_oracle)
{
    cr_expect_eq(bar_digits(&explicit, "q", 34, 1), 11);
    cr_expect_eq(bar_digits(&loose, "q", 34, 1), 4);
    cr_expect_eq(bar_digits(&explicit, "dv/dL01", 34, 1e6), 5);
    cr_expect_eq(bar_digits(&explicit, "q", 9, 1), 7);
}

Test(bars, ask_of_a_double_no_more_than_it_holds_and_of_mpfr_what_its_oracle_has)
{
    const struct made exact = {.digits = INFINITY};
    cr_expect_eq(bar_digits(&exact, "a", 15.95, 1), 13);
    cr_expect_eq(bar_digits(&exact, "q", 44, 1), 42);
}

/* Hairer, Lubich, Roche 1989: what the index differentiates k times loses h^k. */
Test(bars, of_a_dae_lose_the_orders_that_its_index_costs)
{
    cr_expect_float_eq(bar_digits(&index3, "q", 34, 1), 10, 1e-9);
    cr_expect_float_eq(bar_digits(&index3, "event.t", 34, 1), 10, 1e-9);
    cr_expect_float_eq(bar_digits(&index3, "v", 34, 1), 0.8 * 12 - 2, 1e-9);
    cr_expect_float_eq(bar_digits(&index3, "lambda", 34, 1), 0.8 * 12 - 2, 1e-9);
    cr_expect_float_eq(bar_digits(&index3, "stage.lambda", 34, 1), 0.5 * 12 - 2, 1e-9);
    cr_expect_float_eq(bar_digits(&index3, "dstage.a/dm", 34, 1), 0.5 * 12 - 2, 1e-9);
    cr_expect_float_eq(bar_digits(&ggl, "v", 34, 1), 11, 1e-9);
    cr_expect_float_eq(bar_digits(&ggl, "a", 34, 1), 11, 1e-9);
    cr_expect_float_eq(bar_digits(&ggl, "stage.a", 34, 1), 0.75 * 13 - 2, 1e-9);
}

Test(bars, across_singular_configurations_are_half_of_the_digits)
{
    const struct made across = {.digits = 13, .singular = true};
    cr_expect_float_eq(bar_digits(&across, "q", 34, 1), 6.5, 1e-9);
}
