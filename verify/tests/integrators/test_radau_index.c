/*
 * test_radau_index.c - Radau IIA on a pendulum posed with index 1, 2, 3 and as stabilised
 * index 2: observed orders, sensitivities, tolerances, what rounding leaves.
 */
#include <criterion/criterion.h>
#include <float.h>
#include <stdio.h>

#include "dae_pendulum.h"
#include "dae_steps.h"

/* --- orders ------------------------------------------------------------------------- */

enum { OF_Q, OF_V, OF_LAMBDA, OF_SQUARE, OF_IMPULSE, QUANTITIES };

static const char *const quantity[QUANTITIES] = { "q", "v", "lambda", "int x^2",
                                                  "int lambda" };

/* Orders with s stages as (a, b) of a s + b: Hairer, Lubich, Roche 1989. The quadrature
   of lambda is a velocity, like v. */
#define FULL { 2, -1 }
#define STAGE { 1, 0 }
#define BELOW { 1, -1 }
static const int expected[PENDULUMS][QUANTITIES][2] = {
    [INDEX1] = { FULL, FULL,  FULL,  FULL, FULL },
    [INDEX2] = { FULL, FULL,  STAGE, FULL, FULL },
    [INDEX3] = { FULL, STAGE, BELOW, FULL, STAGE },
    [GGL]    = { FULL, FULL,  STAGE, FULL, FULL },
};

/* Rounding of y, which Phi has too, is divided by this power of h. */
static const int amplified[PENDULUMS][QUANTITIES] = {
    [INDEX2] = { [OF_LAMBDA] = 1 },
    [INDEX3] = { [OF_V] = 1, [OF_LAMBDA] = 2, [OF_IMPULSE] = 1 },
    [GGL]    = { [OF_LAMBDA] = 1 },
};

typedef double errors_of_run[1 + DAE_COLUMNS][QUANTITIES];

static void compare(int which, const double *x, double (*unknowns)[DAE_MOST],
                    double exact[][PENDULUM_STATE], const double *lambda,
                    errors_of_run error)
{
    for (int j = 0; j <= DAE_COLUMNS; j++) {
        double e[PENDULUM_STATE];

        for (int i = 0; i < PENDULUM_STATE; i++)
            e[i] = fabs(x[j*PENDULUM_STATE + i] - exact[j][i]);
        error[j][OF_Q] = fmax(e[0], e[1]);
        error[j][OF_V] = fmax(e[2], e[3]);
        error[j][OF_SQUARE] = e[4];
        error[j][OF_IMPULSE] = e[5];
        error[j][OF_LAMBDA] = fabs(unknowns[j][index_of_lambda[which]] - lambda[j]);
    }
}

/* n steps of some number of stages from 0 to 1.5 */
static void errors_with(int which, int stages, int n, errors_of_run error)
{
    double x[DAE_DIM], unknowns[1 + DAE_COLUMNS][DAE_MOST];
    double exact[1 + DAE_COLUMNS][PENDULUM_STATE], lambda[1 + DAE_COLUMNS];
    struct dae dae;

    dae_init(&dae, &pendulum[which], DAE_COLUMNS, pendulum_rho);
    pendulum_start(pendulum_rho, x);
    dae_steps_of(stages, &dae, 0, 1.5/n, n, x, unknowns);
    pendulum_exact(1.5, exact, lambda);
    compare(which, x, unknowns, exact, lambda, error);
}

/* Errors fall as the order asks, to within `slack`, unless rounding is reached. The few
   steps that seven stages need before that are far from short. */
static void check_orders(int which, int stages, int n, double slack)
{
    static const char *const column[] = { "solution", "by l", "by g" };
    errors_of_run coarse, fine;

    errors_with(which, stages, n, coarse);
    errors_with(which, stages, 2*n, fine);
    for (int j = 0; j <= DAE_COLUMNS; j++) {
        printf("%d %-8s %-9s", stages, pendulum[which].name, column[j]);
        for (int i = 0; i < QUANTITIES; i++)
            printf("%s %s %.2f (%.0e)", i ? "," : "", quantity[i],
                   log2(coarse[j][i]/fine[j][i]), fine[j][i]);
        printf("\n");
        for (int i = 0; i < QUANTITIES; i++) {
            int order = expected[which][i][0]*stages + expected[which][i][1];

            if (fine[j][i] > 2e-13)
                cr_assert_lt(fabs(log2(coarse[j][i]/fine[j][i]) - order), slack,
                             "%s, %s %s", pendulum[which].name, quantity[i], column[j]);
        }
    }
}

Test(radau_index, observed_orders_are_those_of_hairer_lubich_and_roche)
{
    for (int which = 0; which < PENDULUMS; which++)
        check_orders(which, 3, 80, 0.4);
}

Test(radau_index, so_are_those_of_five_stages)
{
    for (int which = 0; which < PENDULUMS; which++)
        check_orders(which, 5, 12, 1);
}

Test(radau_index, so_are_those_of_seven_stages)
{
    for (int which = 0; which < PENDULUMS; which++)
        check_orders(which, 7, 4, 3);
}

/* --- sensitivities ------------------------------------------------------------------ */

enum { DISCRETE = PENDULUM_STATE + 1 };

/* What twelve steps give for other parameters: state and lambda. */
static void discrete(int which, const double *rho, double *out)
{
    double x[DAE_DIM], unknowns[1 + DAE_COLUMNS][DAE_MOST];
    struct dae dae;

    dae_init(&dae, &pendulum[which], 0, rho);
    pendulum_start(rho, x);
    dae_fixed_steps(&dae, 0, 0.1, 12, x, unknowns);
    memcpy(out, x, PENDULUM_STATE*sizeof *x);
    out[PENDULUM_STATE] = unknowns[0][index_of_lambda[which]];
}

static const int kind[DISCRETE] = { OF_Q, OF_Q, OF_V, OF_V, OF_SQUARE, OF_IMPULSE,
                                    OF_LAMBDA };

/* Differences of order 4; of their error nothing but rounding/step is left. */
static void check_differences(int which, int j, const double *x, double lambda)
{
    static const double weight[] = { 8, -8, -1, 1 }, place[] = { 1, -1, 2, -2 };
    double step = 3e-4, sum[DISCRETE] = { 0 }, at[DISCRETE];

    for (int k = 0; k < 4; k++) {
        double rho[] = { pendulum_rho[0], pendulum_rho[1] };

        rho[j] += step*place[k];
        discrete(which, rho, at);
        for (int i = 0; i < DISCRETE; i++)
            sum[i] += weight[k]*at[i]/(12*step);
    }
    for (int i = 0; i < DISCRETE; i++) {
        double got = i < PENDULUM_STATE ? x[(1 + j)*PENDULUM_STATE + i] : lambda;
        double noise = DBL_EPSILON/step/pow(0.1, amplified[which][kind[i]]);

        cr_assert_lt(fabs(got - sum[i]), 100*noise*fmax(1, fabs(got)), "%s, %s by %d: "
                     "%.15g, difference %.15g", pendulum[which].name, quantity[kind[i]],
                     j, got, sum[i]);
    }
}

Test(radau_index, sensitivities_are_those_of_the_discrete_solution)
{
    for (int which = 0; which < PENDULUMS; which++) {
        double x[DAE_DIM], unknowns[1 + DAE_COLUMNS][DAE_MOST];
        double exact[1 + DAE_COLUMNS][PENDULUM_STATE], lambda[1 + DAE_COLUMNS];
        errors_of_run error;
        struct dae dae;

        dae_init(&dae, &pendulum[which], DAE_COLUMNS, pendulum_rho);
        pendulum_start(pendulum_rho, x);
        dae_fixed_steps(&dae, 0, 0.1, 12, x, unknowns);
        for (int j = 0; j < DAE_COLUMNS; j++)
            check_differences(which, j, x, unknowns[1 + j][index_of_lambda[which]]);
        /* Those of the motion are far away, or this would show nothing. */
        pendulum_exact(1.2, exact, lambda);
        compare(which, x, unknowns, exact, lambda, error);
        cr_assert_gt(error[1][OF_Q], 1e-5, "%s", pendulum[which].name);
    }
}

/* --- tolerances --------------------------------------------------------------------- */

static const int groups[] = { 0, 2, 4, 5, 6, 8, 10, 11, 12, 14, 16, 17, 18 };

/* The largest |q v|/l of a run: how far v is off the constraint. */
static void watch_velocity(void *context, double t, const double *x)
{
    double *worst = context;

    (void)t;
    *worst = fmax(*worst, fabs(x[0]*x[2] + x[1]*x[3])/pendulum_rho[0]);
}

struct outcome {
    errors_of_run error;
    double velocity;
    struct dae_run run;
};

static struct outcome at_tolerance(int which, double rtol, bool aims)
{
    double x[DAE_DIM], unknowns[1 + DAE_COLUMNS][DAE_MOST] = { { 0 } };
    double exact[1 + DAE_COLUMNS][PENDULUM_STATE], lambda[1 + DAE_COLUMNS];
    struct outcome out = { .velocity = 0 };
    struct dae dae;

    out.run = (struct dae_run){ .rtol = rtol, .atol = 1e-3*rtol, .groups = 12,
                                .begin = groups, .most_tries = 20000,
                                .watch = watch_velocity, .context = &out.velocity,
                                .aims = aims };
    dae_init(&dae, &pendulum[which], DAE_COLUMNS, pendulum_rho);
    pendulum_start(pendulum_rho, x);
    dae_integrate(&dae, &integrator_radau, 0, 1.5, x, &out.run);
    cr_assert(out.run.reached >= 1.5, "%s, rtol %g: stops at %g", pendulum[which].name,
              rtol, out.run.reached);
    pendulum_exact(1.5, exact, lambda);
    compare(which, x, unknowns, exact, lambda, out.error);
    return out;
}

/* Errors of q, Q and, where v loses no order, of v, V and the quadratures are at most the
   tolerance; in index 3 they are at most its power 3/4, times the speed of the motion. */
static void check_tolerance(int which, double rtol, const struct outcome *out)
{
    double limit = which == INDEX3 ? 4*pow(rtol, 0.75) : rtol;

    for (int j = 0; j <= DAE_COLUMNS; j++) {
        const double *error = out->error[j];
        /* what is left is rounding, of about a thousand steps */
        double rounding = 1e-13;

        cr_assert_lt(error[OF_Q], rtol + rounding, "%s, rtol %g, column %d: q %g",
                     pendulum[which].name, rtol, j, error[OF_Q]);
        cr_assert_lt(error[OF_SQUARE], rtol + rounding);
        cr_assert_lt(error[OF_V], limit + rounding, "%s, rtol %g, column %d: v %g",
                     pendulum[which].name, rtol, j, error[OF_V]);
        cr_assert_lt(error[OF_IMPULSE], 10*(limit + rounding));
    }
    cr_assert_lt(out->velocity, limit + 1e-13);
    cr_assert_eq(out->run.failed, 0);
}

Test(radau_index, errors_follow_the_tolerance_from_1e_4_to_1e_10_without_refusals)
{
    for (int which = 0; which < PENDULUMS; which++) {
        struct outcome first = { .velocity = 0 }, last = first;

        for (int d = 4; d <= 10; d++) {
            double rtol = pow(10, -d);
            struct outcome out = at_tolerance(which, rtol, false);

            printf("%-8s rtol 1e-%-2d %5ld steps, %ld refused: q %.1e, v %.1e, Q %.1e, "
                   "V %.1e, worst q v %.1e\n", pendulum[which].name, d, out.run.steps,
                   out.run.refused, out.error[0][OF_Q], out.error[0][OF_V],
                   out.error[1][OF_Q], out.error[1][OF_V], out.velocity);
            check_tolerance(which, rtol, &out);
            cr_assert_lt(out.run.refused, out.run.steps/10 + 2);
            *(d == 4 ? &first : &last) = out;
        }
        /* over six decades of rtol */
        cr_assert_gt(log10(first.error[0][OF_Q]/last.error[0][OF_Q]), 5.5);
        cr_assert_gt(log10(first.error[1][OF_Q]/last.error[1][OF_Q]), 5.5);
        cr_assert_gt(log10(first.error[0][OF_V]/last.error[0][OF_V]), 4);
        cr_assert_gt(log10(first.error[1][OF_V]/last.error[1][OF_V]), 4);
    }
}

Test(radau_index, the_order_that_a_tolerance_asks_for_meets_it_in_fewer_steps)
{
    for (int which = 0; which < PENDULUMS; which++)
        for (int d = 4; d <= 10; d += 3) {
            double rtol = pow(10, -d);
            struct outcome lowest = at_tolerance(which, rtol, false);
            struct outcome out = at_tolerance(which, rtol, true);

            printf("%-8s rtol 1e-%-2d %5ld steps, %ld refused, for %ld: q %.1e, v %.1e\n",
                   pendulum[which].name, d, out.run.steps, out.run.refused,
                   lowest.run.steps, out.error[0][OF_Q], out.error[0][OF_V]);
            check_tolerance(which, rtol, &out);
            cr_assert_lt(2*(out.run.steps + out.run.refused), lowest.run.steps);
        }
}

Test(radau_index, tolerances_near_rounding_are_met_too)
{
    for (int which = 0; which < PENDULUMS; which++) {
        struct outcome out = at_tolerance(which, 1e-12, false);

        cr_assert_lt(out.error[0][OF_Q], 1e-13, "%g", out.error[0][OF_Q]);
        cr_assert_lt(out.error[0][OF_V], which == INDEX3 ? 1e-9 : 1e-12);
    }
}

/* Metres and seconds or millimetres and milliseconds. */
Test(radau_index, other_units_give_the_same_run)
{
    const double length = 1000, time = 1000;
    const double rho[] = { length*pendulum_rho[0], length/(time*time)*pendulum_rho[1] };

    for (int which = 0; which < PENDULUMS; which++) {
        double x[DAE_DIM], y[DAE_DIM] = { 0 };
        struct dae_run one = { .rtol = 1e-7, .groups = 4, .begin = groups,
                               .most_tries = 20000, .first = 0.01 }, other = one;
        struct dae dae;

        other.first *= time;
        pendulum_start(pendulum_rho, x);
        for (int i = 0; i < PENDULUM_D; i++)
            y[i] = x[i]*length/(i < 2 ? 1 : time);
        dae_init(&dae, &pendulum[which], 0, pendulum_rho);
        dae_integrate(&dae, &integrator_radau, 0, 1.5, x, &one);
        dae_init(&dae, &pendulum[which], 0, rho);
        dae_integrate(&dae, &integrator_radau, 0, 1.5*time, y, &other);
        cr_assert_eq(one.steps, other.steps, "%s: %ld steps or %ld", pendulum[which].name,
                     one.steps, other.steps);
        cr_assert_eq(one.refused, other.refused);
        for (int i = 0; i < PENDULUM_D; i++) {
            double back = y[i]/length*(i < 2 ? 1 : time);

            /* rounding differs: by eps l/h in v, and so do the steps */
            cr_assert_lt(fabs(x[i] - back), 1e-11, "%s: %g", pendulum[which].name,
                         x[i] - back);
        }
    }
}

/* --- rounding ----------------------------------------------------------------------- */

Test(radau_index, short_steps_leave_only_rounding)
{
    const double h = 1e-4;

    for (int which = 0; which < PENDULUMS; which++) {
        errors_of_run error;

        errors_with(which, 3, 15000, error);
        printf("%-8s h = 1e-4: q %.0e, v %.0e, lambda %.0e; Q %.0e, V %.0e, Lambda "
               "%.0e\n", pendulum[which].name, error[0][OF_Q], error[0][OF_V],
               error[0][OF_LAMBDA], error[1][OF_Q], error[1][OF_V], error[1][OF_LAMBDA]);
        for (int j = 0; j <= DAE_COLUMNS; j++)
            for (int i = 0; i < QUANTITIES; i++) {
                int power = amplified[which][i];
                /* of 15000 steps it adds up, unless it is that of the last alone */
                double limit = power ? 100*DBL_EPSILON/pow(h, power) : 1e-12;

                cr_assert_lt(error[j][i], limit, "%s, column %d, %s: %g",
                             pendulum[which].name, j, quantity[i], error[j][i]);
            }
    }
}

/* At rest almost every number is zero, and so has no size to compare a residual with. */
Test(radau_index, a_pendulum_at_rest_stays_at_rest)
{
    for (int which = 0; which < PENDULUMS; which++) {
        double x[DAE_DIM] = { 0, -pendulum_rho[0] }, unknowns[1 + DAE_COLUMNS][DAE_MOST];
        struct dae dae;

        x[PENDULUM_STATE + 1] = -1;         /* dy/dl */
        dae_init(&dae, &pendulum[which], DAE_COLUMNS, pendulum_rho);
        dae_fixed_steps(&dae, 0, 0.05, 40, x, unknowns);
        cr_assert_lt(fabs(x[0]), 1e-15);
        cr_assert_lt(fabs(x[1] + pendulum_rho[0]), 1e-14);
        cr_assert_lt(fabs(x[PENDULUM_STATE + 1] + 1), 1e-13);
        /* lambda = g/l */
        cr_assert_lt(fabs(unknowns[0][index_of_lambda[which]]
                          - pendulum_rho[1]/pendulum_rho[0]), 1e-11);
        cr_assert_lt(fabs(unknowns[2][index_of_lambda[which]] - 1/pendulum_rho[0]),
                     1e-11);
    }
}

/* --- refusals ----------------------------------------------------------------------- */

/* The same constraint twice. */
static void twice(double t, const number *y, const number *w, const number *rho,
                  number *R, number *z)
{
    pendulum_index3(t, y, w, rho, R, z);
    R[0] += y[0]*w[3];
    R[1] += y[1]*w[3];
    R[3] = 2*R[2];
}

Test(radau_index, a_constraint_stated_twice_is_singular_for_every_step_size)
{
    static const struct dae_problem problem = {
        .name = "twice", .d = PENDULUM_D, .quadratures = PENDULUM_Z, .unknowns = 4,
        .rate = pendulum_rate, .lost = lost_in_v, .residual = twice,
        .motion = pendulum_motion };
    double x[DAE_DIM], dx[DAE_DIM], x1[DAE_DIM], e[DAE_DIM], *const err[] = { e };
    struct dae dae;

    dae_init(&dae, &problem, DAE_COLUMNS, pendulum_rho);
    void *work = integrator_radau.alloc_implicit(&dae.equations);
    pendulum_start(pendulum_rho, x);
    cr_assert_eq(dae_rhs(&dae, 0, x, dx), OK);
    for (double h = 0.1; h > 1e-10; h /= 10)
        cr_assert_eq(integrator_radau.step(work, &dae.ode, 0, h, x, dx, x1, dx, err),
                     SINGULAR, "h = %g", h);
    integrator_radau.release(work);
}
