/*
 * test_formula.c - tape, words, sealing and evaluation in cases/formula.
 */
#include <locale.h>

#include "random_formulas.h"
#include "reading_xy.h"

TestSuite(formula, .init = open_tape, .fini = end_reading);

/* --- constants -------------------------------------------------------------------- */

static const char *text_of(formula f)
{
    struct tape_row row = tape_row(tape, f.row);
    cr_assert_eq(row.op, OP_CONSTANT);
    return tape_constant(tape, row.a);
}

Test(formula, constants_are_exact_text)
{
    cr_assert_str_eq(text_of(reads("0.1")), "1e-1");
    cr_assert_str_eq(text_of(reads("9.810")), "981e-2");
    cr_assert_str_eq(text_of(reads("9.81000000000000000000000000001")),
                     "981000000000000000000000000001e-29");
    cr_assert_str_eq(text_of(reads("6.02e23")), "602e21");
    cr_assert_str_eq(text_of(constant(tape, "-0.0")), "0");
    cr_assert_str_eq(text_of(constant(tape, "-00.50e1")), "-5");
}

Test(formula, equal_constants_are_one_row)
{
    cr_assert(same_formula(reads("100"), reads("1e2")));
    cr_assert(same_formula(reads("100.0"), integer(tape, 100)));
    cr_assert(same_formula(reads(".5"), constant(tape, "0.50")));
    cr_assert(!same_formula(reads("0.1"), reads("0.1000000000000000000000000001")));
}

Test(formula, constants_do_not_depend_on_the_locale)
{
    /* A locale with a decimal comma, where there is one. */
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8"))
        setlocale(LC_ALL, "");
    formula f = reads("2.5");
    struct program *program = seal_all(tape, &f, 1);
    double value;
    evaluate(program, &(struct place){0}, &value);
    cr_assert_eq(value, 2.5);
    program_free(program);
}

/* --- rows and words --------------------------------------------------------------- */

Test(formula, equal_rows_are_stored_once)
{
    formula f = reads("sin(x*y) + length");
    int rows = tape_rows(tape);
    cr_assert(same_formula(f, reads("sin( (x*y) )+length")));
    cr_assert_eq(tape_rows(tape), rows);
}

Test(formula, operands_are_not_sorted)
{
    cr_assert(!same_formula(add(x, y), add(y, x)));
    cr_assert(!same_formula(mul(x, y), mul(y, x)));
}

Test(formula, trivial_cases_are_folded)
{
    formula zero = {0}, one = integer(tape, 1), minus = integer(tape, -1);
    cr_assert(same_formula(add(zero, x), x));
    cr_assert(same_formula(sub(x, zero), x));
    cr_assert(same_formula(sub(zero, x), negate(x)));
    cr_assert(same_formula(mul(one, x), x) && same_formula(mul(x, one), x));
    cr_assert(same_formula(mul(minus, x), negate(x)));
    cr_assert(is_zero(mul(integer(tape, 0), x)) && is_zero(quotient(zero, x)));
    cr_assert(same_formula(quotient(x, one), x));
    cr_assert(same_formula(negate(negate(x)), x));
    cr_assert(same_formula(power(x, 1), x) && same_formula(power(x, 0), one));
    cr_assert(same_formula(add(x, negate(y)), sub(x, y)));
}

Test(formula, zero_without_a_tape_is_the_zero_of_a_tape)
{
    formula zero = {0}, f[3] = {x, zero, y}, g[3] = {zero, x, y};
    cr_assert(same_formula(zero, integer(tape, 0)));
    cr_assert(is_zero(add(zero, zero)) && is_zero(negate(zero)));
    cr_assert(is_zero(power(zero, 2)));
    cr_assert(is_zero(apply(OP_SIN, zero)));
    cr_assert(same_formula(apply(OP_COS, integer(tape, 0)), integer(tape, 1)));
    cr_assert(same_formula(dot(f, g, 3), mul(y, y)));
    cr_assert(same_formula(sum(f, 3), add(x, y)));
}

Test(formula, integer_constants_fold_until_they_overflow)
{
    formula big = integer(tape, 4611686018427387904L);      /* 2^62 */
    cr_assert(same_formula(mul(integer(tape, 6), integer(tape, -7)), integer(tape, -42)));
    cr_assert(same_formula(sub(integer(tape, 2), integer(tape, 2)), (formula){0}));
    cr_assert_eq(tape_row(tape, add(big, big).row).op, OP_ADD);
    cr_assert_eq(tape_row(tape, mul(big, big).row).op, OP_MUL);
}

Test(formula, a_power_with_a_moving_exponent_becomes_exp_and_log)
{
    prints(reads("pow(x, y)"), "exp(y*log(x))");
    prints(reads("pow(x, length)"), "pow(x, length)");
    cr_assert_eq(tape_row(tape, reads("pow(x, 2.5)").row).op, OP_POW);
    cr_assert_eq(tape_row(tape, reads("pow(x, -3)").row).op, OP_POWI);
    formula direction = variable(tape, DIRECTION(BLOCK_RHO, 2), 0);
    cr_assert_eq(tape_row(tape, apply2(OP_POW, x, direction).row).op, OP_POW);
}

/* --- sealing ---------------------------------------------------------------------- */

static bool same_program(const struct program *a, const struct program *b)
{
    if (a->slots != b->slots || a->inputs != b->inputs || a->outputs != b->outputs)
        return false;
    for (int i = 0; i < a->slots; i++) {
        struct program_row r = a->row[i], s = b->row[i];
        if (r.op != s.op || a->steady[i] != b->steady[i])
            return false;
        if (r.op == OP_CONSTANT ? strcmp(tape_constant(a->tape, r.a),
                                         tape_constant(b->tape, s.a)) != 0
                                : r.a != s.a || r.b != s.b)
            return false;
    }
    return memcmp(a->output, b->output, (size_t)a->outputs * sizeof(int)) == 0
           && memcmp(a->input, b->input, (size_t)a->inputs * sizeof *a->input) == 0
           && memcmp(a->stage_begin, b->stage_begin, sizeof a->stage_begin) == 0;
}

Test(formula, programs_do_not_depend_on_the_order_of_recording)
{
    const char *text = "sin(x*y)/(length - 2.5) + 0.75*sqrt(y + 3)*(x - y)";
    struct tape *first = tape;
    struct names *first_names = names;
    formula f = reads(text);

    /* Another tape, where the parts were recorded in the opposite order, among others. */
    open_tape();
    reads("3.5 + y*7");
    reads("x - y");
    reads("0.75*sqrt(y + 3)");
    reads("cos(length)");
    reads("length - 2.5");
    formula g = reads(text);
    cr_assert_neq(f.row, g.row);

    struct program *a = seal_all(first, &f, 1), *b = seal_all(tape, &g, 1);
    cr_assert(same_program(a, b));
    formula other = reads("sin(x*y)/(length - 2.5) + 0.75*sqrt(y + 3)*(y - x)");
    struct program *c = seal_all(tape, &other, 1);
    cr_assert(!same_program(a, c));
    program_free(a);
    program_free(b);
    program_free(c);
    names_free(first_names);
    tape_free(first);
}

Test(formula, stages_hold_what_their_blocks_reach)
{
    unsigned char stage[BLOCK_LIMIT] = {[BLOCK_RHO] = 1, [BLOCK_Q] = 2, [BLOCK_V] = 3};
    formula v = variable(tape, BLOCK_V, 4);
    formula f[] = {reads("2.5*pi + sqrt(2)"), reads("length*length"), reads("x*length"),
                   mul(v, reads("x*length")), {0}, integer(tape, 0), x};
    struct program *program = program_seal(tape, f, 7, stage);
    int expected[] = {0, 1, 2, 3, 0, 0, 2};
    for (int i = 0; i < 7; i++) {
        cr_assert_eq(program->output_stage[i], expected[i], "output %d", i);
        int slot = program->output[i];
        cr_assert(slot >= program->stage_begin[expected[i]]
                  && slot < program->stage_begin[expected[i] + 1]);
    }
    cr_assert_eq(program->output[4], 0);
    cr_assert_eq(program->output[5], 0);
    cr_assert_eq(program->stage_begin[PROGRAM_STAGES], program->slots);
    cr_assert(program_uses(program, BLOCK_V) && !program_uses(program, BLOCK_S));
    cr_assert(program->steady[program->output[1]]);
    cr_assert(!program->steady[program->output[2]]);
    cr_assert_eq(program_operations(program), 6);

    /* Running stage by stage gives what running everything gives; others stay. */
    double *w = calloc((size_t)program->slots, sizeof *w);
    double rho[] = {3}, q[] = {5}, velocity[] = {0, 0, 0, 0, 7};
    program_init(program, w);
    cr_assert_float_eq(w[program->output[0]], 2.5 * M_PI + sqrt(2), 1e-15);
    program_load(program, BLOCK_RHO, rho, w);
    program_load(program, BLOCK_Q, q, w);
    program_load(program, BLOCK_V, velocity, w);
    program_run(program, 1, w);
    program_run(program, 2, w);
    cr_assert_eq(w[program->output[3]], 0);
    program_run(program, 3, w);
    cr_assert_eq(w[program->output[3]], 105);
    cr_assert_eq(w[program->output[6]], 5);
    free(w);
    program_free(program);
}

Test(formula, operands_come_before_the_rows_that_use_them)
{
    struct random random = random_start();
    formula leaf[] = {x, y, length};
    for (int trial = 0; trial < 50; trial++) {
        formula f = random_formula(&random, leaf, 3, 30);
        unsigned char stage[BLOCK_LIMIT] = {[BLOCK_RHO] = 1, [BLOCK_Q] = 2};
        struct program *program = program_seal(tape, &f, 1, stage);
        for (int i = 0; i < program->slots; i++) {
            struct program_row row = program->row[i];
            if (row.op < OP_POWI)
                continue;
            cr_assert(row.a < i, "seed %llu", random.seed);
            if (op_info[row.op].arity == 2)
                cr_assert(row.b < i, "seed %llu", random.seed);
        }
        program_free(program);
    }
}

/* --- evaluation ------------------------------------------------------------------- */

Test(formula, integer_powers_are_products)
{
    for (int n = -9; n <= 9; n++) {
        formula f = power(x, n);
        struct program *program = seal_all(tape, &f, 1);
        struct place point = {0};
        point.x[BLOCK_Q][0] = -1.5;
        double value, product = 1;
        for (int i = 0; i < abs(n); i++)
            product *= -1.5;
        evaluate(program, &point, &value);
        cr_assert_float_eq(value, n < 0 ? 1 / product : product, 1e-15 * fabs(value));

        /* A negative base with a tiny imaginary part, where cpow fails. */
        double complex z;
        point.x[BLOCK_Q][0] = -1.5 + 1e-30 * _Complex_I;
        evaluate_complex(program, &point, &z);
        double slope = n * value / -1.5;
        cr_assert_float_eq(cimag(z) / 1e-30, slope, 1e-14 * fabs(slope));
        program_free(program);
    }
}

/* Each sum cancels except for the rounding error of its product, which a product that is
   rounded by itself would lose. */
Test(formula, a_product_and_its_sum_are_rounded_once_on_every_processor)
{
    const char *text[] = {"x*y + length", "x*y - length", "length - x*y",
                          "-(x*y) - length"};
    struct random random = random_start();
    for (int i = 0; i < 4; i++) {
        formula f = reads(text[i]);
        struct program *program = seal_all(tape, &f, 1);
        program_balance(program, false);
        unsigned op = program->row[program->output[0]].op;
        cr_assert_eq(op, OP_MULADD + (unsigned)i, "%s", text[i]);
        for (int trial = 0; trial < 1000; trial++) {
            struct place point;
            random_point(&random, &point);
            double a = creal(point.x[BLOCK_Q][0]), b = creal(point.x[BLOCK_Q][1]), value;
            double c = (i == 0 || i == 3 ? -a : a) * b;
            point.x[BLOCK_RHO][0] = c;
            evaluate(program, &point, &value);
            cr_assert_eq(value, fma(i < 2 ? a : -a, b, i % 2 == 0 ? c : -c),
                         "%s, trial %d of seed %llu", text[i], trial, random.seed);
        }
        program_free(program);
    }
}

Test(formula, blame_names_the_first_offender)
{
    formula f = reads("x + 1/sqrt(length - y)");
    struct program *program = seal_all(tape, &f, 1);
    double *w = calloc((size_t)program->slots, sizeof *w), q[] = {1, 2}, rho[] = {5};
    char text[300];
    program_init(program, w);
    program_load(program, BLOCK_Q, q, w);
    program_load(program, BLOCK_RHO, rho, w);
    program_run(program, 1, w);
    cr_assert(!program_blame(program, names, 1, w, text, sizeof text));
    rho[0] = 1;
    program_load(program, BLOCK_RHO, rho, w);
    program_run(program, 1, w);
    cr_assert(program_blame(program, names, 1, w, text, sizeof text));
    cr_assert(strstr(text, "sqrt(length - y)") == text, "%s", text);
    cr_assert(strstr(text, "a = length - y = -1;") && strstr(text, "a > 0"), "%s", text);

    /* A value that is finite, but on the edge of the domain, is blamed too. */
    rho[0] = 2;
    program_load(program, BLOCK_RHO, rho, w);
    program_run(program, 1, w);
    cr_assert(program_blame(program, names, 1, w, text, sizeof text));
    cr_assert(strstr(text, "sqrt(length - y) = 0") == text, "%s", text);
    q[0] = NAN;
    program_load(program, BLOCK_Q, q, w);
    cr_assert(program_blame(program, names, 1, w, text, sizeof text));
    cr_assert(strstr(text, "x = nan is not finite") == text, "%s", text);
    free(w);
    program_free(program);
}
