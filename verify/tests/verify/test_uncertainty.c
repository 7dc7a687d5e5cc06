/*
 * test_uncertainty.c - standard deviations of fits through events
 * (verify/optimise/uncertainty.h): a linear fit in closed form, second differences of the
 * cost, and refusals.
 */
#include "case.h"
#include "minimising.h"
#include "optimise/uncertainty.h"

#include <gsl/gsl_cdf.h>

TestSuite(uncertainty, .timeout = 120);

static struct uncertainty *uncertainty_of(const struct optimisation *o,
                                          enum variances variances, long readings)
{
    const struct uncertainty_request request = {variances, readings};
    return optimisation_uncertainty(o, &request);
}

static struct uncertainty *found(const struct optimisation *o, enum variances variances,
                                 long readings)
{
    struct uncertainty *u = uncertainty_of(o, variances, readings);
    cr_assert_eq(u->status, OK, "%s: %s", status_text(u->status), u->diagnosis.place);
    return u;
}

static void expect_refusal(struct minimising *m, enum status expected, const char *word)
{
    struct optimisation *o = minimised(m);
    cr_assert_geq(o->best, 0);
    struct uncertainty *u = uncertainty_of(o, VARIANCES_KNOWN, 0);
    cr_expect_eq(u->status, expected, "%s: %s", status_text(u->status),
                 u->diagnosis.place);
    cr_expect_eq(u->diagnosis.status, expected);
    cr_expect_not_null(strstr(u->diagnosis.place, word), "no '%s' in: %s", word,
                       u->diagnosis.place);
    uncertainty_free(u);
    optimisation_free(o);
    solving_end(&m->s);
}

/* --- a linear fit ------------------------------------------------------------------- */

/* LINE(time, place) of each reading. */
#define LINES(LINE) \
    LINE(0.2, 1.13) LINE(0.5, 1.38) LINE(0.9, 1.97) \
    LINE(1.3, 1.61) LINE(1.7, 1.02) LINE(2.1, 0.71)

#define READ_LINE(time, place) do { \
        char name[20]; \
        snprintf(name, sizeof name, "seen-%d", (int)lround(10 * time)); \
        struct event *seen = model_event(model, name, flight, flight, EQ(t - time), \
                                         RISING); \
        seen->cost[0] = EQ((x - place)*(x - place)/(sigma*sigma)); \
    } while (0);

/* x = a + b t, from a kick at t = 1 on with c (t - 1) more. */
static void record_kicked(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(a, b, c, sigma);
    COSTS(misfit);
    TIME(t);
    NOMINAL(a, 2, "m", "place");
    NOMINAL(b, 0.5, "m/s", "speed");
    NOMINAL(c, -1, "m/s", "kick");
    FIXED(sigma, 0.05, "m", "standard deviation");
    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    struct event *kick = model_event(model, "kick", flight, flight, EQ(t - 1), RISING);
    kick->v_plus[0] = EQ(vx + c);
    LINES(READ_LINE)
    model->q0[0] = EQ(a);
    model->v0[0] = EQ(b);
    model->t_end = EQ(2.4);
}

/* Normal equations: A = sum of row row', of sigma = 1, and their solution. */
struct normal {
    int readings;
    double inverse[3][3];
    double estimate[3];
    double squares;             /* sum of squared deviations */
};

static void invert(double A[3][3], double inverse[3][3])
{
    double det = 0;
    for (int j = 0; j < 3; j++)
        det += A[0][j] * (A[1][(j + 1) % 3] * A[2][(j + 2) % 3] -
                          A[1][(j + 2) % 3] * A[2][(j + 1) % 3]);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            inverse[k][j] = (A[(j + 1) % 3][(k + 1) % 3] * A[(j + 2) % 3][(k + 2) % 3] -
                             A[(j + 1) % 3][(k + 2) % 3] * A[(j + 2) % 3][(k + 1) % 3]) /
                            det;
}

static struct normal normal_equations(void)
{
#define NUMBERS(time, place) {time, place},
    static const double seen[][2] = {LINES(NUMBERS)};
    struct normal normal = {.readings = sizeof seen / sizeof *seen};
    double A[3][3] = {{0}}, side[3] = {0};
    for (int i = 0; i < normal.readings; i++) {
        double row[] = {1, seen[i][0], fmax(0, seen[i][0] - 1)};
        for (int j = 0; j < 3; j++) {
            side[j] += row[j] * seen[i][1];
            for (int k = 0; k < 3; k++)
                A[j][k] += row[j] * row[k];
        }
    }
    invert(A, normal.inverse);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            normal.estimate[j] += normal.inverse[j][k] * side[k];
    for (int i = 0; i < normal.readings; i++) {
        double x = normal.estimate[0] + normal.estimate[1] * seen[i][0] +
                   normal.estimate[2] * fmax(0, seen[i][0] - 1) - seen[i][1];
        normal.squares += x * x;
    }
    return normal;
}

static void expect_covariance(const struct uncertainty *u, const struct normal *normal,
                              double variance)
{
    const struct covariance *c = &u->covariance;
    cr_assert_eq(c->n, 3);
    for (int j = 0; j < 3; j++) {
        double want = sqrt(variance * normal->inverse[j][j]);
        cr_expect_float_eq(c->deviation[j], want, 1e-8 * want, "%d", j);
        for (int k = 0; k < 3; k++)
            cr_expect_float_eq(c->matrix[j * 3 + k], variance * normal->inverse[j][k],
                               1e-8 * variance * fabs(normal->inverse[j][k]), "%d, %d",
                               j, k);
    }
}

Test(uncertainty, of_a_linear_fit_is_that_of_the_normal_equations)
{
    struct minimising m;
    struct normal normal = normal_equations();
    solving_of_record(&m.s, "kicked", record_kicked, "ode");
    minimising_of(&m, "a,b,c", "misfit");
    struct optimisation *o = minimised(&m);
    expect_arrival(o);
    for (int j = 0; j < 3; j++)
        cr_expect_float_eq(o->evaluation[o->best]->value[j], normal.estimate[j], 1e-7);
    struct uncertainty *u = found(o, VARIANCES_KNOWN, normal.readings);
    expect_covariance(u, &normal, 0.05 * 0.05);
    double chi_square = normal.squares / (0.05 * 0.05);
    cr_expect_float_eq(u->covariance.reduced, chi_square / 3, 1e-8 * chi_square);
    cr_expect_float_eq(u->covariance.chance, gsl_cdf_chisq_Q(chi_square, 3), 1e-8);
    uncertainty_free(u);
    /* whatever sigma is, psi tells the variance */
    u = found(o, VARIANCES_EQUAL, normal.readings);
    expect_covariance(u, &normal, normal.squares / 3);
    cr_expect_eq(u->covariance.degrees, 3);
    uncertainty_free(u);
    optimisation_free(o);
    solving_end(&m.s);
}

/* --- second differences ------------------------------------------------------------- */

enum { BALL = 4 };

/* The cost with parameters i and j moved by so many steps of 1e-4 of their size. */
static double moved(struct minimising *m, const struct evaluation *best, int i, int a,
                    int j, int b)
{
    for (int k = 0; k < BALL; k++) {
        int steps = a * (k == i) + b * (k == j);
        m->s.value[m->s.parameter[k]] = best->value[k] * (1 + 1e-4 * steps);
    }
    struct trajectory *trajectory = solve(&m->s);
    double psi = trajectory->psi[m->request.cost];
    trajectory_free(trajectory);
    return psi;
}

/* Of fourth order: (4 D(h) - D(2 h))/3 with D a mixed central difference. */
static double second_difference(struct minimising *m, const struct evaluation *best,
                                int i, int j)
{
    double D[2];
    for (int h = 1; h <= 2; h++) {
        double sum = i == j ? moved(m, best, i, h, i, 0) + moved(m, best, i, -h, i, 0) -
                              2 * moved(m, best, i, 0, i, 0)
                            : (moved(m, best, i, h, j, h) + moved(m, best, i, -h, j, -h) -
                               moved(m, best, i, h, j, -h) -
                               moved(m, best, i, -h, j, h)) / 4;
        D[h - 1] = sum / (h * h * 1e-8 * best->value[i] * best->value[j]);
    }
    return (4 * D[0] - D[1]) / 3;
}

Test(uncertainty, of_the_tracked_ball_is_that_of_second_differences_of_its_cost)
{
    struct minimising m;
    double H[BALL * BALL];
    static const char *const name[BALL] = {"e", "mu", "u0", "h0"};
    solving_of_case(&m.s, "ball-tracked", "ode");
    minimising_of(&m, "e,mu,u0,h0", "misfit");
    struct optimisation *o = minimised(&m);
    expect_arrival(o);
    struct uncertainty *u = found(o, VARIANCES_KNOWN, 20);
    const struct evaluation *best = o->evaluation[o->best];
    m.s.request.rtol = 1e-13;
    m.s.request.atol = 1e-16;
    m.s.request.parameters = 0;
    for (int i = 0; i < BALL * BALL; i++)
        H[i] = second_difference(&m, best, i / BALL, i % BALL);
    const struct fit fit = {.n = BALL, .name = name, .hessian = H, .psi = best->psi};
    struct covariance c;
    cr_assert_eq(covariance_of(&fit, &c, &m.s.diagnosis), OK);
    for (int j = 0; j < BALL; j++) {
        cr_expect_float_eq(u->covariance.deviation[j], c.deviation[j],
                           1e-6 * c.deviation[j], "%s: %.12g and %.12g", name[j],
                           u->covariance.deviation[j], c.deviation[j]);
        for (int k = 0; k < BALL; k++)
            cr_expect_float_eq(u->covariance.correlation[j * BALL + k],
                               c.correlation[j * BALL + k], 1e-6);
    }
    covariance_clear(&c);
    uncertainty_free(u);
    optimisation_free(o);
    solving_end(&m.s);
}

/* --- refusals ----------------------------------------------------------------------- */

/* 3 + x^2 + turn y^2 at the end, x = a and y = b there; flat: x + y in place of x. */
static void record_surface(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(a, b, turn, flat);
    COSTS(height);
    NOMINAL(a, 0, "m/s", "speed");
    NOMINAL(b, 0, "m/s", "speed");
    FIXED(turn, 20, "1", "curvature along b");
    FIXED(flat, 0, "1", "part of b beside a");
    model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->w[0] = EQ(3 + (x + flat*y)*(x + flat*y) + turn*y*y);
    model->q0[0] = EQ(0);
    model->q0[1] = EQ(0);
    model->v0[0] = EQ(a);
    model->v0[1] = EQ(b);
    model->t_end = EQ(1);
}

static void surface_of(struct minimising *m, double turn, double flat)
{
    solving_of_record(&m->s, "surface", record_surface, "ode");
    minimising_of(m, "a,b", "height");
    m->s.value[model_parameter_index(m->s.model, "turn")] = turn;
    m->s.value[model_parameter_index(m->s.model, "flat")] = flat;
}

/* A saddle has no gradient, either: the way down begins and ends there. */
Test(uncertainty, of_a_saddle_is_refused)
{
    struct minimising m;
    surface_of(&m, -1, 0);
    expect_refusal(&m, NOT_SPD, "upwards along b");
    surface_of(&m, -0.5, 1);
    expect_refusal(&m, NOT_SPD, "downwards along a, b together");
}

Test(uncertainty, of_parameters_that_the_cost_does_not_tell_apart_is_refused)
{
    struct minimising m;
    surface_of(&m, 0, 1);
    m.start[0] = 1;
    expect_refusal(&m, NO_DIGITS, "does not tell a, b apart");
    surface_of(&m, 1e-4, 1);
    m.start[0] = 1;
    expect_refusal(&m, OK, "");
}

Test(uncertainty, before_the_minimum_is_reached_is_refused)
{
    struct minimising m;
    surface_of(&m, 20, 0.3);
    m.start[0] = m.start[1] = 1;
    m.request.max_evaluations = 3;
    expect_refusal(&m, NO_CONVERGENCE, "not reached");
}

/* With a >= 1 the minimum is a = 1, where b alone varies, with curvature 2 (20 + 0.3^2),
   and b beside a = 1 is -0.3 / (20 + 0.3^2). */
Test(uncertainty, beside_an_active_bound_is_conditional_on_it)
{
    struct minimising m;
    if (!minimiser_takes_bounds())
        cr_skip_test("without NLopt");
    surface_of(&m, 20, 0.3);
    m.start[0] = 2;
    m.lower[0] = 1;
    struct optimisation *o = minimised(&m);
    expect_arrival(o);
    cr_assert_eq(optimisation_at_bound(o, 0), -1);
    struct uncertainty *u = found(o, VARIANCES_EQUAL, 3);
    cr_assert_eq(u->covariance.n, 1);
    cr_expect_eq(u->place[0], -1);
    cr_expect_eq(u->place[1], 0);
    cr_expect_eq(u->covariance.degrees, 2, "the parameter that is held does not count");
    double psi = o->evaluation[o->best]->psi;
    cr_expect_float_eq(u->covariance.deviation[0], sqrt(psi / 2 / 20.09), 1e-9);
    uncertainty_free(u);
    optimisation_free(o);
    solving_end(&m.s);
}

Test(uncertainty, where_every_parameter_is_held_is_refused)
{
    struct minimising m;
    if (!minimiser_takes_bounds())
        cr_skip_test("without NLopt");
    surface_of(&m, 20, 0);
    m.start[0] = m.start[1] = 2;
    m.lower[0] = m.lower[1] = 1;
    expect_refusal(&m, NOT_APPLICABLE, "every parameter is held");
}

Test(uncertainty, without_second_derivatives_says_why)
{
    struct minimising m;
    solving_of_case(&m.s, "latch-redundant", "baumgarte");
    minimising_of(&m, "h", "way");
    expect_refusal(&m, NOT_APPLICABLE, "multipliers are redundant");
}
