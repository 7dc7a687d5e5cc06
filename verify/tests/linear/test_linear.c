/*
 * test_linear.c - the methods of formulations/linear on regular matrices: they agree,
 * they refuse what they have to, and one loses digits. Redundant constraints: see
 * test_linear_redundant.c and test_linear_derivative.c.
 */
#include <signal.h>

#include "linear_systems.h"

static const struct linear_method *const every_method[] = {
    &linear_lu, &linear_normal, &linear_null_space, &linear_minimum_norm};
enum { METHODS = sizeof every_method / sizeof *every_method };

/* --- agreement ---------------------------------------------------------------------- */

/* Distance from LU, in units of what the condition of K makes of rounding. */
static double distance_from_lu(const struct linear_method *method, const struct saddle *s,
                               const double *b)
{
    int N = s->n + s->m;
    double K[MOST_ENTRIES], X[MOST_ENTRIES], x[MOST_ROWS], expected[MOST_ROWS];
    void *work = method->alloc(s->n, s->m), *lu = linear_lu.alloc(s->n, s->m);

    saddle_matrix(s, K);
    cr_assert_eq(linear_lu.factor(lu, K), OK);
    cr_assert_eq(method->factor(work, K), OK, "%s, n = %d, m = %d", method->name, s->n,
                 s->m);
    solve_saddle(&linear_lu, lu, K, N, b, expected);
    solve_saddle(method, work, K, N, b, x);
    double condition = pseudo_inverse(K, N, N, X);
    linear_lu.release(lu);
    method->release(work);
    return difference(x, expected, N) / (DBL_EPSILON * condition * norm(expected, N));
}

static struct saddle random_regular(struct random *random, int n, int m, bool friction,
                                    bool alpha)
{
    struct saddle s = random_saddle(random, n, m);
    if (friction)
        add_friction(random, &s);
    if (alpha)
        random_spd(random, m, s.D);
    return s;
}

/* Over all shapes, without and with friction. Solutions differ by the condition of K
   times rounding; 10 of that is four times the largest distance met with any seed. */
static void expect_agreement(const struct linear_method *method, bool alpha)
{
    struct random random = random_start();
    double worst = 0;
    for (int n = 1; n <= 12; n++)
        for (int m = 0; m <= n; m++)
            for (int k = 0; k < 20; k++) {
                double b[MOST_ROWS];
                struct saddle s = random_regular(&random, n, m, k % 2, alpha);
                random_matrix(&random, n + m, b);
                worst = fmax(worst, distance_from_lu(method, &s, b));
            }
    cr_assert(worst < 10, "%s, seed %llu: %g", method->name, random.seed, worst);
    fprintf(stderr, "%s%s: at most %.1f times condition times rounding from LU\n",
            method->name, alpha ? ", D > 0" : "", worst);
}

Test(linear, every_method_agrees_with_lu_where_it_applies)
{
    expect_agreement(&linear_null_space, false);
    expect_agreement(&linear_minimum_norm, false);
    expect_agreement(&linear_minimum_norm, true);
    expect_agreement(&linear_normal, true);
}

Test(linear, a_regular_matrix_is_solved_by_minimum_norm_as_by_lu_to_the_bit)
{
    struct random random = random_start();
    struct saddle s = random_saddle(&random, 7, 3);
    double K[MOST_ENTRIES], x[10], y[10];
    void *work = linear_minimum_norm.alloc(7, 3), *lu = linear_lu.alloc(7, 3);
    saddle_matrix(&s, K);
    random_matrix(&random, 10, x);
    memcpy(y, x, sizeof y);
    cr_assert_eq(linear_minimum_norm.factor(work, K), OK);
    cr_assert_eq(linear_lu.factor(lu, K), OK);
    linear_minimum_norm.solve(work, x);
    linear_lu.solve(lu, y);
    cr_expect_arr_eq(x, y, sizeof x);
    cr_expect_eq(linear_minimum_norm.rank(work), 3);
    linear_minimum_norm.kernel_part(work, x);
    cr_expect_eq(norm(x, 10), 0);
    linear_minimum_norm.release(work);
    linear_lu.release(lu);
}

/* --- units -------------------------------------------------------------------------- */

static void random_units(struct random *random, int m, double *unit)
{
    for (int i = 0; i < m; i++)
        unit[i] = pow(10, random_between(random, -4, 4));
}

/* lambda with the unit taken out again, that is, in the old units. */
static void accelerations_and_old_multipliers(const struct linear_method *method,
                                              const struct saddle *s, const double *unit,
                                              const double *b, double *x)
{
    int n = s->n, N = n + s->m;
    double K[MOST_ENTRIES], scaled[MOST_ROWS];
    void *work = method->alloc(n, s->m);
    saddle_matrix(s, K);
    memcpy(scaled, b, (size_t)N * sizeof *b);
    for (int i = n; i < N; i++)
        scaled[i] *= unit[i - n];
    cr_assert_eq(method->factor(work, K), OK, "%s", method->name);
    solve_saddle(method, work, K, N, scaled, x);
    for (int i = n; i < N; i++)
        x[i] *= unit[i - n];
    method->release(work);
}

/* M is about 10 and alpha about 1 in the old units, so nothing is lost by `normal`; the
   multipliers are unique and the same force. 1e-10: conditions are below 1e4 here. */
Test(linear, units_of_constraints_do_not_change_the_solution)
{
    struct random random = random_start();
    for (int k = 0; k < 200; k++) {
        int n = 2 + random_below(&random, 10), m = 1 + random_below(&random, n / 2);
        double unit[MOST_ROWS], one[MOST_ROWS], b[MOST_ROWS], x[MOST_ROWS], y[MOST_ROWS];
        random_units(&random, m, unit);
        random_matrix(&random, n + m, b);
        for (int i = 0; i < m; i++)
            one[i] = 1;
        for (int i = 0; i < METHODS; i++) {
            bool alpha = every_method[i] == &linear_normal;
            struct saddle s = random_regular(&random, n, m, k % 2, alpha);
            accelerations_and_old_multipliers(every_method[i], &s, one, b, x);
            change_units(&s, unit);
            accelerations_and_old_multipliers(every_method[i], &s, unit, b, y);
            cr_expect(difference(x, y, n + m) < 1e-10 * norm(x, n + m),
                      "%s, seed %llu, k = %d: %g", every_method[i]->name, random.seed, k,
                      difference(x, y, n + m) / norm(x, n + m));
        }
    }
}

/* --- refusals ----------------------------------------------------------------------- */

/* Row 1 of C, and column 1 of G, are those of 0 plus a little of something else. */
static struct saddle nearly_dependent(struct random *random, int n, int m, double little)
{
    struct saddle s = random_saddle(random, n, m);
    for (int j = 0; j < n; j++)
        s.C[n + j] = s.C[j] + little * s.C[n + j];
    transpose(s.C, m, n, s.G);
    return s;
}

static void expect_status(const struct linear_method *method, const struct saddle *s,
                          enum status expected)
{
    enum status status = factor_once(method, s);
    cr_expect_eq(status, expected, "%s: %s instead of %s", method->name,
                 status_text(status), status_text(expected));
}

/* In whatever units: a row that differs by 1e-13 is dependent, by 1e-8 doubtful, by 1e-3
   independent. */
Test(linear, dependent_constraints_are_named)
{
    static const double little[] = {0, 1e-13, 1e-8, 1e-3};
    static const enum status null_space[] = {RANK_LOSS, RANK_LOSS, OK, OK},
                             minimum_norm[] = {OK, OK, RANK_LOSS, OK};
    struct random random = random_start();
    for (int k = 0; k < 100; k++)
        for (int i = 0; i < 4; i++) {
            double unit[MOST_ROWS];
            struct saddle s = nearly_dependent(&random, 10, 4, little[i]);
            random_units(&random, 4, unit);
            change_units(&s, unit);
            expect_status(&linear_null_space, &s, null_space[i]);
            expect_status(&linear_minimum_norm, &s, minimum_norm[i]);
        }
}

/* LU takes rows for dependent only at rounding, and sees that in units alike: where they
   differ by more than about a hundred, what it leaves of a zero is larger. */
Test(linear, dependent_constraints_are_why_lu_fails)
{
    struct random random = random_start();
    for (int k = 0; k < 100; k++) {
        struct saddle s = nearly_dependent(&random, 10, 4, 0);
        expect_status(&linear_lu, &s, RANK_LOSS);
        s = nearly_dependent(&random, 10, 4, 1e-8);
        expect_status(&linear_lu, &s, OK);
    }
}

Test(linear, more_constraints_than_coordinates_are_dependent)
{
    struct random random = random_start();
    struct saddle s = random_saddle(&random, 3, 5);
    expect_status(&linear_lu, &s, RANK_LOSS);
    expect_status(&linear_null_space, &s, RANK_LOSS);
    expect_status(&linear_minimum_norm, &s, OK);
}

/* A direction without inertia that the constraints leave free. */
Test(linear, accelerations_that_are_not_determined_are_singular)
{
    struct random random = random_start();
    struct saddle s = random_saddle(&random, 4, 2);
    for (int i = 0; i < 4; i++)
        s.M[4 * i + 3] = s.M[12 + i] = 0;
    for (int i = 0; i < 2; i++)
        s.C[4 * i + 3] = s.G[6 + i] = 0;
    expect_status(&linear_lu, &s, SINGULAR);
    expect_status(&linear_null_space, &s, SINGULAR);
    expect_status(&linear_minimum_norm, &s, SINGULAR);
    random_spd(&random, 2, s.D);
    expect_status(&linear_lu, &s, SINGULAR);
    expect_status(&linear_normal, &s, SINGULAR);
}

/* M needs to be regular only where the constraints leave freedom. */
Test(linear, a_singular_mass_matrix_is_legal_where_constraints_make_up_for_it)
{
    struct random random = random_start();
    double b[MOST_ROWS];
    struct saddle s = random_saddle(&random, 4, 2);
    for (int i = 0; i < 4; i++)
        s.M[4 * i + 3] = s.M[12 + i] = 0;
    random_matrix(&random, 6, b);
    cr_expect(distance_from_lu(&linear_null_space, &s, b) < 10);
    cr_expect(distance_from_lu(&linear_minimum_norm, &s, b) < 10);
    random_spd(&random, 2, s.D);
    cr_expect(distance_from_lu(&linear_normal, &s, b) < 10);
}

/* Friction that cancels a constraint force: C is fine, the multiplier does nothing. */
Test(linear, multipliers_that_are_not_determined_are_singular)
{
    struct random random = random_start();
    struct saddle s = random_saddle(&random, 4, 2);
    for (int i = 0; i < 4; i++)
        s.G[2 * i + 1] = s.G[2 * i];
    expect_status(&linear_lu, &s, SINGULAR);
    expect_status(&linear_null_space, &s, SINGULAR);
    expect_status(&linear_minimum_norm, &s, SINGULAR);
}

Test(linear, the_normal_form_needs_positive_definite_matrices)
{
    struct random random = random_start();
    struct saddle s = random_saddle(&random, 4, 2), ok = s;
    expect_status(&linear_normal, &s, NOT_SPD);     /* D = 0 */
    random_spd(&random, 2, ok.D);
    expect_status(&linear_normal, &ok, OK);
    s = ok;
    s.D[0] = -s.D[0];
    expect_status(&linear_normal, &s, NOT_SPD);
    s = ok;
    s.D[1] += 1e-3;
    expect_status(&linear_normal, &s, NOT_SPD);     /* not symmetric */
    s = ok;
    s.M[0] = -1000;
    expect_status(&linear_normal, &s, NOT_SPD);
    expect_status(&linear_lu, &s, OK);
}

Test(linear, the_null_space_of_constraints_that_give_way_is_a_slip, .signal = SIGABRT)
{
    struct random random = random_start();
    struct saddle s = random_regular(&random, 4, 2, false, true);
    factor_once(&linear_null_space, &s);
}

Test(linear, what_is_not_finite_is_never_ok)
{
    struct random random = random_start();
    struct saddle s = random_saddle(&random, 4, 2);
    for (int i = 0; i < METHODS; i++) {
        if (every_method[i] == &linear_normal)
            random_spd(&random, 2, s.D);
        else
            memset(s.D, 0, sizeof s.D);
        for (int k = 0; k < 3; k++) {
            struct saddle bad = s;
            (k == 0 ? bad.M : k == 1 ? bad.C : bad.G)[3] = NAN;
            cr_expect_neq(factor_once(every_method[i], &bad), OK, "%s, block %d",
                          every_method[i]->name, k);
        }
    }
}

/* --- digits that the normal form loses ---------------------------------------------- */

enum { ALPHAS = 6, SYSTEMS = 40 };

/* Error of x relative to its size, with a known solution; the right-hand side is formed
   in long double, so that its rounding is one of the input. */
static double error_of(const struct linear_method *method, const struct saddle *s,
                       const double *solution)
{
    int N = s->n + s->m;
    double K[MOST_ENTRIES], b[MOST_ROWS], x[MOST_ROWS];
    void *work = method->alloc(s->n, s->m);
    saddle_matrix(s, K);
    for (int i = 0; i < N; i++) {
        long double sum = 0;
        for (int j = 0; j < N; j++)
            sum += (long double)K[i * N + j] * solution[j];
        b[i] = (double)sum;
    }
    cr_assert_eq(method->factor(work, K), OK, "%s", method->name);
    solve_saddle(method, work, K, N, b, x);
    method->release(work);
    return difference(x, solution, N) / norm(solution, N);
}

/* Means of log10 of the error, for alpha = 1e2, 1e4, .. */
static void measure_digits(double lu[ALPHAS], double normal[ALPHAS])
{
    struct random random = random_start();
    for (int k = 0; k < ALPHAS; k++)
        lu[k] = normal[k] = 0;
    for (int i = 0; i < SYSTEMS; i++) {
        double solution[MOST_ROWS];
        struct saddle s = random_saddle(&random, 8, 4);
        random_matrix(&random, 12, solution);
        for (int k = 0; k < ALPHAS; k++) {
            for (int j = 0; j < 4; j++)
                s.D[5 * j] = pow(10, -2 * (k + 1));
            lu[k] += log10(error_of(&linear_lu, &s, solution)) / SYSTEMS;
            normal[k] += log10(error_of(&linear_normal, &s, solution)) / SYSTEMS;
        }
    }
}

Test(linear, the_normal_form_loses_the_digits_of_alpha_and_the_saddle_point_does_not)
{
    double lu[ALPHAS], normal[ALPHAS];
    measure_digits(lu, normal);
    for (int k = 0; k < ALPHAS; k++) {
        fprintf(stderr, "alpha = 1e%-2d  digits: saddle point %4.1f, normal form %4.1f\n",
                2 * (k + 1), -lu[k], -normal[k]);
        cr_expect(lu[k] < -14.5);
        if (k > 0)      /* two digits for a factor of 100 */
            cr_expect_float_eq(normal[k] - normal[k - 1], 2, 0.25);
    }
    cr_expect(normal[0] < -13 && normal[ALPHAS - 1] > -4.5);
}
