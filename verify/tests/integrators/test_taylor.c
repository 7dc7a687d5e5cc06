/*
 * test_taylor.c - Taylor series as an integrator in double, and the series of the motion.
 */
#include "solving.h"

#include <float.h>

#include "identical.h"
#include "integrators/integrator.h"
#include "integrators/methods.h"
#include "systems.h"

/* --- steps -------------------------------------------------------------------------- */

/* x'' = -x, with all coefficients by hand; fails when told to. */
struct oscillator {
    enum status status;
    int asked;
};

static enum status oscillator_rhs(void *context, double t, const double *x, double *dx)
{
    (void)t;
    (void)context;
    dx[0] = x[1];
    dx[1] = -x[0];
    return OK;
}

static enum status oscillator_series(void *context, double t, int order, double *const *x)
{
    struct oscillator *oscillator = context;
    (void)t;
    oscillator->asked = order;
    for (int k = 0; k < order; k++) {
        x[k + 1][0] = x[k][1] / (k + 1);
        x[k + 1][1] = -x[k][0] / (k + 1);
    }
    return oscillator->status;
}

static enum status step_of(void *work, struct oscillator *oscillator, double h,
                           double *x_new, double *err)
{
    struct ode ode = {.dim = 2, .rhs = oscillator_rhs, .context = oscillator,
                      .series = oscillator_series};
    double x[2] = {1, 0}, dx[2] = {0, -1}, dx_new[2], *errors[1] = {err};
    return integrator_taylor.step(work, &ode, 0, h, x, dx, x_new, dx_new, errors);
}

Test(taylor, the_order_follows_the_tolerance_and_the_error_the_order)
{
    const struct { double rtol; int order; } want[] = {
        {1e-1, 4}, {1e-6, 8}, {1e-9, 12}, {1e-13, 16}, {1e-30, 24}};
    void *work = integrator_taylor.alloc_series(2);
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        struct oscillator oscillator = {.status = OK};
        int p = integrator_taylor.aim(work, want[k].rtol);
        cr_expect_eq(p, want[k].order, "%g: order %d", want[k].rtol, p);
        for (double h = 0.5; h > 0.1; h /= 2) {
            double x_new[2], err[2], x[2];
            cr_assert_eq(step_of(work, &oscillator, h, x_new, err), OK);
            cr_expect_eq(oscillator.asked, p);
            /* What is left out begins with x_(p+1) h^(p+1); the last two terms are the
               estimate. */
            double left_out = pow(h, p + 1) / tgamma(p + 2) + 2 * DBL_EPSILON;
            cr_expect_lt(hypot(x_new[0] - cos(h), x_new[1] + sin(h)), 1.5 * left_out);
            double last = pow(h, p) / tgamma(p + 1), before = pow(h, p - 1) / tgamma(p);
            cr_expect_float_eq(fmax(err[0], err[1]), before, 1e-12 * before);
            cr_expect_float_eq(fmin(err[0], err[1]), last, 1e-12 * last);
            for (double theta = 0; theta <= 1; theta += 0.25) {
                integrator_taylor.dense(work, theta, 0, 2, x);
                cr_expect_lt(hypot(x[0] - cos(theta * h), x[1] + sin(theta * h)),
                             1.5 * left_out);
                integrator_taylor.dense(work, theta, 1, 1, x);
                cr_expect_lt(fabs(x[0] + sin(theta * h)), 1.5 * left_out);
            }
            for (int i = 0; i < STATES_INSIDE; i++) {
                double theta;
                const double *inside = integrator_taylor.inside(work, i, &theta);
                cr_expect(theta > 0 && theta < 1);
                cr_expect_lt(fabs(inside[0] - cos(theta * h)), 1.5 * left_out);
            }
        }
    }
    integrator_taylor.release(work);
}

Test(taylor, a_series_that_fails_or_is_not_there_ends_the_step_with_its_status)
{
    struct oscillator oscillator = {.status = SINGULAR};
    double x[2] = {1, 0}, dx[2] = {0, -1}, x_new[2], dx_new[2], err[2], *errors[] = {err};
    struct ode without = {.dim = 2, .rhs = oscillator_rhs};
    void *work = integrator_taylor.alloc_series(2);
    cr_expect_eq(step_of(work, &oscillator, 0.1, x_new, err), SINGULAR);
    cr_expect_eq(integrator_taylor.step(work, &without, 0, 0.1, x, dx, x_new, dx_new,
                                        errors), NOT_APPLICABLE);
    integrator_taylor.release(work);
}

/* s' = 1/(1 + c t^5), whose series has s_1 and s_6, s_11, ...: at order 13 the last two
   terms are zero. */
static const double fifth = 0.4;

static enum status fifth_rhs(void *context, double t, const double *x, double *dx)
{
    (void)context, (void)x;
    dx[0] = 1 / (1 + fifth * pow(t, 5));
    return OK;
}

static enum status fifth_series(void *context, double t, int order, double *const *x)
{
    double c = 1;
    (void)context;
    cr_assert_eq(t, 0);
    for (int k = 1; k <= order; k++) {
        x[k][0] = k % 5 == 1 ? c / k : 0;
        c *= k % 5 == 1 ? -fifth : 1;
    }
    return OK;
}

Test(taylor, terms_that_are_zero_by_chance_do_not_make_the_estimate)
{
    const struct ode ode = {.dim = 1, .rhs = fifth_rhs, .series = fifth_series};
    void *work = integrator_taylor.alloc_series(1);
    cr_assert_eq(integrator_taylor.aim(work, 1e-10), 13);
    for (double h = 1; h > 0.2; h /= 1.5) {
        double x = 0, dx = 1, x_new, dx_new, err = 0, *errors[] = {&err};
        double right = 0, c = 1;
        cr_assert_eq(integrator_taylor.step(work, &ode, 0, h, &x, &dx, &x_new, &dx_new,
                                            errors), OK);
        for (int k = 1; k < 400; k += 5, c *= -fifth)
            right += c * pow(h, k) / k;
        cr_expect_geq(err + DBL_EPSILON, fabs(x_new - right), "h = %g", h);
    }
    integrator_taylor.release(work);
}

/* --- of the motion ------------------------------------------------------------------ */

enum { ORDER = 5 };

/* The series at a state, moved along the one at x[0] by `step` unless that is 0. */
static void series_at(struct opened *b, double t, double step, double **x, double **moved)
{
    for (int n = 0; n < b->system->dim; n++) {
        double sum = 0;
        for (int k = ORDER; k >= 0; k--)
            sum = x[k][n] + step * sum;
        moved[0][n] = sum;
    }
    cr_assert_eq(system_series(b->system, t + step, ORDER, moved), OK, "%s",
                 b->s.diagnosis.place);
}

static double size_of(const double *x, int count)
{
    double size = 0;
    for (int n = 0; n < count; n++)
        size = fmax(size, fabs(x[n]));
    return size;
}

/* A thousandth of the time in which things change. */
static double short_time(double *const *x, int dim)
{
    double fastest = 1;
    for (int k = 1; k <= ORDER; k++)
        fastest = fmax(fastest, pow(size_of(x[k], dim) / size_of(x[0], dim), 1. / k));
    return 1e-3 / fastest;
}

/* Coefficient k of the state and of every column against the derivative of coefficient
   k - 1 along the motion, x_k = x'_(k-1)/k, by central differences. */
static void expect_derivatives(struct opened *b)
{
    int dim = b->system->dim, each = (ORDER + 1) * dim;
    double *block = calloc((size_t)(3 * each), sizeof *block), *x[3][ORDER + 1];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= ORDER; k++)
            x[i][k] = block + i * each + k * dim;
    memcpy(x[0][0], b->x, (size_t)dim * sizeof *b->x);
    series_at(b, 0.3, 0, x[0], x[0]);
    double h = short_time(x[0], dim);
    series_at(b, 0.3, h, x[0], x[1]);
    series_at(b, 0.3, -h, x[0], x[2]);
    for (int k = 1; k <= ORDER; k++) {
        double size = size_of(x[0][k], dim), error = 0;
        for (int n = 0; n < dim; n++) {
            double want = (x[1][k - 1][n] - x[2][k - 1][n]) / (2 * h) / k;
            error = fmax(error, fabs(want - x[0][k][n]));
        }
        cr_expect_leq(error, 2e-5 * size, "%s, %s: coefficient %d: %.1e of %.1e",
                      b->s.model->desc->name, b->s.request.formulation->name, k, error,
                      size);
    }
    free(block);
}

Test(taylor, every_coefficient_is_the_derivative_of_the_one_before)
{
    static const char *const made[][2] = {
        {"five-bar", "penalty"}, {"five-bar", "index1"}, {"five-bar", "baumgarte"},
        {"five-bar", "modified-lagrange"}, {"andrews", "index1"}, {"two-link", "ode"},
        {"slider-crank-friction", "index1"}, {"impact-oscillator", "ode"},
        {"event-algebra", "ode"}, {"flyball-governor", "baumgarte"}};
    struct random random = random_start();
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        struct opened b;
        cr_assert(open_system(&b, made[k][0], made[k][1], 2));
        state_at_start(&b, &random);
        expect_derivatives(&b);
        close_system(&b);
    }
}

/* --- runs --------------------------------------------------------------------------- */

/* Whole runs with all jumps and costs against another method. */
Test(taylor, runs_agree_with_those_of_a_runge_kutta_method)
{
    static const struct { const char *name, *formulation; double digits; } made[] = {
        {"five-bar", "penalty", 11}, {"five-bar", "index1", 11},
        {"bouncing-ball", "ode", 12}, {"andrews", "index1", 11},
        {"pendulum-wall", "baumgarte", 12},
        {"compass-gait", "ode", 11}, {"clocked-oscillator", "ode", 11},
        {"slider-crank-friction", "index1", 10}};
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        char name[128];
        struct solving s;
        solving_of_case(&s, made[k].name, made[k].formulation);
        struct trajectory *other = solve(&s);
        s.request.integrator = integrator_find("taylor");
        struct trajectory *taylor = solve(&s);
        double digits = digits_between(taylor, other, name, sizeof name);
        cr_expect_eq(taylor->events, other->events);
        cr_expect_lt(taylor->steps, other->steps);
        cr_expect_geq(digits, made[k].digits, "%s, %s: %.1f digits in %s", made[k].name,
                      made[k].formulation, digits, name);
        trajectory_free(other);
        trajectory_free(taylor);
        solving_end(&s);
    }
}

/* The order is chosen anew for every run. */
Test(taylor, a_run_is_the_same_whatever_tolerance_was_there_before)
{
    struct solving s;
    solving_of_case(&s, "pendulum-wall", "index1");
    s.request.integrator = integrator_find("taylor");
    struct trajectory *alone = solve(&s), *other, *again;
    struct runner *runner = runner_new(&s.request, &s.diagnosis);
    runner_tolerances(runner, 1e-5, 1e-8);
    cr_assert_eq(runner_run(runner, NULL, &other, &s.diagnosis), OK);
    runner_tolerances(runner, s.request.rtol, s.request.atol);
    cr_assert_eq(runner_run(runner, NULL, &again, &s.diagnosis), OK);
    cr_expect_null(difference(alone, again));
    cr_expect_not_null(difference(alone, other));
    trajectory_free(alone);
    trajectory_free(other);
    trajectory_free(again);
    runner_free(runner);
    solving_end(&s);
}

Test(taylor, what_has_no_series_is_refused)
{
    static const char *const made[][2] = {
        {"five-bar", "index3"}, {"five-bar", "ode"}, {"five-bar", "augmented"},
        {"five-bar-redundant", "baumgarte"}};
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        struct solving s;
        solving_of_case(&s, made[k][0], made[k][1]);
        s.request.integrator = integrator_find("taylor");
        refuse(&s, NOT_APPLICABLE);
        solving_end(&s);
    }
}
