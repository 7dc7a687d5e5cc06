/*
 * test_bernstein_roots.c - roots on a step: of functions given by their values at the
 * nodes, and of a guard that starts a step at its root.
 */
#include "solving.h"

#include "events/bernstein_roots.h"

/* --- roots of functions ------------------------------------------------------------- */

static double isolate(double (*f)(double), int direction, bool *touching)
{
    struct bernstein bernstein;
    double value[BERNSTEIN_POINTS];
    bernstein_init(&bernstein);
    for (int i = 0; i < BERNSTEIN_POINTS; i++)
        value[i] = f(bernstein.node[i]);
    return bernstein_first(&bernstein, value, direction, touching);
}

static double two_roots(double x) { return (x - 0.30) * (x - 0.31); }
static double double_root(double x) { return (x - 0.4) * (x - 0.4); }
static double no_root(double x) { return (x - 0.4) * (x - 0.4) + 1e-6; }
static double many_roots(double x) { return cos(9 * x); }

Test(bernstein, two_crossings_within_one_step_are_both_seen)
{
    bool touching;
    cr_expect_float_eq(isolate(two_roots, -1, &touching), 0.30, 1e-9);
    cr_expect_float_eq(isolate(two_roots, +1, &touching), 0.31, 1e-9);
    cr_expect_float_eq(isolate(two_roots, 0, &touching), 0.30, 1e-9);
    cr_expect(!touching);
}

Test(bernstein, an_even_root_is_touching_and_a_near_miss_is_not)
{
    bool touching;
    isolate(double_root, 0, &touching);
    cr_expect(touching);
    cr_expect(isnan(isolate(no_root, 0, &touching)));
    cr_expect(!touching);
}

Test(bernstein, the_first_of_many_roots_in_each_direction_is_found)
{
    bool touching;
    cr_expect_float_eq(isolate(many_roots, -1, &touching), M_PI / 18, 1e-6);
    cr_expect_float_eq(isolate(many_roots, +1, &touching), M_PI / 6, 1e-6);
}

/* --- a guard with a root at the start ----------------------------------------------- */

static double of_degree_13(double x) { return 3 + x - 5 * pow(x, 4) + pow(x - 0.3, 13); }

Test(bernstein, a_function_that_is_not_known_at_the_start_is_extrapolated)
{
    struct bernstein bernstein;
    double value[BERNSTEIN_POINTS];
    bernstein_init(&bernstein);
    for (int i = 0; i < BERNSTEIN_POINTS; i++)
        value[i] = i == 0 ? NAN : of_degree_13(bernstein.node[i]);
    cr_expect_float_eq(bernstein_limit(&bernstein, value), of_degree_13(0), 1e-13);
}

/* The velocity of impact-oscillator is zero at the start of steps after `turning`. Radau
   IIA's extension begins there with a slope that is off by up to 1e-7 of it, more than an
   interpolant may be: to divide by the root and take the slope of the motion for the
   value there was refused at most tolerances. */
Test(bernstein, a_collocation_method_goes_on_from_a_root_at_any_tolerance)
{
    struct solving s;
    solving_of_case(&s, "impact-oscillator", "ode");
    struct trajectory *want = solve(&s);
    solving_end(&s);
    solving_of_case(&s, "impact-oscillator", "implicit");
    for (double rtol = 1e-5; rtol > 1e-10; rtol /= 10) {
        s.request.rtol = rtol;
        s.request.atol = rtol / 1000;
        struct trajectory *got = solve(&s);
        cr_assert_eq(got->events, want->events);
        for (int k = 0; k < got->events; k++)
            cr_expect_float_eq(got->event[k].before.t, want->event[k].before.t,
                               10 * rtol * want->event[k].before.t);
        trajectory_free(got);
    }
    trajectory_free(want);
    solving_end(&s);
}
