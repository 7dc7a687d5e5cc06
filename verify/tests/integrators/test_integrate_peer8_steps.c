/*
 * test_integrate_peer8_steps.c - the two-step method: what follows what, orders with
 * equal and unequal steps, stability. How an arc begins: test_integrate_peer8_start.c;
 * runs: test_integrate_peer8_runs.c.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "orbit.h"

TestSuite(integrate_peer8_steps, .timeout = 300);

/* --- what follows what -------------------------------------------------------------- */

Test(integrate_peer8_steps, a_step_takes_eight_evaluations_and_a_start_more)
{
    struct orbit orbit;
    double x[4], dx[4];

    orbit_init(&orbit);
    cr_expect_eq(try(&orbit, 0.02, x, dx), START_EVALUATIONS);
    cr_expect_eq(go(&orbit, 0.01), START_EVALUATIONS);
    cr_expect_eq(go(&orbit, 0.012), LOOKING_BACK + S);
    cr_expect_eq(go(&orbit, 0.01), S);
    cr_expect_eq(try(&orbit, 0.015, x, dx), S);
    cr_expect_eq(try(&orbit, 0.001, x, dx), S);
    cr_expect_eq(try(&orbit, 0.0201, x, dx), START_EVALUATIONS, "twice as long at most");
    cr_expect_eq(go(&orbit, 0.01), S, "the step before is still known");
    cr_expect_eq(go(&orbit, -0.01), START_EVALUATIONS, "backwards");
    cr_expect_eq(go(&orbit, -0.01), LOOKING_BACK + S);
    orbit.method->interrupt(orbit.work);
    cr_expect_eq(go(&orbit, -0.01), START_EVALUATIONS);
    cr_expect_eq(go(&orbit, -0.03), START_EVALUATIONS, "for which nobody looks back");
    orbit.method->restart(orbit.work);
    cr_expect_eq(go(&orbit, -0.01), START_EVALUATIONS);
    orbit_end(&orbit);
}

Test(integrate_peer8_steps, it_goes_on_from_a_projected_state_but_from_no_other)
{
    struct orbit orbit;

    orbit_init(&orbit);
    go(&orbit, 0.01);
    go(&orbit, 0.01);
    orbit.x[1] += 1e-9;
    cr_expect_eq(go(&orbit, 0.01), S);
    orbit.t += 1e-6;
    cr_expect_eq(go(&orbit, 0.01), START_EVALUATIONS);
    go(&orbit, 0.01);
    orbit.x[2] = -orbit.x[2];
    cr_expect_eq(go(&orbit, 0.01), START_EVALUATIONS);
    orbit_end(&orbit);
}

Test(integrate_peer8_steps, tries_leave_no_trace)
{
    struct orbit tried, straight;
    double x[4], dx[4], one[4], other[4];

    orbit_init(&tried);
    orbit_init(&straight);
    for (int k = 0; k < 20; k++) {
        double h = 0.02*(1 + 0.2*sin(k));

        try(&tried, 1.3*h, x, dx);
        tried.method->prepare(tried.work, &tried.ode);
        if (k % 3 == 0)
            try(&tried, 9*h, x, dx);
        try(&tried, 0.4*h, x, dx);
        go(&tried, h);
        go(&straight, h);
        cr_assert_arr_eq(tried.x, straight.x, sizeof tried.x, "step %d", k);
        cr_assert_arr_eq(tried.err, straight.err, sizeof tried.err, "step %d", k);
        tried.method->prepare(tried.work, &tried.ode);
        straight.method->prepare(straight.work, &straight.ode);
        tried.method->dense(tried.work, 0.3, 0, 4, one);
        straight.method->dense(straight.work, 0.3, 0, 4, other);
        cr_assert_arr_eq(one, other, sizeof one, "step %d", k);
    }
    orbit_end(&tried);
    orbit_end(&straight);
}

Test(integrate_peer8_steps, where_it_cannot_look_back_it_starts_anew)
{
    struct orbit orbit;
    double x[4], dx[4], *const err[2] = { orbit.err[0], orbit.err[1] };

    orbit_init(&orbit);
    go(&orbit, 0.01);
    orbit.kepler.with = NOT_FINITE;
    for (int k = 1; k <= LOOKING_BACK; k++) {
        orbit.kepler.fail_at = orbit.kepler.calls + k;
        cr_expect_eq(orbit.method->step(orbit.work, &orbit.ode, orbit.t, 0.01, orbit.x,
                                        orbit.dx, x, dx, err), NOT_FINITE);
        cr_expect_eq(orbit.kepler.calls, orbit.kepler.fail_at);
        cr_expect_eq(go(&orbit, 0.01), START_EVALUATIONS);
    }
    orbit_end(&orbit);
}

/* --- accuracy ----------------------------------------------------------------------- */

/* Over a length of 3 in n steps, of which one is `ratio` times as long as the next. */
static double error_of(int n, double ratio)
{
    struct orbit orbit;
    double h = 3.0/n;

    orbit_init(&orbit);
    for (int k = 0; k < n; k++)
        go(&orbit, 2*h*(k % 2 ? 1 : ratio)/(1 + ratio));
    double error = orbit_error(&orbit);
    orbit_end(&orbit);
    return error;
}

Test(integrate_peer8_steps, its_order_is_8_and_a_little_more_where_steps_are_equal)
{
    static const double ratio[] = { 1, 1.1, 1.5, 1.9 };

    for (int k = 0; k < 4; k++) {
        double order = log2(error_of(30, ratio[k])/error_of(60, ratio[k]));

        cr_log_info("ratio %g: order %.2f", ratio[k], order);
        cr_expect(order > 7.5 && order < 9.7, "ratio %g: %g", ratio[k], order);
    }
}

/* The largest estimate of n steps but the first. */
static double largest_estimate(int n)
{
    struct orbit orbit;
    double worst = 0;

    orbit_init(&orbit);
    for (int k = 0; k < n; k++) {
        double norm[2] = { 0, 0 };

        go(&orbit, 3.0/n);
        for (int e = 0; k > 0 && e < orbit.method->errors; e++)
            for (int i = 0; i < 4; i++)
                norm[e] = fmax(norm[e], fabs(orbit.err[e][i]));
        worst = fmax(worst, k > 0 ? control_combined(orbit.method, norm) : 0);
    }
    orbit_end(&orbit);
    return worst;
}

/* control.c relies on h^order. */
Test(integrate_peer8_steps, its_estimate_is_of_order_8_to_9)
{
    double order = log2(largest_estimate(40)/largest_estimate(80));

    cr_log_info("estimate: h^%.2f", order);
    cr_expect(order > 7.7 && order < 9.5, "%g", order);
}

/* Worst error of the extension on n steps, the first of them a start, and of the states
   inside the others. */
static double error_inside(int n, double *inner)
{
    struct orbit orbit;
    double worst = 0, h = 3.0/n, x[4], exact[4], theta;

    orbit_init(&orbit);
    *inner = 0;
    for (int k = 0; k < n; k++) {
        double from = orbit.t;

        go(&orbit, h);
        orbit.method->prepare(orbit.work, &orbit.ode);
        for (int i = 1; i < 10; i++) {
            orbit.method->dense(orbit.work, i/10.0, 0, 4, x);
            kepler_exact(eccentricity, from + i*h/10, exact);
            worst = fmax(worst, distance(4, x, exact));
        }
        for (int i = 0; k > 0 && i < 2; i++) {
            const double *y = orbit.method->inside(orbit.work, i, &theta);

            kepler_exact(eccentricity, from + theta*h, exact);
            *inner = fmax(*inner, distance(4, y, exact));
        }
    }
    orbit_end(&orbit);
    return worst;
}

Test(integrate_peer8_steps, states_inside_a_step_have_order_8_at_no_cost)
{
    double inner[2], worst[2];
    struct orbit orbit;

    for (int k = 0; k < 2; k++)
        worst[k] = error_inside(30*(1 + k), &inner[k]);
    cr_expect_gt(log2(worst[0]/worst[1]), 7.7);
    cr_expect_gt(log2(inner[0]/inner[1]), 7.7);
    orbit_init(&orbit);
    go(&orbit, 0.01);
    go(&orbit, 0.01);
    long calls = orbit.kepler.calls;
    orbit.method->prepare(orbit.work, &orbit.ode);
    cr_expect_eq(orbit.kepler.calls, calls);
    orbit_end(&orbit);
}

/* Worst errors of steps from exact states: at theta < 1/2, later, and at the end. */
static void errors_of_steps(int n, double worst[3])
{
    struct orbit orbit;
    double h = 3.0/n, x[4], exact[4];

    orbit_init(&orbit);
    go(&orbit, h);
    for (int k = 1; k < n; k++) {
        kepler_exact(eccentricity, orbit.t, orbit.x);
        kepler_rhs(&orbit.kepler, orbit.t, orbit.x, orbit.dx);
        go(&orbit, h);
        orbit.method->prepare(orbit.work, &orbit.ode);
        for (int i = 1; i <= 20; i++) {
            int part = i < 10 ? 0 : i < 20 ? 1 : 2;

            orbit.method->dense(orbit.work, i/20.0, 0, 4, x);
            kepler_exact(eccentricity, orbit.t - h + i*h/20, exact);
            worst[part] = fmax(worst[part], distance(4, x, exact));
        }
    }
    orbit_end(&orbit);
}

Test(integrate_peer8_steps, errors_inside_a_step_are_about_those_at_its_end)
{
    cr_expect(integrator_find("peer8")->solves_inside);
    for (int n = 15; n <= 30; n *= 2) {
        double worst[3] = { 0 };

        errors_of_steps(n, worst);
        cr_log_info("%d steps: %.2g, %.2g; %.2g", n, worst[0], worst[1], worst[2]);
        cr_expect_lt(worst[0], 1.2*worst[2], "%d", n);
        cr_expect_lt(worst[1], 2.5*worst[2], "%d", n);
    }
}

/* --- stability ---------------------------------------------------------------------- */

static enum status decay_rhs(void *context, double t, const double *x, double *dx)
{
    const double *z = context;

    (void)t;
    dx[0] = z[0]*x[0] - z[1]*x[1];
    dx[1] = z[1]*x[0] + z[0]*x[1];
    return OK;
}

/* How x' = z x grows over 300 steps of length one. */
static double growth(double real, double imaginary)
{
    double z[2] = { real, imaginary }, x[2] = { 1, 0 }, dx[2] = { real, imaginary };
    double e0[2], e1[2], *const err[2] = { e0, e1 };
    const struct integrator *method = integrator_find("peer8");
    struct ode ode = { .dim = 2, .rhs = decay_rhs, .context = z };
    void *work = method->alloc(2);

    for (int k = 0; k < 300; k++)
        cr_assert_eq(method->step(work, &ode, k, 1, x, dx, x, dx, err), OK);
    method->release(work);
    return hypot(x[0], x[1]);
}

Test(integrate_peer8_steps, it_is_stable_to_1_4_on_the_negative_axis_and_to_0_6_beside_it)
{
    for (double z = 0.1; z < 1.4; z += 0.1)
        cr_expect_lt(growth(-z, 0), 1, "%g", -z);
    cr_expect_gt(growth(-1.6, 0), 1);
    for (double z = 0.1; z < 0.6; z += 0.1)
        cr_expect_lt(growth(0, z), 1.01, "%g i", z);
    cr_expect_gt(growth(0, 1), 1.1);
}
