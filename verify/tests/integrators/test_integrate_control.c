/*
 * test_integrate_control.c - the step-size control: true errors against tolerances,
 * groups, refusals, first steps.
 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kepler.h"

enum { MOST = 16 };

/* From t to t_end in steps of whatever size; x in and out. Tries are limited. */
static enum status integrate(const struct integrator *method, struct control *control,
                             const struct ode *ode, double t, double t_end, double *x)
{
    double dx[MOST], x1[MOST], dx1[MOST], e0[MOST], e1[MOST], *const err[2] = { e0, e1 };
    enum status status = ode->rhs(ode->context, t, x, dx);
    void *work = method->alloc(ode->dim);
    size_t size = (size_t)ode->dim*sizeof *x;

    control_restart(control, x);
    double h = control_first(control, method, ode, t, t_end, x, dx, x1, dx1);
    for (long tries = 0; status == OK && fabs(t_end - t) > 0; tries++) {
        bool last = fabs(h) >= fabs(t_end - t);

        if (last)
            h = t_end - t;
        status = tries < 200000 ? method->step(work, ode, t, h, x, dx, x1, dx1, err)
                                : TOO_MANY_STEPS;
        if (status != OK)
            break;
        double error = control_error(control, method, x1, err), done = h;
        h = control_next(control, method, h, error, x1);
        if (error > 1)
            continue;
        t = last ? t_end : t + done;
        memcpy(x, x1, size);
        memcpy(dx, dx1, size);
    }
    method->release(work);
    return status;
}

static const int two_groups[] = { 0, 2, 4 };

/* Error after one revolution, in units of rtol. */
static double revolution(const struct integrator *method, double e, double rtol,
                         long *steps)
{
    struct kepler kepler = { .copies = 1, .scale = 1 };
    struct ode ode = { .dim = 4, .rhs = kepler_rhs, .context = &kepler };
    struct control control;
    double x[4], exact[4];

    cr_assert_eq(control_init(&control, rtol, 0, 2, two_groups), OK);
    kepler_exact(e, 0, x);
    kepler_exact(e, 0, exact);
    cr_assert_eq(integrate(method, &control, &ode, 0, 8*atan(1), x), OK);
    *steps = control.steps + control.rejections;
    control_clear(&control);
    return distance(4, x, exact)/rtol;
}

/* Of a tolerance and two that are close to it: where an error changes its sign, one of
   them may have hardly any. */
static double largest_near(const struct integrator *method, double e, double rtol,
                           long *steps)
{
    double most = 0;

    for (int k = 0; k < 3; k++)
        most = fmax(most, revolution(method, e, rtol*pow(2, k/3.0), steps));
    return most;
}

/* Proportional: within a factor of 20 over all decades. The size of the quotient is the
   conditioning of the problem, which grows with the eccentricity; an error of less than
   what that makes of the rounding of all steps is less by chance. */
static void check_proportional(const struct integrator *method, double e, int digits,
                               double limit)
{
    double least = INFINITY, most = 0;
    long steps = 0;

    for (int d = 6; d <= digits; d++) {
        double quotient = largest_near(method, e, pow(10, -d), &steps);
        double rounding = limit*sqrt((double)steps)*DBL_EPSILON/pow(10, -d);

        least = fmin(least, fmax(quotient, rounding));
        most = fmax(most, quotient);
    }
    cr_assert_lt(most, 20*least, "%s, e = %g: %g to %g", method->name, e, least, most);
    cr_assert_lt(most, limit, "%s, e = %g: %g", method->name, e, most);
    printf("%-10s e = %.1f: error/rtol %.2g to %.2g, %ld steps at 1e-%d\n", method->name,
           e, least, most, steps, digits);
}

Test(integrate_control, true_errors_follow_the_tolerance_from_1e_6_down)
{
    for (int i = 0; integrators[i]; i++) {
        if (!integrators[i]->alloc)
            continue;
        int order = integrators[i]->order;
        int digits = order >= 8 ? 13 : order == 5 ? 10 : 7;

        check_proportional(integrators[i], 0.5, digits, order >= 8 ? 10 : 300);
        check_proportional(integrators[i], 0.7, digits, order >= 8 ? 200 : 2000);
        check_proportional(integrators[i], 0.9, digits, order >= 8 ? 5000 : 60000);
    }
}

/* Restricted three-body problem (HNW II.0): periodic, with very different step sizes. */
static enum status arenstorf_rhs(void *context, double t, const double *x, double *dx)
{
    const double mu = 0.012277471, nu = 1 - mu;
    double r1 = hypot(x[0] + mu, x[1]), r2 = hypot(x[0] - nu, x[1]);
    double d1 = r1*r1*r1, d2 = r2*r2*r2;

    (void)context, (void)t;
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = x[0] + 2*x[3] - nu*(x[0] + mu)/d1 - mu*(x[0] - nu)/d2;
    dx[3] = x[1] - 2*x[2] - nu*x[1]/d1 - mu*x[1]/d2;
    return OK;
}

Test(integrate_control, dop853_closes_the_arenstorf_orbit)
{
    const double period = 17.0652165601579625588917206249;
    const double start[4] = { 0.994, 0, 0, -2.00158510637908252240537862224 };
    struct ode ode = { .dim = 4, .rhs = arenstorf_rhs };

    for (int d = 10; d <= 13; d++) {
        double x[4];
        struct control control;

        memcpy(x, start, sizeof x);
        cr_assert_eq(control_init(&control, pow(10, -d), 0, 2, two_groups), OK);
        cr_assert_eq(integrate(integrator_find("dop853"), &control, &ode, 0, period,
                               x), OK);
        printf("Arenstorf, rtol 1e-%d: error %.2g, %ld steps, %ld refused\n", d,
               distance(2, x, start), control.steps, control.rejections);
        cr_assert_lt(distance(2, x, start), 1e6*pow(10, -d));
        cr_assert_lt(control.rejections, control.steps/3);
        control_clear(&control);
    }
}

Test(integrate_control, backwards_is_as_good_as_forwards)
{
    for (int i = 0; integrators[i]; i++) {
        if (!integrators[i]->alloc)
            continue;
        struct kepler kepler = { .copies = 1, .scale = 1 };
        struct ode ode = { .dim = 4, .rhs = kepler_rhs, .context = &kepler };
        struct control control;
        double x[4], exact[4];

        cr_assert_eq(control_init(&control, 1e-7, 0, 2, two_groups), OK);
        kepler_exact(0.3, 3, x);
        cr_assert_eq(integrate(integrators[i], &control, &ode, 3, -1, x), OK);
        kepler_exact(0.3, -1, exact);
        cr_assert_lt(distance(4, x, exact), 2e-5, "%s", integrators[i]->name);
        control_clear(&control);
    }
}

/* A wide orbit and a narrow one 1e-8 times its size, together; the error of the narrow
   one in its own size. */
static double error_of_the_small(int groups, const int *group_begin)
{
    struct kepler kepler = { .copies = 2, .scale = 1e-8 };
    struct ode ode = { .dim = 8, .rhs = kepler_rhs, .context = &kepler };
    struct control control;
    double x[8], exact[4];

    cr_assert_eq(control_init(&control, 1e-9, 0, groups, group_begin), OK);
    kepler_exact(0.1, 0, x);
    kepler_exact(0.8, 1, x + 4);
    for (int i = 4; i < 8; i++)
        x[i] *= kepler.scale;
    cr_assert_eq(integrate(integrators[0], &control, &ode, 0, 6, x), OK);
    kepler_exact(0.8, 7, exact);
    for (int i = 4; i < 8; i++)
        x[i] /= kepler.scale;
    control_clear(&control);
    return distance(4, x + 4, exact);
}

Test(integrate_control, a_tiny_group_is_accurate_only_when_it_is_a_group)
{
    static const int separate[] = { 0, 2, 4, 6, 8 }, mixed[] = { 0, 8 };
    static const int left_out[] = { 0, 2, 4 };

    cr_assert_lt(error_of_the_small(4, separate), 1e-6);
    cr_assert_gt(error_of_the_small(1, mixed), 1e-3);
    cr_assert_gt(error_of_the_small(2, left_out), 1e-3);
}

Test(integrate_control, an_error_that_is_not_a_number_refuses_the_step)
{
    static const int one_group[] = { 0, 2 };
    const struct integrator *method = integrator_find("dop853");
    const struct integrator *radau = integrator_find("radau");
    double x[2] = { 1, 2 }, good[2] = { 1, 2 }, bad[2] = { NAN, 2 };
    double huge[2] = { 1e200, 0 }, tiny[2] = { 1e-9, 0 }, zero[2] = { 0, 0 };
    double *const bad_first[2] = { bad, tiny }, *const bad_second[2] = { tiny, bad };
    double *const fine[2] = { tiny, tiny }, *const awful[2] = { huge, huge };
    double faint[2] = { 1e-180, 0 };
    double *const none[2] = { zero, zero }, *const hardly_any[2] = { faint, faint };
    struct control control;

    cr_assert_eq(control_init(&control, 1e-6, 0, 1, one_group), OK);
    control_restart(&control, x);
    cr_assert_gt(control_error(&control, method, good, bad_first), 1e300);
    cr_assert_gt(control_error(&control, method, good, bad_second), 1e300);
    cr_assert_gt(control_error(&control, method, bad, fine), 1e300);
    cr_assert_gt(control_error(&control, method, good, awful), 1e100);
    cr_assert_lt(control_error(&control, method, good, fine), 1);
    cr_assert_lt(control_error(&control, method, zero, none), 1e-300);
    /* its square is zero, and the ratio of squares 0/0 */
    cr_assert_lt(control_error(&control, method, good, hardly_any), 1e-100);
    cr_assert_lt(control_error(&control, radau, good, hardly_any), 1e-100);
    double next = control_next(&control, method, -0.5, NAN, bad);
    cr_assert(next < 0 && next > -0.25);
    cr_assert_eq(control.rejections, 1);
    cr_assert_eq(control.steps, 0);
    /* After a refusal the next step does not grow; the one after may. */
    cr_assert_geq(control_next(&control, method, -0.5, 1e-8, good), -0.5);
    cr_assert_lt(control_next(&control, method, -0.5, 1e-8, good), -0.5);
    control_clear(&control);
}

Test(integrate_control, a_restart_forgets_the_last_error_but_not_the_amplitudes)
{
    const double large[4] = { 5, 0, 7, 0 }, small[4] = { 1, 0, 1, 0 };
    struct control control;

    cr_assert_eq(control_init(&control, 1e-6, 0, 2, two_groups), OK);
    control_restart(&control, large);
    double fresh = control_next(&control, integrators[0], 1, 0.5, small);
    cr_assert_gt(fabs(control_next(&control, integrators[0], 1, 0.5, small) - fresh),
                 1e-3);
    control_restart(&control, small);
    double again = control_next(&control, integrators[0], 1, 0.5, small);
    cr_assert_lt(fabs(again - fresh), 1e-15);
    cr_assert_eq(control.steps, 3);
    cr_assert(control.amplitude[0] >= 5 && control.amplitude[1] >= 7);
    control_clear(&control);
}

/* The step proposed by a method that remembers so much, after two errors. */
static double proposed(double memory, double before, double error)
{
    const double x[4] = { 1, 1, 1, 1 };
    struct integrator method = *integrator_find("rk87");
    struct control control;

    method.memory = memory;
    cr_assert_eq(control_init(&control, 1e-6, 0, 2, two_groups), OK);
    control_restart(&control, x);
    control_next(&control, &method, 1, before, x);
    double next = control_next(&control, &method, 1, error, x);
    control_clear(&control);
    return next;
}

/* With beta = memory/order; of a method that says nothing, 0.2; no error counts for less
   than two hundredths of the tolerance. */
Test(integrate_control, the_last_error_counts_as_much_as_a_method_remembers)
{
    for (double memory = 0.1; memory < 0.5; memory += 0.1)
        cr_expect_float_eq(proposed(memory, 0.8, 0.5)/proposed(memory, 0.2, 0.5),
                           pow(4, memory/8), 1e-14, "%g", memory);
    cr_expect_float_eq(proposed(0, 0.8, 0.5), proposed(0.2, 0.8, 0.5), 1e-15);
    cr_expect_float_eq(proposed(0.3, 1e-9, 0.5), proposed(0.3, 0.02, 0.5), 1e-15);
    cr_expect_lt(proposed(0.3, 0.02, 0.5), proposed(0.3, 0.03, 0.5));
}

/* In every group the error is measured by the largest magnitude so far, 5 and 7. */
Test(integrate_control, a_magnitude_once_reached_counts_from_then_on)
{
    const double large[4] = { 5, 0, 7, 0 }, small[4] = { 1, 0, 1, 0 };
    const struct integrator *method = integrator_find("rk87");
    struct control control;

    cr_assert_eq(control_init(&control, 1e-6, 0, 2, two_groups), OK);
    control_restart(&control, large);
    for (int g = 0; g < 2; g++) {
        double e[4] = { 0 }, *const err[1] = { e };

        e[2*g] = 1e-6*large[2*g];
        cr_expect_float_eq(control_error(&control, method, small, err), 1, 1e-14,
                           "group %d", g);
    }
    control_clear(&control);
}

/* Errors of the second group, which is at rest, in units of what its floor allows. */
Test(integrate_control, a_group_at_rest_is_measured_by_another)
{
    const double x[6] = { 3, -4, 0, 0, 0, 0 };
    const int three_groups[] = { 0, 2, 4, 6 };
    double e0[6] = { [2] = 2e-9 }, e1[6] = { [2] = 2e-9 }, *const err[2] = { e0, e1 };
    const struct integrator *method = integrators[0];
    struct control control;

    cr_assert_eq(control_init(&control, 1e-6, 0, 3, three_groups), OK);
    control_restart(&control, x);
    cr_assert(isinf(control_error(&control, method, x, err)));
    control_floor(&control, 1, 0, 0.5);
    double error = control_error(&control, method, x, err);
    e0[2] = e1[2] = 0;
    e0[0] = e1[0] = 4e-9;
    cr_assert_float_eq(control_error(&control, method, x, err), error, 1e-15);
    /* a floor of a floor */
    control_floor(&control, 2, 1, 0.25);
    e0[0] = e1[0] = 0;
    e0[4] = e1[4] = 5e-10;
    cr_assert_float_eq(control_error(&control, method, x, err), error, 1e-15);
    control_clear(&control);
}

Test(integrate_control, first_steps_have_the_size_and_direction_of_the_problem)
{
    struct kepler kepler = { .copies = 1, .scale = 1 };
    struct ode ode = { .dim = 4, .rhs = kepler_rhs, .context = &kepler };
    struct control control;
    double x[4], dx[4], x1[4], dx1[4];

    cr_assert_eq(control_init(&control, 1e-9, 0, 2, two_groups), OK);
    kepler_exact(0.5, 0, x);
    kepler_rhs(&kepler, 0, x, dx);
    double h = control_first(&control, integrators[0], &ode, 0, 6, x, dx, x1, dx1);
    cr_assert(h > 1e-3 && h < 0.5, "%g", h);
    h = control_first(&control, integrators[0], &ode, 0, -6, x, dx, x1, dx1);
    cr_assert(h < -1e-3 && h > -0.5, "%g", h);
    control.h_max = 1e-4;
    h = control_first(&control, integrators[0], &ode, 0, -6, x, dx, x1, dx1);
    cr_assert(h >= -1e-4 && h < 0);
    kepler.fail_at = kepler.calls + 1;
    kepler.with = NOT_FINITE;
    h = control_first(&control, integrators[0], &ode, 0, 6, x, dx, x1, dx1);
    cr_assert(h > 0 && h <= 1e-4);
    control_clear(&control);
}

/* (x0, x1) turns; (x2, x3) are driven by it and start at zero, as sensitivities do. */
static enum status driven_rhs(void *context, double t, const double *x, double *dx)
{
    rotation_rhs(context, t, x, dx);
    dx[2] = x[0];
    dx[3] = x[1];
    return OK;
}

Test(integrate_control, first_steps_are_sensible_also_from_zero)
{
    struct ode driven = { .dim = 4, .rhs = driven_rhs };
    struct ode rotation = { .dim = 2, .rhs = rotation_rhs };
    struct control control;
    double x[4] = { 1, 0, 0, 0 }, dx[4] = { 0, 1, 1, 0 }, x1[4], dx1[4], h;
    static const double atol[2] = { 0, 1e-30 };

    /* Everything zero, no absolute tolerance: only the slope tells. */
    cr_assert_eq(control_init(&control, 1e-9, 0, 1, two_groups), OK);
    h = control_first(&control, integrators[0], &rotation, 0, 6, x + 2, dx, x1, dx1);
    cr_assert(h > 1e-7 && h <= 6, "%g", h);
    control_clear(&control);
    /* A zero group does not make the step tiny, whatever the absolute tolerance. */
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(control_init(&control, 1e-9, atol[i], 2, two_groups), OK);
        control_restart(&control, x);
        h = control_first(&control, integrators[0], &driven, 0, 6, x, dx, x1, dx1);
        cr_assert(h > 1e-3 && h < 1, "%g", h);
        control_clear(&control);
    }
}

Test(integrate_control, tolerances_that_make_no_sense_are_refused)
{
    struct control control;

    cr_assert_eq(control_init(&control, 0, 0, 2, two_groups), BAD_INPUT);
    cr_assert_eq(control_init(&control, -1e-6, 1, 2, two_groups), BAD_INPUT);
    cr_assert_eq(control_init(&control, NAN, 1, 2, two_groups), BAD_INPUT);
    cr_assert_eq(control_init(&control, 1e-17, 0, 2, two_groups), PRECISION);
    control_clear(&control);
    cr_assert_eq(control_init(&control, 1e-9, 1e-6, 2, two_groups), OK);
    control_clear(&control);
}
