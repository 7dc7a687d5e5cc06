/*
 * test_series.c - Taylor coefficients of every operation.
 *
 * Two oracles: derivative rows (d/dt repeated, from diff.c), which share nothing with the
 * recurrences, for the first orders of every operation; and identities between operations
 * for high orders.
 */
#include <stdio.h>

#include "formula/diff.h"
#include "program/series.h"
#include "random_formulas.h"
#include "reading.h"

static struct random random_source;

static void open_tape(void)
{
    begin_reading();
    random_source = random_start();
    names_bind(names, "a", variable(tape, BLOCK_Q, 0));
    names_bind(names, "b", variable(tape, BLOCK_Q, 1));
    names_bind(names, "r", variable(tape, BLOCK_RHO, 0));
    names_bind(names, "t", variable(tape, BLOCK_T, 0));
}

TestSuite(series, .init = open_tape, .fini = end_reading);

enum { ORDER = 24 };

/* a, b as series in t; r and t itself are loaded from a_0-like numbers. */
struct motion {
    double a[ORDER + 1], b[ORDER + 1], r;
};

/* Coefficients that shrink like 0.6^k: a radius of convergence well above 1. */
static struct motion random_motion(double a, double b, double r)
{
    struct motion motion = {.r = r};
    for (int k = 0; k <= ORDER; k++) {
        motion.a[k] = pow(0.6, k) * random_between(&random_source, -0.3, 0.3);
        motion.b[k] = pow(0.6, k) * random_between(&random_source, -0.3, 0.3);
    }
    motion.a[0] = a;
    motion.b[0] = b;
    return motion;
}

static void load(struct series *series, const struct motion *motion, int k)
{
    series_load(series, BLOCK_Q, 0, k, motion->a[k]);
    series_load(series, BLOCK_Q, 1, k, motion->b[k]);
    if (k == 0)
        series_load(series, BLOCK_RHO, 0, 0, motion->r);
    if (k == 1)
        series_load(series, BLOCK_T, 0, 1, 1);
}

/* Coefficients 0 .. order of one formula along the motion. */
static void coefficients(formula f, const struct motion *motion, int order, double *out)
{
    struct program *program = seal_all(tape, &f, 1);
    struct series *series = series_new(program, order);
    series_init(series);
    for (int k = 0; k <= order; k++) {
        load(series, motion, k);
        series_run(series, 1, k);
        out[k] = series_output(series, 0, k);
    }
    series_free(series);
    program_free(program);
}

/* --- every operation against derivative rows -------------------------------------- */

/* x0 + x1 t + x2 t^2 + ... as a formula: x_k is the parameter first + k */
static formula polynomial(int first, int count)
{
    formula t = variable(tape, BLOCK_T, 0), total = {0};
    for (int k = 0; k < count; k++)
        total = add(total, mul(variable(tape, BLOCK_RHO, first + k), power(t, k)));
    return total;
}

/* The first coefficients of op(a(t), b(t)) at t = 0 as derivative rows / k!. */
static void check_operation(enum op op, formula a, formula b, formula series_formula)
{
    enum { TERMS = 5 };
    formula derivative[TERMS] = {apply_any(op, a, b)};
    for (int k = 1; k < TERMS; k++)
        gradient(derivative[k - 1], BLOCK_T, 1, &derivative[k]);
    struct program *program = seal_all(tape, derivative, TERMS);
    for (int trial = 0; trial < 20; trial++) {
        double a0, b0, value[TERMS], coefficient[TERMS], factorial = 1;
        random_operands(&random_source, op, &a0, &b0);
        struct motion motion = random_motion(a0, b0, b0);
        struct place point = {0};
        for (int k = 0; k < TERMS; k++) {
            point.x[BLOCK_RHO][k] = motion.a[k];
            point.x[BLOCK_RHO][TERMS + k] = motion.b[k];
        }
        evaluate(program, &point, value);
        coefficients(series_formula, &motion, TERMS - 1, coefficient);
        for (int k = 0; k < TERMS; k++) {
            factorial *= k > 0 ? k : 1;
            double exact = value[k] / factorial;
            cr_assert(fabs(coefficient[k] - exact) < 2e-12 * (1 + fabs(exact)),
                      "%s, coefficient %d: %.17g, not %.17g, seed %llu", op_info[op].text,
                      k, coefficient[k], exact, random_source.seed);
        }
    }
    program_free(program);
}

Test(series, coefficients_of_every_operation_are_its_derivatives)
{
    formula a = polynomial(0, 5), b = polynomial(5, 5);
    formula steady = variable(tape, BLOCK_RHO, 5);      /* b_0 alone */
    for (enum op op = OP_POWI + 1; op < OPS; op++) {
        if (op != OP_POW)
            check_operation(op, a, b, apply_any(op, reads("a"), reads("b")));
        if (op_info[op].arity == 2)
            check_operation(op, a, steady, apply_any(op, reads("a"), reads("r")));
    }
}

Test(series, integer_powers_are_their_derivatives)
{
    for (int n = -7; n <= 9; n++) {
        double coefficient[ORDER + 1], product[ORDER + 1];
        struct motion motion = random_motion(0.8, 0, 0);
        formula f = power(reads("a"), n), g = integer(tape, 1);
        for (int i = 0; i < abs(n); i++)
            g = n > 0 ? mul(g, reads("a")) : quotient(g, reads("a"));
        coefficients(f, &motion, ORDER, coefficient);
        coefficients(g, &motion, ORDER, product);
        for (int k = 0; k <= ORDER; k++)
            cr_assert(fabs(coefficient[k] - product[k]) < 1e-12 * (1 + fabs(product[k])),
                      "a^%d, coefficient %d, seed %llu", n, k, random_source.seed);
    }
}

/* --- identities ------------------------------------------------------------------- */

/* The two sides agree in every coefficient, to a part of the largest coefficient there is
   up to that order in either side or in the motion. */
static double difference(const char *left, const char *right, const struct motion *motion)
{
    double l[ORDER + 1], r[ORDER + 1], scale = 1, worst = 0;
    coefficients(reads(left), motion, ORDER, l);
    coefficients(reads(right), motion, ORDER, r);
    for (int k = 0; k <= ORDER; k++) {
        scale = fmax(scale, fabs(l[k]));
        double error = fabs(l[k] - r[k]) / scale;
        worst = error > worst || isnan(error) ? error : worst;
    }
    return worst;
}

static const struct identity {
    const char *left, *right;
    double low, high;       /* range of a_0 */
} identity[] = {
    {"sin(a)*sin(a) + cos(a)*cos(a)", "1 + 0.0*a", -3, 3},
    {"sin(a + b)", "sin(a)*cos(b) + cos(a)*sin(b)", -3, 3},
    {"sin(a)", "cos(a - pi/2)", -3, 3},
    {"cosh(a)*cosh(a) - sinh(a)*sinh(a)", "1 + 0.0*a", -2, 2},
    {"sinh(a)", "(exp(a) - exp(-a))/2", -2, 2},
    {"cosh(a)", "(exp(a) + exp(-a))/2", -2, 2},
    {"tan(a)", "sin(a)/cos(a)", -1.2, 1.2},
    {"tanh(a)", "sinh(a)/cosh(a)", -2, 2},
    {"exp(log(a))", "a", 0.5, 3},
    {"log(exp(a))", "a", -3, 3},
    {"sqrt(a)*sqrt(a)", "a", 0.5, 3},
    {"asin(sin(a))", "a", -1.2, 1.2},
    {"sin(asin(a))", "a", -0.5, 0.5},
    {"acos(cos(a))", "a", 0.4, 2.7},
    {"asin(a) + acos(a)", "pi/2 + 0.0*a", -0.5, 0.5},
    {"atan(tan(a))", "a", -1.2, 1.2},
    {"tan(atan(a))", "a", -2, 2},
    {"atan2((2 + b)*sin(a), (2 + b)*cos(a))", "a", -2.9, 2.9},
    {"atan2(a, 1.5 + b)", "atan(a/(1.5 + b))", -2, 2},
    {"pow(a, r)", "exp(r*log(a))", 0.5, 2},
    {"pow(a, r)*pow(a, -r)", "1 + 0.0*a", 0.5, 2},
    {"pow(a, -3)*a*a*a", "1 + 0.0*a", 0.5, 2},
    {"pow(a, 7)", "a*a*a*a*a*a*a", -2, 2},
    {"a*b/b", "a", -2, 2},
    {"r*a/r - a", "0.0*a", -2, 2},
    {"(a + b)*(a - b)", "pow(a, 2) - b*b", -2, 2},
    {"t*t*a", "pow(t, 2)*a", -2, 2},
};

Test(series, identities_hold_in_every_coefficient)
{
    for (size_t i = 0; i < sizeof identity / sizeof *identity; i++) {
        const struct identity *law = &identity[i];
        for (int trial = 0; trial < 10; trial++) {
            double a = random_between(&random_source, law->low, law->high);
            double b = random_between(&random_source, 0.4, 0.9);
            struct motion motion = random_motion(a, b, 1.7);
            double worst = difference(law->left, law->right, &motion);
            cr_assert(worst < 1e-11, "%s = %s: %.2e at a = %g, seed %llu", law->left,
                      law->right, worst, a, random_source.seed);
        }
    }
}

Test(series, identities_that_are_false_do_not_hold)
{
    struct motion motion = random_motion(0.7, 0.5, 1.7);
    cr_assert(difference("tan(a)", "sin(a)/cos(a)*1.0000001", &motion) > 1e-11);
    cr_assert(difference("asin(a)", "a + pow(a, 3)/6", &motion) > 1e-3);
    cr_assert(difference("a", "a + 1e-9*pow(t, 20)", &motion) > 1e-11);
}

/* --- edges ------------------------------------------------------------------------ */

Test(series, powers_work_where_the_base_vanishes)
{
    struct motion motion = {.a = {0, 1, 1}, .b = {1e-200, 1, 1}};      /* t + t^2 */
    double square[ORDER + 1], cube[ORDER + 1], near[ORDER + 1];
    coefficients(reads("pow(a, 2)"), &motion, ORDER, square);
    coefficients(reads("pow(a, 3)"), &motion, ORDER, cube);
    coefficients(reads("pow(b, 3)"), &motion, ORDER, near);
    const double squared[] = {0, 0, 1, 2, 1}, cubed[] = {0, 0, 0, 1, 3, 3, 1};
    for (int k = 0; k <= ORDER; k++) {
        cr_assert_eq(square[k], k < 5 ? squared[k] : 0);
        cr_assert_eq(cube[k], k < 7 ? cubed[k] : 0);
        cr_assert_float_eq(near[k], cube[k], 1e-15);
    }
}

Test(series, time_and_parameters_move_as_they_should)
{
    struct motion motion = {.r = 3};
    double c[ORDER + 1];
    coefficients(reads("r*pow(t, 2) + sqrt(r + 1)*t + r*r"), &motion, ORDER, c);
    for (int k = 0; k <= ORDER; k++)
        cr_assert_eq(c[k], k == 0 ? 9 : k == 1 ? 2 : k == 2 ? 3 : 0, "coefficient %d", k);
    coefficients(reads("exp(r*t)"), &motion, ORDER, c);
    double expected = 1;
    for (int k = 0; k <= ORDER; expected *= 3.0 / ++k)
        cr_assert_float_eq(c[k], expected, 1e-14 * expected);
}

Test(series, order_zero_is_the_double_evaluation_bit_for_bit)
{
    formula leaf[] = {reads("a"), reads("b"), reads("r"), reads("0.3")};
    for (int trial = 0; trial < 100; trial++) {
        formula f = random_formula(&random_source, leaf, 4, 20);
        double a = random_between(&random_source, -2, 2);
        struct motion motion = random_motion(a, 0.7, 1.3);
        struct place point = {0};
        double series_value, value;
        point.x[BLOCK_Q][0] = motion.a[0];
        point.x[BLOCK_Q][1] = motion.b[0];
        point.x[BLOCK_RHO][0] = motion.r;
        if (is_zero(f))
            continue;
        struct program *program = seal_all(tape, &f, 1);
        evaluate(program, &point, &value);
        coefficients(f, &motion, 0, &series_value);
        cr_assert(value == series_value, "%.17g, not %.17g, seed %llu", series_value,
                  value, random_source.seed);
        program_free(program);
    }
}

/* A Taylor solver runs order k with a guess, solves, loads and runs order k again. */
Test(series, a_coefficient_may_be_run_again)
{
    formula leaf[] = {reads("a"), reads("b"), reads("r")};
    for (int trial = 0; trial < 50; trial++) {
        double once[ORDER + 1];
        struct motion motion = random_motion(0.4, 0.7, 1.3);
        formula f = random_formula(&random_source, leaf, 3, 15);
        coefficients(f, &motion, ORDER, once);
        struct program *program = seal_all(tape, &f, 1);
        struct series *series = series_new(program, ORDER);
        series_init(series);
        for (int k = 0; k <= ORDER; k++) {
            load(series, &motion, k);
            series_load(series, BLOCK_Q, 0, k, k > 0 ? 0 : 0.9);
            series_run(series, 1, k);
            series_load(series, BLOCK_Q, 0, k, motion.a[k]);
            series_run(series, 1, k);
            cr_assert(series_output(series, 0, k) == once[k], "seed %llu",
                      random_source.seed);
        }
        series_free(series);
        program_free(program);
    }
}

/* Coefficient k of f is affine in coefficient k of its inputs with the Jacobian at order
   0: that is what lets one factorisation serve every order. */
Test(series, a_coefficient_is_affine_in_its_inputs)
{
    formula f = reads("a*a*sin(b) + exp(a)/b"), slope[2];
    struct motion motion = random_motion(0.4, 0.7, 0);
    double plain[ORDER + 1], changed[ORDER + 1], slope_at_start;
    gradient(f, BLOCK_Q, 2, slope);
    coefficients(f, &motion, ORDER, plain);
    coefficients(slope[0], &motion, 0, &slope_at_start);
    for (int k = 1; k <= ORDER; k++) {
        struct motion moved = motion;
        moved.a[k] += 1;
        coefficients(f, &moved, k, changed);
        cr_assert_float_eq(changed[k] - plain[k], slope_at_start, 1e-12);
    }
}
