/*
 * test_singular_crossing.c - configurations in which constraints are dependent: crossed,
 * or only come near.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "oracles/singular_crossing.h"

enum { ROWS = 3, COLUMNS = 4 };

/* Any 3 x 4 matrix of rank 3, with rows of different sizes. */
static const double some[ROWS * COLUMNS] = {
    2, 1, 0, 0.5, 300, -100, 400, 50, 0.01, 0.03, -0.02, 0.05};

/* Combinations of rows that are made zero, at right angles. */
static const double u[2][ROWS] = {{0.6, 0.48, 0.64}, {0.8, -0.36, -0.48}};

/* u' C = s u' C of before */
static void scale_along(double *C, const double *u_k, double s)
{
    for (int j = 0; j < COLUMNS; j++) {
        double row = 0;
        for (int i = 0; i < ROWS; i++)
            row += u_k[i] * C[i*COLUMNS + j];
        for (int i = 0; i < ROWS; i++)
            C[i*COLUMNS + j] -= (1 - s) * u_k[i] * row;
    }
}

/* On the way from one s to another in the first `count` directions, zero at s = 0. */
static double from_to(double from, double to, int count)
{
    struct crossing crossing;
    double part = INFINITY;
    crossing_init(&crossing, ROWS, COLUMNS);
    for (int end = 0; end < 2; end++) {
        double C[ROWS * COLUMNS];
        memcpy(C, some, sizeof C);
        for (int k = 0; k < count; k++)
            scale_along(C, u[k], end == 0 ? from : to);
        part = crossing_next(&crossing, C);
        if (end == 0)
            cr_expect(isinf(part), "crossed before there was a way");
    }
    crossing_clear(&crossing);
    return part;
}

Test(crossing, is_seen_and_placed_in_any_number_of_directions)
{
    for (int count = 1; count <= 2; count++) {
        cr_expect_float_eq(from_to(-0.3, 0.5, count), 0.375, 1e-9, "%d", count);
        cr_expect_float_eq(from_to(-1e-6, 1e-6, count), 0.5, 1e-6, "%d", count);
        cr_expect_float_eq(from_to(0.5, -0.3, count), 0.625, 1e-9, "%d", count);
        cr_expect_float_eq(from_to(-0.5, 1e-6, count), 1, 1e-5, "%d", count);
    }
}

Test(crossing, is_not_seen_where_a_motion_comes_near_and_goes_back)
{
    for (int count = 1; count <= 2; count++) {
        cr_expect(isinf(from_to(-0.3, -1e-6, count)), "%d", count);
        cr_expect(isinf(from_to(-1e-6, -0.3, count)), "%d", count);
        cr_expect(isinf(from_to(0.2, 0.1, count)), "%d", count);
    }
}

/* x y = e: from one arm of a hyperbola to the other its tangent turns by a right angle,
   and no row ever vanishes. */
Test(crossing, is_not_seen_on_the_way_round_a_corner)
{
    struct crossing crossing;
    crossing_init(&crossing, 1, 2);
    for (int k = -40; k <= 40; k++) {
        double x = exp(0.2 * k), e = 1e-4, C[2] = {e / x, x};
        cr_expect(isinf(crossing_next(&crossing, C)), "step %d", k);
    }
    crossing_restart(&crossing);
    for (int k = -10; k <= 10; k++) {
        double C[2] = {0, k + 0.25};
        double part = crossing_next(&crossing, C);
        cr_expect_eq(isfinite(part), k == 0, "step %d", k);
    }
    crossing_clear(&crossing);
}

/* u' C falls by a tenth in each step: what is left is zero as many steps ahead. */
Test(crossing, is_seen_ahead_where_the_volume_falls)
{
    struct crossing crossing;
    crossing_init(&crossing, ROWS, COLUMNS);
    for (int k = 10; k >= 2; k--) {
        double C[ROWS * COLUMNS];
        memcpy(C, some, sizeof C);
        scale_along(C, u[0], k / 10.0);
        crossing_next(&crossing, C);
        if (k < 10)
            cr_expect_float_eq(crossing_ahead(&crossing), k, 1e-9, "%d tenths", k);
    }
    crossing_next(&crossing, some);
    cr_expect(isinf(crossing_ahead(&crossing)), "away from it");
    crossing_clear(&crossing);
}

/* On x y = e, whose vertex is sqrt(2 e) from the origin. */
Test(crossing, a_turn_is_told_by_how_near_it_came)
{
    static const double e = 1e-4, vertex = 1.4143e-2;
    struct crossing crossing;
    crossing_init(&crossing, 1, 2);
    int near = 0, beside = 0;
    for (int k = -40; k <= 40; k++) {
        double x = sqrt(e) * exp(0.1151 * k), C[2] = {e / x, x};
        crossing_next(&crossing, C);
        near += crossing_turned(&crossing, 1.01 * vertex);
        beside += crossing_turned(&crossing, 0.99 * vertex);
    }
    cr_expect_eq(near, 1, "%d", near);
    cr_expect_eq(beside, 0, "%d", beside);
    crossing_clear(&crossing);
}
