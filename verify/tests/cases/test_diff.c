/*
 * test_diff.c - laws of the derivatives that diff.c writes.
 *
 * The oracle for single operations is the complex step, which shares the column `complex`
 * of ops.def and nothing of da, db or the sweeps.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "formula/diff.h"
#include "formula/read.h"
#include "random_formulas.h"

static const double epsilon = 1e-30;

static struct tape *tape;
static struct random random_source;

static void open_tape(void)
{
    tape = tape_new();
    random_source = random_start();
}

static void close_tape(void)
{
    tape_free(tape);
}

TestSuite(diff, .init = open_tape, .fini = close_tape);

/* --- single operations against the complex step ----------------------------------- */

/* f, its gradient and its second derivatives in two operands: 1 + 2 + 4 outputs. The
   second operand is a parameter, so that pow keeps its own row. */
enum { VALUE, FIRST, SECOND = FIRST + 2, OUTPUTS = SECOND + 4 };

static const int block_of[2] = {BLOCK_Q, BLOCK_RHO};

static void two_derivatives(formula f, formula *out)
{
    out[VALUE] = f;
    for (int i = 0; i < 2; i++)
        gradient(f, block_of[i], 1, &out[FIRST + i]);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            gradient(out[FIRST + i], block_of[j], 1, &out[SECOND + 2 * i + j]);
}

/* The largest error of the derivative rows, as a multiple of the size of all of them. */
static double complex_step_error(const struct program *program, double a, double b)
{
    struct place point = {0};
    double value[OUTPUTS], scale = 1, worst = 0;
    double complex step[OUTPUTS];
    point.x[BLOCK_Q][0] = a;
    point.x[BLOCK_RHO][0] = b;
    evaluate(program, &point, value);
    for (int i = 0; i < OUTPUTS; i++)
        scale = fmax(scale, fabs(value[i]));
    for (int j = 0; j < 2; j++) {
        struct place moved = point;
        moved.x[block_of[j]][0] += epsilon * _Complex_I;
        evaluate_complex(program, &moved, step);
        for (int i = 0; i < 3; i++) {
            int derivative = i == 0 ? FIRST + j : SECOND + 2 * (i - 1) + j;
            double error = fabs(cimag(step[i]) / epsilon - value[derivative]);
            worst = fmax(worst, error / scale);
            worst = fmax(worst, fabs(creal(step[i]) - value[i]) / scale);
        }
    }
    return worst;
}

static double worst_of_operation(enum op op, formula f, int trials)
{
    formula out[OUTPUTS];
    two_derivatives(f, out);
    struct program *program = seal_all(tape, out, OUTPUTS);
    double worst = 0;
    for (int i = 0; i < trials; i++) {
        double a, b;
        random_operands(&random_source, op, &a, &b);
        double error = complex_step_error(program, a, b);
        worst = error > worst || isnan(error) ? error : worst;
    }
    program_free(program);
    return worst;
}

Test(diff, first_and_second_derivatives_of_every_operation_equal_complex_steps)
{
    formula a = variable(tape, BLOCK_Q, 0), b = variable(tape, BLOCK_RHO, 0);
    for (enum op op = OP_POWI + 1; op < OPS; op++) {
        double worst = worst_of_operation(op, apply_any(op, a, b), 500);
        cr_assert(worst < 1e-14, "%s: %.2e, seed %llu", op_info[op].text, worst,
                  random_source.seed);
    }
}

Test(diff, first_derivatives_of_every_operation_are_relatively_accurate)
{
    formula a = variable(tape, BLOCK_Q, 0), b = variable(tape, BLOCK_RHO, 0);
    for (enum op op = OP_POWI + 1; op < OPS; op++) {
        formula f = apply_any(op, a, b), out[3] = {f};
        for (int i = 0; i < 2; i++)
            gradient(f, block_of[i], 1, &out[FIRST + i]);
        struct program *program = seal_all(tape, out, 3);
        for (int trial = 0; trial < 500; trial++) {
            struct place point = {0};
            double x, y, value[3];
            random_operands(&random_source, op, &x, &y);
            for (int j = 0; j < 2; j++) {
                double complex step[3];
                point.x[BLOCK_Q][0] = x + (j == 0 ? epsilon : 0) * _Complex_I;
                point.x[BLOCK_RHO][0] = y + (j == 1 ? epsilon : 0) * _Complex_I;
                evaluate(program, &point, value);
                evaluate_complex(program, &point, step);
                double slope = value[FIRST + j];
                double error = fabs(cimag(step[VALUE]) / epsilon - slope);
                cr_assert(error <= 1e-14 * fabs(slope), "%s at %g, %g: seed %llu",
                          op_info[op].text, x, y, random_source.seed);
            }
        }
        program_free(program);
    }
}

Test(diff, integer_powers_differentiate_at_zero_and_below)
{
    formula a = variable(tape, BLOCK_Q, 0);
    for (int n = -4; n <= 6; n++) {
        double worst = worst_of_operation(OP_ADD, power(a, n), 50);
        cr_assert(n < 0 || worst < 1e-14, "power %d: %.2e, seed %llu", n, worst,
                  random_source.seed);
    }
    formula out[OUTPUTS];
    two_derivatives(power(a, 2), out);
    struct program *program = seal_all(tape, out, OUTPUTS);
    cr_assert(complex_step_error(program, 0, 0) < 1e-50);
    cr_assert(complex_step_error(program, -2, 0) < 1e-15);
    program_free(program);
}

/* The oracle must see a wrong derivative: tanh judged with the derivative of atan, and a
   last digit that is off by a part in 1e12. */
Test(diff, complex_steps_tell_wrong_derivatives)
{
    formula a = variable(tape, BLOCK_Q, 0), out[OUTPUTS], wrong[OUTPUTS];
    formula nearly = constant(tape, "1.000000000001");
    two_derivatives(apply(OP_TANH, a), out);
    two_derivatives(apply(OP_ATAN, a), wrong);
    out[FIRST] = wrong[FIRST];
    struct program *program = seal_all(tape, out, OUTPUTS);
    cr_assert(complex_step_error(program, 0.7, 0) > 1e-3);
    program_free(program);

    two_derivatives(apply(OP_TANH, a), out);
    out[FIRST] = mul(nearly, out[FIRST]);
    program = seal_all(tape, out, OUTPUTS);
    cr_assert(complex_step_error(program, 0.7, 0) > 1e-14);
    program_free(program);
}

/* --- sweeps against each other ---------------------------------------------------- */

enum { F = 4, NQ = 3, NV = 2 };

static void random_system(formula *f)
{
    formula leaf[NQ + NV + 2];
    for (int i = 0; i < NQ; i++)
        leaf[i] = variable(tape, BLOCK_Q, i);
    for (int i = 0; i < NV; i++)
        leaf[NQ + i] = variable(tape, BLOCK_V, i);
    leaf[NQ + NV] = variable(tape, BLOCK_RHO, 0);
    leaf[NQ + NV + 1] = constant(tape, "0.7");
    for (int i = 0; i < F; i++)
        f[i] = random_formula(&random_source, leaf, NQ + NV + 2, 12);
}

Test(diff, tangent_is_jacobian_times_direction)
{
    static const bool active[BLOCKS] = {[BLOCK_Q] = true, [BLOCK_V] = true};
    for (int trial = 0; trial < 50; trial++) {
        formula out[F + F * NQ + F * NV], f[F];
        random_system(f);
        tangent(tape, f, F, active, 2, out);
        jacobian(f, F, BLOCK_Q, NQ, out + F);
        jacobian(f, F, BLOCK_V, NV, out + F + F * NQ);
        struct program *program = seal_all(tape, out, F + F * NQ + F * NV);
        struct place point;
        double value[F + F * NQ + F * NV];
        random_point(&random_source, &point);
        evaluate(program, &point, value);
        for (int i = 0; i < F; i++) {
            double total = 0, scale = 1;
            for (int j = 0; j < NQ + NV; j++) {
                double slope = j < NQ ? value[F + i * NQ + j]
                                      : value[F + F * NQ + i * NV + j - NQ];
                double d = creal(j < NQ ? point.x[DIRECTION(BLOCK_Q, 2)][j]
                                        : point.x[DIRECTION(BLOCK_V, 2)][j - NQ]);
                total += slope * d;
                scale += fabs(slope * d);
            }
            cr_assert(fabs(total - value[i]) < 1e-13 * scale, "seed %llu",
                      random_source.seed);
        }
        program_free(program);
    }
}

static formula unit_seed(void *context, int block, int index)
{
    return block == BLOCK_Q && index == *(int *)context ? integer(tape, 1) : (formula){0};
}

Test(diff, gradient_is_the_transposed_tangent)
{
    for (int trial = 0; trial < 50; trial++) {
        formula out[2 * F * NQ], f[F];
        random_system(f);
        jacobian(f, F, BLOCK_Q, NQ, out);
        for (int j = 0; j < NQ; j++) {
            formula column[F];
            tangent_along(f, F, unit_seed, &j, column);
            for (int i = 0; i < F; i++)
                out[F * NQ + i * NQ + j] = column[i];
        }
        struct program *program = seal_all(tape, out, 2 * F * NQ);
        struct place point;
        double value[2 * F * NQ];
        random_point(&random_source, &point);
        evaluate(program, &point, value);
        for (int i = 0; i < F * NQ; i++) {
            double backward = value[i], forward = value[F * NQ + i];
            cr_assert(fabs(backward - forward) < 1e-12 * (1 + fabs(forward)), "seed %llu",
                      random_source.seed);
        }
        program_free(program);
    }
}

Test(diff, second_tangents_are_symmetric)
{
    static const bool active[BLOCKS] = {[BLOCK_Q] = true, [BLOCK_RHO] = true};
    for (int trial = 0; trial < 50; trial++) {
        formula f[F], once[F], out[2 * F];
        random_system(f);
        tangent(tape, f, F, active, 1, once);
        tangent(tape, once, F, active, 2, out);
        tangent(tape, f, F, active, 2, once);
        tangent(tape, once, F, active, 1, out + F);
        struct program *program = seal_all(tape, out, 2 * F);
        struct place point;
        double value[2 * F];
        random_point(&random_source, &point);
        evaluate(program, &point, value);
        for (int i = 0; i < F; i++)
            cr_assert(fabs(value[i] - value[F + i]) < 1e-12 * (1 + fabs(value[i])),
                      "seed %llu", random_source.seed);
        program_free(program);
    }
}

Test(diff, jacobian_of_random_formulas_equals_complex_steps)
{
    for (int trial = 0; trial < 50; trial++) {
        formula out[F + F * NQ];
        random_system(out);
        jacobian(out, F, BLOCK_Q, NQ, out + F);
        struct program *program = seal_all(tape, out, F + F * NQ);
        struct place point;
        double value[F + F * NQ];
        double complex step[F + F * NQ];
        random_point(&random_source, &point);
        evaluate(program, &point, value);
        for (int j = 0; j < NQ; j++) {
            struct place moved = point;
            moved.x[BLOCK_Q][j] += epsilon * _Complex_I;
            evaluate_complex(program, &moved, step);
            for (int i = 0; i < F; i++) {
                double error = cimag(step[i]) / epsilon - value[F + i * NQ + j];
                cr_assert(fabs(error) < 1e-12 * (1 + fabs(value[F + i * NQ + j])),
                          "seed %llu", random_source.seed);
            }
        }
        program_free(program);
    }
}

/* --- structure -------------------------------------------------------------------- */

Test(diff, structural_zeros_are_left_unset)
{
    formula q0 = variable(tape, BLOCK_Q, 0), q1 = variable(tape, BLOCK_Q, 1);
    formula f[3] = {mul(q0, q0), {0}, add(q1, integer(tape, 3))}, out[6], v[2];
    jacobian(f, 3, BLOCK_Q, 2, out);
    cr_assert(out[0].tape != NULL && out[1].tape == NULL);
    cr_assert(out[2].tape == NULL && out[3].tape == NULL && out[4].tape == NULL);
    cr_assert(same_formula(out[5], integer(tape, 1)));
    gradient(f[0], BLOCK_V, 2, v);
    cr_assert(v[0].tape == NULL && v[1].tape == NULL);
    static const bool none[BLOCKS] = {false};
    tangent(tape, f, 3, none, 1, out);
    cr_assert(out[0].tape == NULL && out[1].tape == NULL && out[2].tape == NULL);
}

Test(diff, tangents_may_overwrite_their_formulas)
{
    static const bool active[BLOCKS] = {[BLOCK_Q] = true};
    formula q = variable(tape, BLOCK_Q, 0), f[2] = {mul(q, q), q};
    formula d = variable(tape, TANGENT(BLOCK_Q), 0);
    tangent(tape, f, 2, active, 1, f);
    cr_assert(same_formula(f[0], add(mul(q, d), mul(q, d))));
    cr_assert(same_formula(f[1], d));
}

Test(diff, derivatives_do_not_depend_on_the_order_of_recording)
{
    formula x = variable(tape, BLOCK_Q, 0), y = variable(tape, BLOCK_Q, 1), g[2], h[2];
    formula left = apply(OP_SIN, mul(x, y)), right = apply2(OP_ATAN2, x, y);
    gradient(mul(left, right), BLOCK_Q, 2, g);
    struct program *first = seal_all(tape, g, 2);

    struct tape *other = tape_new();
    y = variable(other, BLOCK_Q, 1);
    apply(OP_COS, y);
    x = variable(other, BLOCK_Q, 0);
    right = apply2(OP_ATAN2, x, y);
    left = apply(OP_SIN, mul(x, y));
    gradient(mul(left, right), BLOCK_Q, 2, h);
    struct program *second = seal_all(other, h, 2);

    cr_assert_eq(first->slots, second->slots);
    for (int i = 0; i < first->slots; i++) {
        cr_assert_eq(first->row[i].op, second->row[i].op);
        if (first->row[i].op != OP_CONSTANT)
            cr_assert(first->row[i].a == second->row[i].a
                      && first->row[i].b == second->row[i].b);
    }
    program_free(first);
    program_free(second);
    tape_free(other);
}

/* If a gradient cost the length of the tape, this would take minutes. */
Test(diff, the_cost_is_what_is_reached, .timeout = 20)
{
    formula x = variable(tape, BLOCK_Q, 0), chain = x;
    for (int i = 0; i < 500000; i++)
        chain = add(chain, variable(tape, BLOCK_A, i));
    for (int i = 0; i < 100000; i++) {
        formula slope;
        gradient(mul(x, variable(tape, BLOCK_A, i)), BLOCK_Q, 1, &slope);
        cr_assert(same_formula(slope, variable(tape, BLOCK_A, i)));
    }
}

Test(diff, deep_formulas_need_no_stack, .timeout = 20)
{
    enum { DEPTH = 200000 };
    formula x = variable(tape, BLOCK_Q, 0), f = x, out[2];
    for (int i = 0; i < DEPTH; i++)
        f = apply(OP_SIN, f);
    gradient(f, BLOCK_Q, 1, &out[1]);
    out[0] = f;
    struct program *program = seal_all(tape, out, 2);
    struct place point = {0};
    double value[2];
    point.x[BLOCK_Q][0] = 1e-3;
    evaluate(program, &point, value);
    /* x -> sin x: 1/x^2 grows by a third each time, slope = (value/x)^3 */
    cr_assert_float_eq(value[1], pow(value[0] / 1e-3, 3), 1e-3);
    program_free(program);
}
