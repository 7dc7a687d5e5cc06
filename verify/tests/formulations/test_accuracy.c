/*
 * test_accuracy.c - observed orders and errors of whole hybrid runs, by integrator.
 */
#include "solving.h"

#include <stdlib.h>
#include <string.h>

/* Largest error of the event times and of the samples, sensitivities included, in digits
   lost: 10^-digits of the worst quantity. */
static double error_of(struct solving *s, const struct trajectory *truth)
{
    char name[128];
    struct trajectory *trajectory = solve(s);
    double digits = digits_between(trajectory, truth, name, sizeof name);
    trajectory_free(trajectory);
    return pow(10, -digits);
}

Test(accuracy, the_error_of_a_hybrid_run_is_proportional_to_its_tolerance)
{
    const char *const method[] = {"dop853", "gsl-rk8pd", "gsl-rkck", "gsl-rkf45"};
    struct solving s;
    solving_of_case(&s, "pendulum-wall", "index1");
    struct trajectory *truth = solve(&s);
    for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
        double error[2];
        s.request.integrator = integrator_find(method[i]);
        cr_assert_not_null(s.request.integrator);
        for (int k = 0; k < 2; k++) {
            s.request.rtol = k == 0 ? 1e-6 : 1e-9;
            s.request.atol = s.request.rtol * 1e-3;
            error[k] = error_of(&s, truth);
        }
        double slope = log10(error[0] / error[1]) / 3;
        cr_expect(slope > 0.7 && slope < 1.4, "%s: errors %.2e, %.2e: slope %.2f",
                  method[i], error[0], error[1], slope);
        cr_expect_leq(error[1], 1e-5, "%s: error %.2e at 1e-9", method[i], error[1]);
    }
    trajectory_free(truth);
    solving_end(&s);
}

/* A fault of the error control. A pendulum at rest has nothing to resolve, but its
   sensitivity to the initial angle is cos(sqrt(g/L) t). */
Test(accuracy, sensitivities_left_out_of_the_error_control_are_lost)
{
    struct solving s;
    solving_of_case(&s, "pendulum-stop", "ode");
    int th0 = model_parameter_index(s.model, "th0");
    double error[2] = {0, 0};
    s.value[th0] = 0;
    s.request.rtol = 1e-8;
    s.request.atol = 1e-11;
    for (int k = 0; k < 2; k++) {
        struct trajectory *t = solve_with_faults(&s, k == 1 ? FAULT_UNCONTROLLED : 0);
        cr_assert_eq(t->events, 0);
        for (int i = 0; i < t->samples; i++) {
            double got = t->sample[i].x[column(&t->columns, GROUP_Q, 0, th0)];
            error[k] = fmax(error[k], fabs(got - cos(sqrt(9.81) * t->sample[i].t)));
        }
        trajectory_free(t);
    }
    cr_expect_leq(error[0], 1e-6, "controlled: error %.2e", error[0]);
    cr_expect_geq(error[1], 100 * error[0], "uncontrolled: error %.2e against %.2e",
                  error[1], error[0]);
    solving_end(&s);
}

/* At rest the derivatives of the reactions begin at zero, in index 3 with the rounding of
   q over h^2: a cost of them has no amplitude yet that means anything. */
Test(accuracy, a_start_from_rest_meets_tight_tolerances_in_index_3)
{
    struct solving s;
    solving_of_case(&s, "andrews", "index3");
    s.request.rtol = 2e-12;
    s.request.atol = 2e-15;
    s.request.t_end = s.sample[0] = 2e-4;
    s.request.samples = 1;
    struct trajectory *t = solve(&s);       /* to the end, or it fails */
    cr_expect_eq(t->sample[t->samples - 1].t, 2e-4);
    trajectory_free(t);
    solving_end(&s);
}

/* The time of an event is found to rounding, not to the accuracy of the interpolant. */
Test(accuracy, event_times_of_a_polynomial_motion_are_exact)
{
    struct solving s;
    solving_of_case(&s, "bouncing-ball", "ode");
    struct trajectory *t = solve(&s);
    double expected = sqrt(2 * 50 / 9.8), flight = 2 * 0.8 * expected;
    for (int k = 0; k < t->events; k++) {
        cr_expect_float_eq(t->event[k].before.t, expected, 4e-15 * expected);
        expected += flight;
        flight *= 0.8;
    }
    trajectory_free(t);
    solving_end(&s);
}

/* The solver changes nothing it was given and gives the same bits again. */
Test(accuracy, two_runs_give_the_same_bits)
{
    struct solving s;
    solving_of_case(&s, "five-bar-nine", "penalty");
    struct trajectory *a = solve(&s), *b = solve(&s);
    cr_assert_eq(a->samples, b->samples);
    for (int k = 0; k < a->samples; k++)
        cr_expect_arr_eq(a->sample[k].x, b->sample[k].x,
                         (size_t)a->columns.count * sizeof(double));
    trajectory_free(a);
    trajectory_free(b);
    solving_end(&s);
}
