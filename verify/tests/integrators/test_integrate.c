/*
 * test_integrate.c - what each integrator promises for one step: orders, extension,
 * failure, direction, complex numbers. The step-size control: test_integrate_control.c;
 * implicit methods: test_radau.c.
 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "integrators/erk_work.h"
#include "kepler.h"

static double scalar_error(const struct integrator *integrator, double *const *err,
                           int dim)
{
    double norm[2] = { 0, 0 };

    for (int e = 0; e < integrator->errors; e++)
        for (int i = 0; i < dim; i++)
            norm[e] = fmax(norm[e], fabs(err[e][i]));
    return control_combined(integrator, norm);
}

static const double eccentricity = 0.4, begin = 0.5, length = 3;

/* With n equal steps: error at the end, and the worst of each single step from an exact
   start: of the solution, of the extension, and as estimated. */
struct errors {
    double global, local, dense, estimate;
    long calls;                 /* of one step */
};

static double dense_error(const struct integrator *integrator, const void *work, double t,
                          double h)
{
    double x[4], exact[4], worst = 0;

    for (int k = 1; k < 20; k++) {
        kepler_exact(eccentricity, t + k*h/20, exact);
        integrator->dense(work, k/20.0, 0, 4, x);
        worst = fmax(worst, distance(4, x, exact));
    }
    return worst;
}

static void measure_step(const struct integrator *integrator, void *work, double t,
                         double h, struct errors *errors)
{
    struct kepler kepler = { .copies = 1, .scale = 1 };
    struct ode ode = { .dim = 4, .rhs = kepler_rhs, .context = &kepler };
    double x[4], dx[4], exact[4], e0[4], e1[4], *const err[2] = { e0, e1 };

    kepler_exact(eccentricity, t, x);
    kepler_rhs(&kepler, t, x, dx);
    kepler.calls = 0;
    cr_assert_eq(integrator->step(work, &ode, t, h, x, dx, x, dx, err), OK);
    errors->calls = kepler.calls;
    kepler_exact(eccentricity, t + h, exact);
    errors->local = fmax(errors->local, distance(4, x, exact));
    errors->estimate = fmax(errors->estimate, scalar_error(integrator, err, 4));
    cr_assert_eq(integrator->prepare(work, &ode), OK);
    errors->dense = fmax(errors->dense, dense_error(integrator, work, t, h));
}

static struct errors measure(const struct integrator *integrator, int n)
{
    struct kepler kepler = { .copies = 1, .scale = 1 };
    struct ode ode = { .dim = 4, .rhs = kepler_rhs, .context = &kepler };
    struct errors errors = { 0 };
    double x[4], dx[4], exact[4], h = length/n, e0[4], e1[4], *const err[2] = { e0, e1 };
    void *work = integrator->alloc(4);

    for (int i = 0; i < n; i++)
        measure_step(integrator, work, begin + i*h, h, &errors);
    kepler_exact(eccentricity, begin, x);
    kepler_rhs(&kepler, begin, x, dx);
    for (int i = 0; i < n; i++)
        cr_assert_eq(integrator->step(work, &ode, begin + i*h, h, x, dx, x, dx, err), OK);
    kepler_exact(eccentricity, begin + length, exact);
    errors.global = distance(4, x, exact);
    integrator->release(work);
    return errors;
}

/* What the table promises of method and estimate, from n and 2n steps. */
static void check_orders(const struct integrator *method, int n)
{
    struct errors coarse = measure(method, n), fine = measure(method, 2*n);
    double solution = log2(coarse.global/fine.global);
    double local = log2(coarse.local/fine.local);
    double extension = log2(coarse.dense/fine.dense);
    double estimate = log2(coarse.estimate/fine.estimate);

    printf("%-10s order %d: %.2f  one step: h^%.2f  estimate: h^%.2f  "
           "extension %d: h^%.2f  evaluations: %ld\n", method->name, method->order,
           solution, local, estimate, method->dense_order, extension, fine.calls);
    cr_assert_lt(fabs(solution - method->order), 0.3, "%s", method->name);
    cr_assert_lt(fabs(local - method->order - 1), 0.5, "%s", method->name);
    cr_assert_lt(fabs(extension - method->dense_order - 1), 0.5, "%s", method->name);
    /* control.c relies on h^order; step doubling (rk4) gives one order more. */
    cr_assert_lt(fabs(estimate - method->order - 0.5), 1.1, "%s", method->name);
    cr_assert_eq(fine.calls, method->evaluations, "%s", method->name);
}

Test(integrate, observed_orders_of_every_method_are_those_of_the_table)
{
    for (int i = 0; integrators[i]; i++) {
        int order = integrators[i]->order;

        if (integrators[i]->alloc)
            check_orders(integrators[i], order > 8 ? 20 : order == 8 ? 28 : 100);
    }
}

/* Up to how many times those of steps, on orbits. */
Test(integrate, errors_of_an_extension_that_is_the_solution_are_about_those_of_steps)
{
    int found = 0;

    for (int i = 0; integrators[i]; i++) {
        const struct integrator *method = integrators[i];
        if (!method->solves_inside)
            continue;
        cr_expect_eq(method->dense_order, method->order, "%s", method->name);
        if (!method->alloc)
            continue;
        struct errors errors = measure(method, 28);

        cr_log_info("%s: %.2g, %.2g", method->name, errors.dense, errors.local);
        cr_expect_lt(errors.dense, 8*errors.local, "%s", method->name);
        found++;
    }
    cr_expect_gt(found, 0);
}

Test(integrate, extension_meets_both_ends_and_gives_any_range_of_components)
{
    for (int i = 0; integrators[i]; i++) {
        const struct integrator *method = integrators[i];
        if (!method->alloc)
            continue;
        struct kepler kepler = { .copies = 1, .scale = 1 };
        struct ode ode = { .dim = 4, .rhs = kepler_rhs, .context = &kepler };
        double x[4], dx[4], x1[4], dx1[4], y[4], z[2], e0[4], e1[4], *err[2] = { e0, e1 };
        void *work = method->alloc(4);

        kepler_exact(eccentricity, begin, x);
        kepler_rhs(&kepler, begin, x, dx);
        cr_assert_eq(method->step(work, &ode, begin, 0.2, x, dx, x1, dx1, err), OK);
        cr_assert_eq(method->prepare(work, &ode), OK);
        method->dense(work, 0, 0, 4, y);
        cr_assert_eq(memcmp(x, y, sizeof x), 0, "%s", method->name);
        method->dense(work, 1, 0, 4, y);
        cr_assert_lt(distance(4, x1, y), 4*DBL_EPSILON, "%s", method->name);
        method->dense(work, 0.37, 0, 4, y);
        method->dense(work, 0.37, 1, 2, z);
        cr_assert_eq(memcmp(y + 1, z, sizeof z), 0, "%s", method->name);
        method->release(work);
    }
}

enum { POWERS = 9 };

/* x_k' = (k + 1) t^k, so x_k = t^(k + 1): only time matters. */
static enum status powers_rhs(void *context, double t, const double *x, double *dx)
{
    (void)context, (void)x;
    for (int k = 0; k < POWERS; k++)
        dx[k] = (k + 1)*pow(t, k);
    return OK;
}

Test(integrate, powers_of_time_are_integrated_exactly_up_to_the_order)
{
    for (int i = 0; integrators[i]; i++) {
        const struct integrator *method = integrators[i];
        if (!method->alloc)
            continue;
        struct ode ode = { .dim = POWERS, .rhs = powers_rhs };
        double t = 0.4, h = 0.6, x[POWERS], dx[POWERS], y[POWERS];
        double e0[POWERS], e1[POWERS], *err[2] = { e0, e1 };
        void *work = method->alloc(POWERS);

        powers_rhs(NULL, t, NULL, dx);
        for (int k = 0; k < POWERS; k++)
            x[k] = pow(t, k + 1);
        cr_assert_eq(method->step(work, &ode, t, h, x, dx, x, dx, err), OK);
        cr_assert_eq(method->prepare(work, &ode), OK);
        method->dense(work, 0.4, 0, POWERS, y);
        for (int k = 0; k < method->order; k++)
            cr_assert_lt(fabs(x[k] - 1), 1e-14, "%s: t^%d", method->name, k + 1);
        for (int k = 0; k < method->dense_order; k++)
            cr_assert_lt(fabs(y[k] - pow(t + 0.4*h, k + 1)), 1e-14, "%s: t^%d",
                         method->name, k + 1);
        method->release(work);
    }
}

Test(integrate, a_failing_right_hand_side_ends_step_and_extension_with_its_status)
{
    for (int i = 0; integrators[i]; i++) {
        const struct integrator *method = integrators[i];
        if (!method->alloc)
            continue;
        struct kepler kepler = { .copies = 1, .scale = 1, .with = SINGULAR };
        struct ode ode = { .dim = 4, .rhs = kepler_rhs, .context = &kepler };
        double x[4], dx[4], x1[4], dx1[4], e0[4], e1[4], *err[2] = { e0, e1 };
        void *work = method->alloc(4);

        kepler_exact(eccentricity, begin, x);
        kepler_rhs(&kepler, begin, x, dx);
        for (int k = 1; k <= method->evaluations; k++) {
            kepler.calls = 0, kepler.fail_at = k;
            enum status got = method->step(work, &ode, begin, 0.1, x, dx, x1, dx1, err);
            cr_assert_eq(got, SINGULAR, "%s, call %d", method->name, k);
            cr_assert_eq(kepler.calls, k, "%s goes on after a failure", method->name);
        }
        kepler.fail_at = 0;
        cr_assert_eq(method->step(work, &ode, begin, 0.1, x, dx, x1, dx1, err), OK);
        kepler.fail_at = kepler.calls + 1;
        /* The cubic extension needs no evaluation, so cannot fail. */
        enum status expected = method->dense_order > 3 ? SINGULAR : OK;
        cr_assert_eq(method->prepare(work, &ode), expected, "%s", method->name);
        method->release(work);
    }
}

Test(integrate, extension_of_a_step_backwards_is_as_good)
{
    for (int i = 0; integrators[i]; i++) {
        struct errors errors = { 0 };
        if (!integrators[i]->alloc)
            continue;
        void *work = integrators[i]->alloc(4);

        measure_step(integrators[i], work, begin + length, -0.05, &errors);
        cr_assert_lt(errors.dense, 1e-6, "%s", integrators[i]->name);
        integrators[i]->release(work);
    }
}

/* x' = x^2 for a complex x stored as two reals. */
static enum status square_rhs(void *context, double t, const double *x, double *dx)
{
    (void)context, (void)t;
    dx[0] = x[0]*x[0] - x[1]*x[1];
    dx[1] = 2*x[0]*x[1];
    return OK;
}

static void fixed_steps(const struct integrator *method, const struct ode *ode, int steps,
                        double h, double *x)
{
    double dx[2], e0[2], e1[2], *err[2] = { e0, e1 };
    void *work = method->alloc(ode->dim);

    cr_assert_eq(ode->rhs(ode->context, 0, x, dx), OK);
    for (int i = 0; i < steps; i++)
        cr_assert_eq(method->step(work, ode, i*h, h, x, dx, x, dx, err), OK);
    method->release(work);
}

Test(integrate, complex_numbers_stored_as_pairs_are_integrated_like_real_ones)
{
    struct ode rotation = { .dim = 2, .rhs = rotation_rhs };
    struct ode square = { .dim = 2, .rhs = square_rhs };
    double unit[2] = { 1, 0 }, real[2] = { 0.5, 0 }, step[2] = { 0.5, 1e-40 };

    fixed_steps(integrators[0], &rotation, 50, 0.06, unit);
    cr_assert_lt(fabs(unit[0] - cos(3)), 1e-13);
    cr_assert_lt(fabs(unit[1] - sin(3)), 1e-13);
    /* Complex step through the integrator: x = x0/(1 - x0 t), dx/dx0 = 1/(1 - x0 t)^2.
       The imaginary part must not touch the real one, and keeps all its digits. */
    fixed_steps(integrators[0], &square, 100, 0.01, real);
    fixed_steps(integrators[0], &square, 100, 0.01, step);
    cr_assert(real[0] >= step[0] && real[0] <= step[0]);
    cr_assert_lt(fabs(step[0] - 1), 1e-14);
    cr_assert_lt(fabs(step[1]/1e-40 - 4), 1e-13);
}

/* y of one row of a method, from numbers of all sizes. */
static void fill_row(erk_row *row, double y[2 * PACK])
{
    double number[ERK_SLOPES][2*PACK], *k[ERK_SLOPES], x[2*PACK], h[LANES];
    unsigned seed = 1;

    for (int i = 0; i < ERK_SLOPES; i++) {
        k[i] = number[i];
        for (int n = 0; n < 2*PACK; n++)
            k[i][n] = (rand_r(&seed)/(double)RAND_MAX - 0.5)*exp(rand_r(&seed)%9);
    }
    memcpy(x, k[ERK_SLOPES - 1], sizeof x);
    for (int l = 0; l < LANES; l++)
        h[l] = 0.1;
    row(2, h, x, k, y);
}

static int same_rows(erk_row *const *one, erk_row *const *other, int count)
{
    int compared = 0;

    for (int i = 0; i < count; i++) {
        double y[2*PACK], z[2*PACK];

        cr_assert((one[i] == NULL) == (other[i] == NULL));
        if (!one[i])
            continue;
        fill_row(one[i], y);
        fill_row(other[i], z);
        cr_assert_arr_eq(y, z, sizeof y, "row %d", i);
        compared++;
    }
    return compared;
}

Test(integrate, rows_of_a_pair_are_the_same_to_the_bit_in_every_instruction_set)
{
    for (int i = 0; integrators[i]; i++) {
        const struct pair *pair = integrators[i]->pair;

        for (int lanes = 0; pair && lanes <= 1; lanes++) {
            const struct erk_rows *plain = pair->plain;
            const struct erk_rows *chosen = erk_choose_rows(pair, lanes);

            if (chosen == plain)
                continue;
            int compared = same_rows(plain->stage, chosen->stage, ERK_SLOPES) +
                           same_rows(plain->error, chosen->error, ERK_ERRORS) +
                           same_rows(plain->dense, chosen->dense, ERK_TERMS);
            cr_log_info("%s, lanes %d: %d rows", integrators[i]->name, lanes, compared);
            cr_assert_gt(compared, pair->end);
        }
    }
}

/* Work spaces that have made steps, the last with infinite rates or not, and are
   restarted: the step from x is that of a new one. Compensated summation goes on from
   where the last step ended, or from what looks like it: a start with zeros. */
static void check_restart(const struct integrator *method, const double *x)
{
    const double infinite[4] = { INFINITY, INFINITY, INFINITY, INFINITY };
    struct kepler kepler = { .copies = 1, .scale = 1 };
    struct ode ode = { .dim = 4, .rhs = kepler_rhs, .context = &kepler };
    double dx[4], e0[4], e1[4], *const err[2] = { e0, e1 }, fresh[4], again[4], rate[4];
    void *work = method->alloc(4);

    kepler_rhs(&kepler, begin, x, dx);
    method->step(work, &ode, begin, 0.01, x, dx, fresh, rate, err);
    for (int k = 0; k < 2; k++) {
        method->step(work, &ode, begin - 0.01, 0.01, fresh, k ? infinite : dx, again,
                     rate, err);
        method->restart(work);
        method->step(work, &ode, begin, 0.01, x, dx, again, rate, err);
        cr_expect_arr_eq(again, fresh, sizeof fresh, "%s, %d", method->name, k);
    }
    method->release(work);
}

Test(integrate, a_work_space_that_is_restarted_knows_of_no_step_before)
{
    static const double at_zero[4] = { 1, 0, 0, 1e-3 };
    double x[4];
    int restarted = 0;

    kepler_exact(eccentricity, begin, x);
    for (int k = 0; integrators[k]; k++)
        if (integrators[k]->alloc && integrators[k]->restart) {
            check_restart(integrators[k], x);
            check_restart(integrators[k], at_zero);
            restarted++;
        }
    cr_expect_gt(restarted, 0);
}

Test(integrate, methods_are_found_by_their_names_and_the_first_is_automatic)
{
    cr_assert_str_eq(integrators[0]->name, "automatic");
    for (int i = 0; integrators[i]; i++)
        cr_assert_eq(integrator_find(integrators[i]->name), integrators[i]);
    cr_assert_not_null(integrator_find("gsl-rk8pd"));
    cr_assert_null(integrator_find("euler"));
}
