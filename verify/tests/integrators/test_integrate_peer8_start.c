/*
 * test_integrate_peer8_start.c - the two-step method: how an arc begins, and what the
 * error control makes of it.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "orbit.h"

TestSuite(integrate_peer8_start, .timeout = 300);

/* --- a start as a step that goes on would have been --------------------------------- */

static enum status judge(struct orbit *orbit)
{
    double *const err[2] = { orbit->err[0], orbit->err[1] };

    return orbit->method->errors_of_first(orbit->work, &orbit->ode, err);
}

Test(integrate_peer8_start, a_start_has_the_errors_of_a_step_that_goes_on)
{
    static const double length[] = { 0.1, 0.2 };

    for (int k = 0; k < 2; k++) {
        struct orbit start, follows;
        double h = length[k];

        orbit_init(&start);
        go(&start, h);
        cr_expect_eq(judge(&start), OK);
        orbit_init_at(&follows, begin - h);
        go(&follows, h);
        go(&follows, h);
        for (int e = 0; e < 2; e++) {
            double size = distance(4, follows.err[e], (double[4]){ 0 });
            double off = distance(4, start.err[e], follows.err[e])/size;

            cr_log_info("h = %g, error %d: %.2g, off by %.2g of it", h, e, size, off);
            cr_expect_gt(size, 1e-12);
            cr_expect_lt(off, 0.02, "h = %g, error %d: %g", h, e, off);
        }
        orbit_end(&start);
        orbit_end(&follows);
    }
}

Test(integrate_peer8_start, what_its_errors_take_is_not_evaluated_again)
{
    struct orbit judged, straight;

    orbit_init(&judged);
    orbit_init(&straight);
    go(&judged, 0.1);
    go(&straight, 0.1);
    long calls = judged.kepler.calls;
    cr_expect_eq(judge(&judged), OK);
    cr_expect_eq(judged.kepler.calls - calls, LOOKING_BACK);
    cr_expect_eq(go(&judged, 0.12), S);
    cr_expect_eq(go(&straight, 0.12), LOOKING_BACK + S);
    cr_expect_arr_eq(judged.x, straight.x, sizeof judged.x);
    judged.method->interrupt(judged.work);
    go(&judged, 0.1);
    cr_expect_eq(go(&judged, 0.1), LOOKING_BACK + S, "of another start");
    orbit_end(&judged);
    orbit_end(&straight);
}

Test(integrate_peer8_start, a_start_that_cannot_be_judged_is_as_it_was)
{
    struct orbit judged, straight;

    for (int k = 1; k <= LOOKING_BACK; k++) {
        orbit_init(&judged);
        orbit_init(&straight);
        go(&judged, 0.1);
        go(&straight, 0.1);
        judged.kepler.with = NOT_FINITE;
        judged.kepler.fail_at = judged.kepler.calls + k;
        cr_expect_eq(judge(&judged), NOT_FINITE);
        cr_expect_eq(go(&judged, 0.1), LOOKING_BACK + S);
        go(&straight, 0.1);
        cr_expect_arr_eq(judged.x, straight.x, sizeof judged.x);
        orbit_end(&judged);
        orbit_end(&straight);
    }
}

/* --- the control -------------------------------------------------------------------- */

/* After the first step with its own error, and with that of a step that goes on. */
Test(integrate_peer8_start, the_second_step_is_chosen_as_if_the_first_had_gone_on)
{
    static const int begins[] = { 0, 4 };
    const struct integrator *method = integrator_find("peer8");
    const double error = 0.05, x[4] = { 1, 1, 1, 1 };
    struct control first, later;

    cr_assert_eq(control_init(&first, 1e-6, 0, 1, begins), OK);
    cr_assert_eq(control_init(&later, 1e-6, 0, 1, begins), OK);
    control_restart(&first, x);
    control_restart(&later, x);
    control_next(&first, method, 2, 0.9, x);
    control_next(&later, method, 2, error, x);
    double third = control_next(&later, method, 2, error, x);
    double second = control_second(&first, method, 2, error);
    cr_expect_float_eq(second, method->second_step*third, 1e-15);
    cr_expect_eq(control_next(&first, method, 2, 0.1, x),
                 control_next(&later, method, 2, 0.1, x), "and remembered so");
    cr_expect_eq(control_second(&first, method, -2, 1e-30), -2*method->growth);
    first.h_max = 2.5;
    cr_expect_eq(control_second(&first, method, -2, 1e-30), -2.5);
    cr_expect_lt(control_second(&first, method, 2, 1e3), 1.2);
    control_clear(&first);
    control_clear(&later);
}

Test(integrate_peer8_start, the_control_lets_steps_grow_no_more_than_it_may)
{
    static const int begins[] = { 0, 4 };
    const struct integrator *method = integrator_find("peer8");
    struct control control;
    double x[4] = { 1, 1, 1, 1 };

    cr_assert_eq(control_init(&control, 1e-6, 0, 1, begins), OK);
    control_restart(&control, x);
    cr_expect_gt(control_next(&control, method, 1, 1e-30, x), 2, "after a start");
    cr_expect_lt(control_next(&control, method, 1, 0, x), 2);
    cr_expect_lt(control_next(&control, method, 1, 1e-30, x), 2);
    cr_expect_gt(control_next(&control, integrators[0], 1, 1e-30, x), 2);
    control_clear(&control);
}

Test(integrate_peer8_start, the_control_takes_less_of_what_would_do_least_after_a_start)
{
    static const int begins[] = { 0, 4 };
    const struct integrator *both[] = { integrator_find("peer8"),
                                        integrator_find("rk86") };
    const double error = 0.01, x[4] = { 1, 1, 1, 1 };
    double after_start[2], would_do[2];

    for (int i = 0; i < 2; i++) {
        struct control control;

        cr_assert_eq(control_init(&control, 1e-6, 0, 1, begins), OK);
        control_restart(&control, x);
        after_start[i] = control_next(&control, both[i], 1, error, x);
        control_next(&control, both[i], 1, 1, x);
        would_do[i] = control_next(&control, both[i], 1, 1, x);
        control_clear(&control);
    }
    cr_expect_float_eq(would_do[0], both[0]->safety, 1e-15);
    cr_expect_lt(would_do[0], would_do[1]);
    cr_expect_lt(after_start[0]/would_do[0], 0.85*after_start[1]/would_do[1]);
}
