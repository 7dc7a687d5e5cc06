/*
 * test_radau.c - Radau IIA on ordinary and stiff equations. Index 2 and 3:
 * test_radau_index.c; what ends a step: test_radau_failures.c.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "dae_pendulum.h"
#include "dae_steps.h"

/* --- an ordinary equation ----------------------------------------------------------- */

/* y' = -a y^2 cos t, y(0) = b, with the quadrature of y cos t; rho = (a, b). */
static const int no_chain[] = { -1, -2 };

static void fading(double t, const number *y, const number *w, const number *rho,
                   number *R, number *g)
{
    R[0] = w[0] + rho[0]*y[0]*y[0]*cos(t);
    g[0] = y[0]*cos(t);
}

static void fading_motion(double t, const number *y, const number *rho, number *w)
{
    w[0] = -rho[0]*y[0]*y[0]*cos(t);
}

static const struct dae_problem fading_problem = {
    .name = "y' = -a y^2 cos t", .d = 1, .quadratures = 1, .unknowns = 1,
    .rate = no_chain, .lost = lost_none, .residual = fading, .motion = fading_motion };
static const double fading_rho[DAE_COLUMNS] = { 0.7, 1.3 };

/* y = b/(1 + a b sin t), z = log(1 + a b sin t)/a, then their derivatives. */
static void fading_exact(double t, double *x)
{
    double a = fading_rho[0], b = fading_rho[1], s = sin(t), u = 1 + a*b*s;

    x[0] = b/u;
    x[1] = log(u)/a;
    x[2] = -b*b*s/(u*u);
    x[3] = b*s/(u*a) - log(u)/(a*a);
    x[4] = 1/(u*u);
    x[5] = s/u;
}

static void fading_errors(int stages, int n, double *error)
{
    double x[DAE_DIM], exact[DAE_DIM];
    struct dae dae;

    dae_init(&dae, &fading_problem, DAE_COLUMNS, fading_rho);
    fading_exact(-0.4, x);
    dae_steps_of(stages, &dae, -0.4, 2.2/n, n, x, NULL);
    fading_exact(1.8, exact);
    for (int i = 0; i < 6; i++)
        error[i] = fabs(x[i] - exact[i]);
}

/* The order is at most `less` below and `more` above that of the method. */
static void check_order_of(int stages, int n, double less, double more)
{
    static const char *const name[] = { "y", "z", "y_a", "z_a", "y_b", "z_b" };
    double coarse[6], fine[6];

    fading_errors(stages, n, coarse);
    fading_errors(stages, 2*n, fine);
    for (int i = 0; i < 6; i++) {
        double order = log2(coarse[i]/fine[i]);

        printf("%s, %d stages, %-3s: error %.1e, order %.2f\n", fading_problem.name,
               stages, name[i], fine[i], order);
        cr_assert(order > 2*stages - 1 - less && order < 2*stages - 1 + more, "%s: %g",
                  name[i], order);
    }
}

Test(radau, has_order_5_for_an_ordinary_equation_its_derivatives_and_quadratures)
{
    check_order_of(3, 20, 0.35, 0.35);
}

Test(radau, has_orders_9_and_13_with_five_and_seven_stages)
{
    check_order_of(5, 4, 0.8, 0.8);
    /* These steps are long, as shorter ones reach rounding. */
    check_order_of(7, 1, 1, 8);
}

/* --- chains ------------------------------------------------------------------------- */

/* y0' = y1, y1' = y2, y2' = w = 24 t: y0 = t^4. In this order the chain is longest first;
   the quadrature is of w^2/576 = t^2. */
static const int chain_rate[] = { 1, 2, -1 }, chain_lost[] = { 0, 0, 0 };

static void chain(double t, const number *y, const number *w, const number *rho,
                  number *R, number *g)
{
    (void)y, (void)rho;
    R[0] = w[0] - 24*t;
    g[0] = w[0]*w[0]/576;
}

static void chain_motion(double t, const number *y, const number *rho, number *w)
{
    (void)y, (void)rho;
    w[0] = 24*t;
}

static const struct dae_problem chain_problem = {
    .name = "chain", .d = 3, .quadratures = 1, .unknowns = 1, .rate = chain_rate,
    .lost = chain_lost, .residual = chain, .motion = chain_motion };

static void powers(double t, double *x)
{
    x[0] = t*t*t*t;
    x[1] = 4*t*t*t;
    x[2] = 12*t*t;
    x[3] = t*t*t/3;
}

Test(radau, polynomials_that_it_integrates_exactly_come_out_through_any_chain)
{
    struct dae dae;
    double x[4], dx[4], exact[4], e[4], *const err[] = { e };

    dae_init(&dae, &chain_problem, 0, fading_rho);
    void *work = integrator_radau.alloc_implicit(&dae.equations);
    powers(0.4, x);
    cr_assert_eq(dae_rhs(&dae, 0.4, x, dx), OK);
    cr_assert_eq(integrator_radau.step(work, &dae.ode, 0.4, 0.6, x, dx, x, dx, err), OK);
    powers(1, exact);
    for (int i = 0; i < 4; i++) {
        cr_assert_lt(fabs(x[i] - exact[i]), 1e-14, "y%d = %.17g", i, x[i]);
        /* Rates that are quadratic, all but that of t^4, have no error to estimate. */
        cr_assert(i == 0 || fabs(e[i]) < 1e-14, "estimate %d: %g", i, e[i]);
    }
    cr_assert_gt(fabs(e[0]), 1e-3);
    /* The collocation polynomial is of degree 3. */
    for (int k = 0; k <= 10; k++) {
        double y[4];

        integrator_radau.dense(work, k/10.0, 0, 4, y);
        powers(0.4 + 0.6*k/10, exact);
        for (int i = 1; i < 4; i++)
            cr_assert_lt(fabs(y[i] - exact[i]), 1e-14, "y%d at %d/10", i, k);
    }
    integrator_radau.release(work);
}

/* --- one step ----------------------------------------------------------------------- */

/* One step from the exact state at t = 0.3; x [6] there, x1 after it. */
static void *fading_step(struct dae *dae, double h, double *x, double *x1, double *e)
{
    double dx[6];

    dae_init(dae, &fading_problem, DAE_COLUMNS, fading_rho);
    void *work = integrator_radau.alloc_implicit(&dae->equations);
    fading_exact(0.3, x);
    cr_assert_eq(dae_rhs(dae, 0.3, x, dx), OK);
    cr_assert_eq(integrator_radau.step(work, &dae->ode, 0.3, h, x, dx, x1, dx,
                                       (double *const[]){ e }), OK);
    cr_assert_eq(integrator_radau.prepare(work, &dae->ode), OK);
    return work;
}

Test(radau, continuous_extension_meets_both_ends_and_has_order_3)
{
    double worst[2] = { 0, 0 };

    for (int fine = 0; fine < 2; fine++) {
        double x[6], x1[6], y[6], z[2], exact[6], e[6], h = fine ? 0.1 : 0.2;
        struct dae dae;
        void *work = fading_step(&dae, h, x, x1, e);

        integrator_radau.dense(work, 0, 0, 6, y);
        cr_assert_eq(memcmp(x, y, sizeof x), 0);
        integrator_radau.dense(work, 1, 0, 6, y);
        cr_assert_eq(memcmp(x1, y, sizeof x), 0);
        for (int k = 1; k < 20; k++) {
            integrator_radau.dense(work, k/20.0, 0, 6, y);
            integrator_radau.dense(work, k/20.0, 3, 2, z);
            cr_assert_eq(memcmp(y + 3, z, sizeof z), 0);
            fading_exact(0.3 + k*h/20, exact);
            worst[fine] = fmax(worst[fine], dae_distance(6, y, exact));
        }
        integrator_radau.release(work);
    }
    cr_assert_lt(fabs(log2(worst[0]/worst[1]) - 4), 0.5, "h^%g",
                 log2(worst[0]/worst[1]));
}

Test(radau, estimates_are_of_order_h4_and_above_the_error_and_as_such_to_the_control)
{
    double x[6], x1[6], e[2][6], exact[6];

    for (int fine = 0; fine < 2; fine++) {
        double h = fine ? 0.05 : 0.1;
        struct dae dae;

        void *work = fading_step(&dae, h, x, x1, e[fine]);
        cr_assert_eq(integrator_radau.error_order(work), 4);
        integrator_radau.release(work);
        fading_exact(0.3 + h, exact);
        for (int i = 0; i < 6; i++)
            cr_assert_gt(fabs(e[fine][i]), fabs(x1[i] - exact[i]));
    }
    for (int i = 0; i < 6; i += 2) {        /* y and its derivatives */
        double first = fabs(e[0][i]), second = fabs(e[1][i]);

        cr_assert_lt(fabs(log2(first/second) - 4), 0.4, "h^%g", log2(first/second));
    }
}

Test(radau, there_and_back_returns_to_the_start_to_the_order_of_the_method)
{
    double error[2];

    for (int fine = 0; fine < 2; fine++) {
        int n = fine ? 40 : 20;
        double x[6], start[6], h = 2.2/n;
        struct dae dae;

        dae_init(&dae, &fading_problem, DAE_COLUMNS, fading_rho);
        fading_exact(-0.4, start);
        memcpy(x, start, sizeof x);
        dae_fixed_steps(&dae, -0.4, h, n, x, NULL);
        dae_fixed_steps(&dae, 1.8, -h, n, x, NULL);
        error[fine] = dae_distance(6, x, start);
    }
    printf("there and back: error %.1e, order %.2f\n", error[1],
           log2(error[0]/error[1]));
    cr_assert_gt(log2(error[0]/error[1]), 4.6);
    cr_assert_lt(error[1], 1e-6);
}

/* The x' at the end is that of the equations there: the method is stiffly accurate. */
Test(radau, rates_and_unknowns_at_the_end_of_a_step_satisfy_the_equations)
{
    for (int k = 0; k < PENDULUMS; k++) {
        double x[DAE_DIM], dx[DAE_DIM], e[DAE_DIM], *const err[] = { e }, R[DAE_MOST];
        struct dae dae;

        dae_init(&dae, &pendulum[k], DAE_COLUMNS, pendulum_rho);
        void *work = integrator_radau.alloc_implicit(&dae.equations);
        pendulum_start(pendulum_rho, x);
        cr_assert_eq(dae_rhs(&dae, 0, x, dx), OK);
        cr_assert_eq(integrator_radau.step(work, &dae.ode, 0, 0.1, x, dx, x, dx, err),
                     OK);
        const double *w = integrator_radau.unknowns(work, 0);
        cr_assert_eq(dae_residual(&dae, 0.1, x, w, R), OK);
        for (int i = 0; i < pendulum[k].unknowns; i++)
            cr_assert_lt(fabs(R[i]), 1e-14, "%s: R%d = %g", pendulum[k].name, i, R[i]);
        for (int i = 0; i < PENDULUM_D; i++) {
            int rate = pendulum[k].rate[i];

            cr_assert(!(fabs(dx[i] - (rate < 0 ? w[-1 - rate] : x[rate])) > 0));
        }
        integrator_radau.release(work);
    }
}

/* --- stiff equations ---------------------------------------------------------------- */

/* Prothero and Robinson 1974: y' = a (y - b cos t) - b sin t with a = -1e6. */
static void stiff(double t, const number *y, const number *w, const number *rho,
                  number *R, number *g)
{
    (void)g;
    R[0] = w[0] - rho[0]*(y[0] - rho[1]*cos(t)) + rho[1]*sin(t);
}

static void stiff_motion(double t, const number *y, const number *rho, number *w)
{
    w[0] = rho[0]*(y[0] - rho[1]*cos(t)) - rho[1]*sin(t);
}

static const struct dae_problem stiff_problem = {
    .name = "Prothero-Robinson", .d = 1, .unknowns = 1, .rate = no_chain,
    .lost = lost_none, .residual = stiff, .motion = stiff_motion };

Test(radau, a_stiff_equation_takes_few_steps_where_explicit_methods_need_millions)
{
    static const double rho[DAE_COLUMNS] = { -1e6, 1 };
    static const int one_each[] = { 0, 1, 2, 3 };

    for (int d = 4; d <= 10; d += 3) {
        double x[3] = { 1, 0, 1 }, rtol = pow(10, -d);      /* y, y_a, y_b at 0 */
        struct dae_run run = { .rtol = rtol, .atol = 1e-3*rtol, .groups = 3,
                               .begin = one_each, .most_tries = 20000 };
        struct dae dae;

        dae_init(&dae, &stiff_problem, DAE_COLUMNS, rho);
        dae_integrate(&dae, &integrator_radau, 0, 10, x, &run);
        printf("Prothero-Robinson, rtol 1e-%d: %ld steps, %ld refused, error %.1e\n", d,
               run.steps, run.refused, fabs(x[0] - cos(10)));
        cr_assert_lt(run.steps + run.refused, 1000);
        cr_assert_lt(fabs(x[0] - cos(10)), rtol);
        cr_assert_lt(fabs(x[1]), 1e-6*rtol);
        cr_assert_lt(fabs(x[2] - cos(10)), rtol);
    }
    double x[3] = { 1, 0, 1 };
    struct dae_run run = { .rtol = 1e-4, .atol = 1e-7, .groups = 3, .begin = one_each,
                           .most_tries = 20000 };
    struct dae dae;

    dae_init(&dae, &stiff_problem, DAE_COLUMNS, rho);
    dae_integrate(&dae, integrators[0], 0, 10, x, &run);
    cr_assert_gt(10/run.reached*20000, 1e6, "%s reached %g", integrators[0]->name,
                 run.reached);
}
