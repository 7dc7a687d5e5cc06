/*
 * test_compensated_sum.c - what rounding takes from a sum is in the next one
 * (integrators/compensated_sum.h), and how much it takes inside a step.
 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "dae_steps.h"
#include "integrators/compensated_sum.h"

enum { STEPS = 20000 };

/* x' = 0.1 from x0 in steps of 0.01: each sum with 1e-3 is rounded to the same side, to a
   unit of 1.1e-13. */
static const double x0 = 1000.3, rate = 0.1, step = 0.01;

static enum status steady(void *context, double t, const double *x, double *dx)
{
    (void)context, (void)t, (void)x;
    dx[0] = rate;
    return OK;
}

static double drift(double x)
{
    return fabs(x - (x0 + STEPS*(step*rate)))/(x0*DBL_EPSILON);
}

/* With `tries` steps of another length before each, as a refused step is one. */
static double explicit_drift(const struct integrator *method, int tries)
{
    struct ode ode = {.dim = 1, .rhs = steady};
    double x = x0, dx = rate, e0, e1, away, away_dx, *const err[2] = {&e0, &e1};
    void *work = method->alloc(1);

    for (int n = 0; n < STEPS; n++) {
        for (int k = 0; k < tries; k++)
            method->step(work, &ode, n*step, 3*step, &x, &dx, &away, &away_dx, err);
        cr_assert_eq(method->step(work, &ode, n*step, step, &x, &dx, &x, &dx, err), OK);
    }
    method->release(work);
    return drift(x);
}

Test(integrate_carry, many_short_steps_of_our_own_methods_are_as_exact_as_one)
{
    static const char *const own[] = {"dop853", "rk87", "verner98"};
    const struct integrator *plain = integrator_find("gsl-rk8pd");

    for (int i = 0; i < 3; i++) {
        cr_expect_lt(explicit_drift(integrator_find(own[i]), 0), 4, "%s", own[i]);
        cr_expect_lt(explicit_drift(integrator_find(own[i]), 2), 4, "%s", own[i]);
    }
    cr_expect_gt(explicit_drift(plain, 0), 1000, "there is nothing to lose here");
}

static void steady_residual(double t, const number *y, const number *w, const number *rho,
                            number *R, number *g)
{
    (void)t, (void)y, (void)rho, (void)g;
    R[0] = w[0] - rate;
}

static void steady_motion(double t, const number *y, const number *rho, number *w)
{
    (void)t, (void)y, (void)rho;
    w[0] = rate;
}

Test(integrate_carry, and_those_of_radau)
{
    static const int no_chain[] = {-1}, index1[] = {0};
    static const struct dae_problem problem = {
        .name = "y' = 0.1", .d = 1, .unknowns = 1, .rate = no_chain, .lost = index1,
        .residual = steady_residual, .motion = steady_motion};
    static const double no_rho[DAE_COLUMNS];
    struct dae dae;
    double x[DAE_DIM] = {x0};

    dae_init(&dae, &problem, 0, no_rho);
    dae_fixed_steps(&dae, 0, step, STEPS, x, NULL);
    cr_expect_lt(drift(x[0]), 4);
}

Test(integrate_carry, nothing_is_carried_to_a_component_that_someone_has_set)
{
    static const double start[2] = {1, 1}, change[2] = {1e-17, 1e-17}, none[2];
    struct compensated_sum carry;
    struct arena arena = {0};
    double end[2], given[2], moved[2];

    compensated_init(&carry, &arena, 2);
    compensated_start(&carry, false, 0, start, none, none);
    compensated_sum(&carry, start, change, end, given);
    moved[0] = end[0];
    moved[1] = nextafter(end[1], 2);
    const double *lost = compensated_start(&carry, false, 0.5, moved, start, end);
    cr_expect_eq(lost[0], 1e-17);
    cr_expect_eq(lost[1], 0);
    arena_free(&arena);
}

/* Nor is it asked, if it is known that nobody has. */
Test(integrate_carry, what_is_known_to_be_as_it_was_is_not_compared)
{
    static const double start[2] = {1, 1}, change[2] = {1e-17, 1e-17}, other[2] = {3, 4};
    struct compensated_sum carry;
    struct arena arena = {0};
    double end[2], given[2];

    compensated_init(&carry, &arena, 2);
    compensated_start(&carry, false, 0, start, other, other);
    compensated_sum(&carry, start, change, end, given);
    const double *lost = compensated_start(&carry, true, 0.5, NULL, start, end);
    cr_expect(carry.same);
    cr_expect_eq(lost[0], 1e-17);
    cr_expect_eq(lost[1], 1e-17);
    arena_free(&arena);
}

Test(integrate_carry, a_sum_and_what_it_lost_are_exact_whatever_their_sizes)
{
    static const double x[4] = {1, 0x1p-62, -3, 0.1}, change[4] = {0x1p-60, 1, 3, 16};
    struct compensated_sum carry;
    struct arena arena = {0};
    double end[4], given[4];

    compensated_init(&carry, &arena, 4);
    compensated_start(&carry, false, 0, x, x, x);
    compensated_sum(&carry, x, change, end, given);
    for (int n = 0; n < 4; n++) {
        cr_expect_eq(end[n], x[n] + change[n]);
        cr_expect_eq(given[n], end[n]);
        cr_expect_eq((long double)x[n] + change[n] - end[n], carry.lost_new[n]);
    }
    arena_free(&arena);
}

/* --- inside a step ------------------------------------------------------------------ */

static enum status throw_rhs(void *context, double t, const double *x, double *dx)
{
    (void)context, (void)t;
    dx[0] = x[1];
    dx[1] = -9.81;
    return OK;
}

/* The error of one step of a throw, whatever its length, and of its extension, in units
   of the last place of what is summed: a parabola is integrated exactly. */
static double rounding_of_throw(const struct integrator *method, unsigned *seed)
{
    struct ode ode = { .dim = 2, .rhs = throw_rhs };
    double start[3], dx[2], there[2], x_new[2];
    double e0[2], e1[2], *const err[2] = { e0, e1 };
    for (int i = 0; i < 3; i++)
        start[i] = 0.5 + 8.0*rand_r(seed)/RAND_MAX;
    double x[2] = { start[0], start[1] }, h = start[2]/4, worst = 0;
    void *work = method->alloc(2);
    throw_rhs(NULL, 0, x, dx);
    cr_assert_eq(method->step(work, &ode, 0, h, x, dx, x_new, there, err), OK);
    cr_assert_eq(method->prepare(work, &ode), OK);
    for (int k = 1; k <= 20; k++) {
        long double t = k/20.0*(long double)h, g = -dx[1];
        long double want = x[0] + t*(x[1] - g*t/2);
        method->dense(work, k/20.0, 0, 2, there);
        worst = fmax(worst, (double)fabsl(there[0] - want));
    }
    method->release(work);
    return worst/(DBL_EPSILON*(x[0] + h*x[1] + h*h*9.81/2));
}

/* Large coefficients that cancel round what slopes have in common: Verner's efficient
   pair 8(7), whose are up to 1.9e5 in its extension, leaves 2450 such units. */
Test(integrate_carry, rounding_inside_a_step_is_a_few_units_of_the_last_place)
{
    int asked = 0;
    for (int i = 0; integrators[i]; i++) {
        double worst = 0;
        unsigned seed = 7;
        if (!integrators[i]->pair)
            continue;
        for (int trial = 0; trial < 100; trial++)
            worst = fmax(worst, rounding_of_throw(integrators[i], &seed));
        printf("%-10s %.1f units\n", integrators[i]->name, worst);
        cr_expect_lt(worst, 16, "%s: %.1f units", integrators[i]->name, worst);
        asked++;
    }
    cr_expect_geq(asked, 4);
}
