/*
 * test_size.c - the size of a number, and three ways to be zero (size.h).
 */
#include <criterion/criterion.h>
#include <math.h>

#include "size.h"

/* A value x, its derivative by a parameter of size 1e-6, and a value y of the same column
   group that is in no equation with x. */
enum { X, DX, Y, QUANTITIES };
enum { GROUP, PART_X, PART_Y, KINDS };
static const double digits = 40;

static void sizes_of(const struct motion_number *number, int count, struct size *size)
{
    const struct motion_quantity quantity[QUANTITIES] = {
        {.value = X, .kind = PART_X, .group = GROUP, .rho = NAN},
        {.value = X, .rho = log2(1e-6)},
        {.value = Y, .kind = PART_Y, .group = GROUP, .rho = NAN}};
    const struct sized_motion motion = {count,    QUANTITIES, KINDS, number,
                                        quantity, -INFINITY,  digits};
    sizes_along(&motion, size);
}

static struct motion_number number(int quantity, int point, double x, double terms)
{
    return (struct motion_number){quantity, point, log2(x), log2(terms), -INFINITY};
}

static void expect_size(const struct size *size, double want)
{
    cr_expect_float_eq(size->size, log2(want), 1e-6, "2^%g, not %g", size->size, want);
}

Test(size, of_a_value_is_the_largest_that_it_has_been)
{
    const struct motion_number all[] = {
        number(X, 0, 1e-300, 1e-300), number(Y, 0, 1e9, 1e9),
        number(X, 1, 3e-300, 1e-300), number(X, 2, 1e-306, 1e-300)};
    struct size size[4];
    sizes_of(all, 4, size);
    expect_size(&size[0], 1e-300);
    expect_size(&size[2], 3e-300);
    expect_size(&size[3], 3e-300);
}

/* Held, then let go: two roundings of zero count by what x comes to be. */
Test(size, of_what_is_zero_by_a_mode_is_what_it_comes_to_be)
{
    const struct motion_number all[] = {number(X, 0, 1e-70, 5), number(Y, 0, 1e9, 1e9),
                                        number(X, 1, 0, 5), number(X, 2, 0.03, 5)};
    struct size size[4];
    sizes_of(all, 4, size);
    expect_size(&size[0], 0.03);
    expect_size(&size[2], 0.03);
}

/* What x is rounding of, and not the larger y. */
Test(size, of_what_is_rounding_of_its_terms_is_theirs)
{
    const struct motion_number all[] = {
        number(X, 0, 1e-62, 1e-12), number(Y, 0, 1e9, 1e9), number(X, 1, 1e-63, 1e-12)};
    struct size size[3];
    sizes_of(all, 3, size);
    expect_size(&size[0], 1e-12);
    expect_size(&size[2], 1e-12);
}

/* A force in balance: its derivative is not zero. */
Test(size, of_what_is_zero_by_cancellation_is_its_noise)
{
    const struct motion_number all[] = {number(X, 0, 1e-70, 1e-60),
                                        number(DX, 0, 2e6, 1)};
    struct size size[2];
    sizes_of(all, 2, size);
    expect_size(&size[0], 2);
    expect_size(&size[1], 2e6);
}

Test(size, of_a_derivative_that_is_zero_is_its_value_over_the_parameter)
{
    const struct motion_number all[] = {number(X, 0, 3, 3), number(DX, 0, 0, 1)};
    struct size size[2];
    sizes_of(all, 2, size);
    expect_size(&size[1], 3e6);
}

/* Without terms, nor anything of its own, only its column group tells. */
Test(size, of_what_nothing_is_known_of_is_that_of_its_column_group)
{
    const struct motion_number all[] = {{X, 0, -INFINITY, NAN, -INFINITY},
                                        {Y, 0, 10, NAN, -INFINITY}};
    struct size size[2];
    sizes_of(all, 2, size);
    expect_size(&size[0], 1024);
}

Test(size, of_a_parameter_is_its_magnitude_and_one_for_zero)
{
    cr_expect_eq(parameter_size(-1e-31), 1e-31);
    cr_expect_eq(parameter_size(0), 1);
    cr_expect_eq(parameter_size_log2(-2000), -2000);
    cr_expect_eq(parameter_size_log2(-INFINITY), 0);
}
