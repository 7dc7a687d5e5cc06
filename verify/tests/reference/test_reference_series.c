/*
 * test_reference_series.c - Taylor coefficients in MPFR, operation by operation.
 *
 * Oracles: derivative rows (d/dt repeated, from diff.c) evaluated in MPFR, which share
 * nothing with the recurrences, to full precision; and the series in double, another
 * implementation, for high orders.
 */
#include <math.h>
#include <stdlib.h>

#include "arithmetic/mp.h"
#include "formula/diff.h"
#include "program/series.h"
#include "reading.h"

#include "arithmetic/series.h"

enum { ORDER = 24, PRECISION = 256 };

static mpfr_ptr motion;     /* [2][ORDER + 1] coefficients of a and b; then r */
static gmp_randstate_t state;

static void open_tape(void)
{
    begin_reading();
    names_bind(names, "a", variable(tape, BLOCK_Q, 0));
    names_bind(names, "b", variable(tape, BLOCK_Q, 1));
    names_bind(names, "r", variable(tape, BLOCK_RHO, 0));
    motion = mp_vector_new(2 * (ORDER + 1) + 1, PRECISION);
    gmp_randinit_default(state);
    for (int i = 0; i < 2 * (ORDER + 1); i++) {
        int k = i % (ORDER + 1);
        mpfr_urandomb(motion + i, state);
        mpfr_sub_d(motion + i, motion + i, 0.5, MPFR_RNDN);
        mpfr_mul_d(motion + i, motion + i, 0.6 * pow(0.6, k), MPFR_RNDN);
    }
    mpfr_set_d(motion, 0.375, MPFR_RNDN);
    mpfr_set_d(motion + ORDER + 1, 0.8125, MPFR_RNDN);
    mpfr_set_d(motion + 2 * (ORDER + 1), 1.75, MPFR_RNDN);
}

static void close_tape(void)
{
    mp_vector_free(motion);
    gmp_randclear(state);
    end_reading();
    mpfr_free_cache();
}

TestSuite(reference_series, .init = open_tape, .fini = close_tape);

static const unsigned char stage[BLOCK_LIMIT] = {
    [BLOCK_RHO] = 1, [BLOCK_Q] = 2, [BLOCK_V] = 2,
    [TANGENT(BLOCK_RHO)] = 3, [TANGENT(BLOCK_Q)] = 4,
};

static void load(struct mp_series *series, int k)
{
    mp_series_load(series, 0, BLOCK_Q, k, motion + k, ORDER + 1);
    if (k == 0) {
        mp_series_load(series, 0, BLOCK_RHO, 0, motion + 2 * (ORDER + 1), 1);
        mp_series_run(series, 0, 1, 0);
    }
}

/* Every operation and shape of row: steady operands, squares, companions used twice. */
static const char *const text[] = {
    "a + b", "a - b", "-a", "a*b", "a*a", "r*a", "a*r", "a/b", "a/r", "r/a", "1/b",
    "pow(a, 2)", "pow(a, 3)", "pow(a, 7)", "pow(b, -1)", "pow(b, -4)", "pow(a, b)",
    "pow(r, b)", "pow(a, r)", "sqrt(a)", "exp(a)", "log(b)", "sin(a)", "cos(a)",
    "sin(a)*cos(a) + sin(b)", "tan(a)", "asin(a)", "acos(a)", "atan(a)", "atan2(a, b)",
    "atan2(r, b)", "atan2(a, r)", "sinh(a)", "cosh(a)", "tanh(a)", "sin(r)*a + cos(r)",
    "exp(sin(a*b)/(r + a*a)) - sqrt(b + tanh(a))", "pi*a", "tan(a)*tan(a)",
};
enum { TEXTS = sizeof text / sizeof *text };

static formula along(void *context, int block, int index)
{
    (void)context;
    if (block == BLOCK_Q)
        return variable(tape, BLOCK_V, index);
    if (block == BLOCK_V)
        return variable(tape, BLOCK_V, index + 2);
    return (formula){NULL, 0};
}

/* f^(k)(0)/k! from derivative rows: V[2(i-1) + j] is the i-th derivative of
   variable j. */
static void by_derivatives(formula f, int order, mpfr_ptr out)
{
    mpfr_ptr v = mp_vector_new(2 * ORDER, PRECISION);
    for (int i = 1; i <= order; i++)
        for (int j = 0; j < 2; j++) {
            mpfr_fac_ui(v + 2 * (i - 1) + j, (unsigned long)i, MPFR_RNDN);
            mpfr_mul(v + 2 * (i - 1) + j, v + 2 * (i - 1) + j,
                     motion + j * (ORDER + 1) + i, MPFR_RNDN);
        }
    for (int k = 0; k <= order; k++) {
        struct program *program = program_seal(tape, &f, 1, stage);
        struct mp_series *series = mp_series_new(program, 0, PRECISION, 1,
                                                 PROGRAM_STAGES);
        load(series, 0);
        mp_series_load(series, 0, BLOCK_V, 0, v, 1);
        mp_series_run(series, 0, 2, 0);
        mpfr_fac_ui(out + k, (unsigned long)k, MPFR_RNDN);
        mpfr_div(out + k, mp_series_output(series, 0, 0), out + k, MPFR_RNDN);
        mp_series_free(series);
        program_free(program);
        formula next;
        tangent_along(&f, 1, along, NULL, &next);
        f = next;
    }
    mp_vector_free(v);
}

static void by_recurrence(formula f, int order, mpfr_ptr out)
{
    struct program *program = program_seal(tape, &f, 1, stage);
    struct mp_series *series = mp_series_new(program, ORDER, PRECISION, 1,
                                             PROGRAM_STAGES);
    for (int k = 0; k <= order; k++) {
        load(series, k);
        mp_series_run(series, 0, 2, k);
    }
    for (int k = 0; k <= order; k++)
        mpfr_set(out + k, mp_series_coefficient(series, 0, 0, k), MPFR_RNDN);
    mp_series_free(series);
    program_free(program);
}

Test(reference_series, every_operation_agrees_with_repeated_derivatives_to_70_digits)
{
    enum { LOW = 4 };
    mpfr_ptr got = mp_vector_new(2 * (LOW + 2), PRECISION), want = got + LOW + 2;
    for (int i = 0; i < TEXTS; i++) {
        formula f = reads(text[i]);
        by_recurrence(f, LOW, got);
        by_derivatives(f, LOW, want);
        for (int k = 0; k <= LOW; k++) {
            mpfr_sub(got + k, got + k, want + k, MPFR_RNDN);
            double digits = -mp_log2(got + k) * 0.30102999566398120;
            cr_expect_gt(digits, 70, "%s: coefficient %d to %.1f digits", text[i], k,
                         digits);
        }
    }
    mp_vector_free(got);
}

/* Sizes of coefficients may be off by what they grow by, twice. */
Test(reference_series, every_operation_in_fixed_point_agrees_with_floating_point)
{
    int planes[ORDER + 1];
    mpfr_ptr want = mp_vector_new(ORDER + 1, PRECISION);
    for (int k = 0; k <= ORDER; k++)
        planes[k] = 6;
    for (int i = 0; i < TEXTS; i++) {
        formula f = reads(text[i]);
        struct program *program = program_seal(tape, &f, 1, stage);
        struct mp_series *series = mp_series_new(program, ORDER, PRECISION, 1,
                                                 PROGRAM_STAGES);
        by_recurrence(f, ORDER, want);
        mp_series_planes(series, planes);
        mp_series_fixed(series, 2);
        for (int k = 0; k <= ORDER; k++) {
            load(series, k);
            mp_series_run(series, 0, 2, k);
            mpfr_sub(want + k, want + k, mp_series_coefficient(series, 0, 0, k),
                     MPFR_RNDN);
            cr_expect_lt(mp_log2(want + k), -PRECISION + 12 + 2 * k, "%s: coefficient %d",
                         text[i], k);
        }
        mp_series_free(series);
        program_free(program);
    }
    mp_vector_free(want);
}

Test(reference_series, every_operation_agrees_with_the_series_in_double_to_order_24)
{
    mpfr_ptr got = mp_vector_new(ORDER + 1, PRECISION);
    for (int i = 0; i < TEXTS; i++) {
        formula f = reads(text[i]);
        by_recurrence(f, ORDER, got);
        struct program *program = program_seal(tape, &f, 1, stage);
        struct series *series = series_new(program, ORDER);
        series_init(series);
        series_load(series, BLOCK_RHO, 0, 0, 1.75);
        series_run(series, 1, 0);
        for (int k = 0; k <= ORDER; k++) {
            for (int j = 0; j < 2; j++)
                series_load(series, BLOCK_Q, j, k,
                            mpfr_get_d(motion + j * (ORDER + 1) + k, MPFR_RNDN));
            series_run(series, 2, k);
            double want = series_output(series, 0, k), x = mpfr_get_d(got + k, MPFR_RNDN);
            /* coefficients of these functions grow at most like 3^k */
            cr_expect_float_eq(x, want, 1e-13 * pow(3, k),
                               "%s: coefficient %d: %.17g, %.17g", text[i], k, x, want);
        }
        series_free(series);
        program_free(program);
    }
    mp_vector_free(got);
}

Test(reference_series, a_corrected_coefficient_is_what_a_fresh_run_gives)
{
    mpfr_ptr wrong = mp_vector_new(1, PRECISION),
             want = mp_vector_new(ORDER + 1, PRECISION);
    for (int i = 0; i < TEXTS; i++) {
        formula f = reads(text[i]);
        struct program *program = program_seal(tape, &f, 1, stage);
        struct mp_series *series = mp_series_new(program, ORDER, PRECISION, 1,
                                                 PROGRAM_STAGES);
        by_recurrence(f, ORDER, want);
        for (int k = 0; k <= ORDER; k++) {
            load(series, k);
            if (k > 0) {
                mpfr_set_d(wrong, 0.1, MPFR_RNDN);
                mp_series_load(series, 0, BLOCK_Q, k, wrong, 0);
            }
            mp_series_run(series, 0, 2, k);
            load(series, k);
            if (k > 0)
                mp_series_correct(series, 0, 2, k);
            mpfr_srcptr got = mp_series_coefficient(series, 0, 0, k);
            mpfr_sub(wrong, got, want + k, MPFR_RNDN);
            cr_expect_lt(mp_log2(wrong), -PRECISION + 12 + 2 * k, "%s: coefficient %d",
                         text[i], k);
        }
        mp_series_free(series);
        program_free(program);
    }
    mp_vector_free(wrong);
    mp_vector_free(want);
}

Test(reference_series, each_lane_has_its_own_tangent_and_all_see_the_same_values)
{
    enum { LANES = 3 };
    static const bool active[BLOCKS] = {[BLOCK_Q] = true, [BLOCK_RHO] = true};
    formula f[2] = {reads("r*sin(a)*b + a/b")};
    tangent(tape, f, 1, active, 1, f + 1);
    struct program *program = program_seal(tape, f, 2, stage);
    struct mp_series *series = mp_series_new(program, ORDER, PRECISION, LANES, 3);
    mpfr_ptr one = mp_vector_new(2 * LANES, PRECISION);
    mpfr_set_ui(one, 1, MPFR_RNDN);         /* lane 0: da = 1 */
    mpfr_set_ui(one + 3, 1, MPFR_RNDN);     /* lane 1: db = 1; lane 2: dr = 1 */
    for (int k = 0; k <= ORDER; k++) {
        load(series, k);
        mp_series_run(series, 0, 2, k);
    }
    for (int lane = 0; lane < LANES; lane++) {
        mp_series_load(series, lane, TANGENT(BLOCK_RHO), 0, lane == 2 ? one : NULL, 1);
        for (int k = 0; k <= ORDER; k++) {
            mp_series_load(series, lane, TANGENT(BLOCK_Q), k,
                           k == 0 ? one + 2 * lane : NULL, 1);
            mp_series_run(series, lane, 3, k);
            mp_series_run(series, lane, 4, k);
        }
    }
    const char *const want[LANES] = {"r*cos(a)*b + 1/b", "r*sin(a) - a/(b*b)",
                                     "sin(a)*b"};
    mpfr_ptr expected = mp_vector_new(ORDER + 1, PRECISION);
    for (int lane = 0; lane < LANES; lane++) {
        by_recurrence(reads(want[lane]), ORDER, expected);
        for (int k = 0; k <= ORDER; k++) {
            mpfr_sub(expected + k, expected + k,
                     mp_series_coefficient(series, lane, 1, k), MPFR_RNDN);
            cr_expect_lt(mp_log2(expected + k), -PRECISION + 12 + 2 * k,
                         "lane %d, coefficient %d", lane, k);
        }
        cr_expect_eq(mp_series_output(series, lane, 0), mp_series_output(series, 0, 0));
    }
    mp_vector_free(expected);
    mp_vector_free(one);
    mp_series_free(series);
    program_free(program);
}

/* The sum makes up the value, which nobody asks for, and the tangent by r. */
Test(reference_series, a_row_that_only_another_stage_reads_is_corrected_too)
{
    static const bool active[BLOCKS] = {[BLOCK_RHO] = true}, kept[2] = {false, false};
    static const int corrected[] = {2, 3};
    formula f[2] = {reads("r*(a + b)")};
    tangent(tape, f, 1, active, 1, f + 1);
    struct program *program = program_seal(tape, f, 2, stage);
    struct mp_series *series = mp_series_new(program, ORDER, PRECISION, 1, 3);
    mpfr_ptr other = mp_vector_new(2, PRECISION),
             want = mp_vector_new(ORDER + 1, PRECISION);
    mpfr_set_ui(other, 1, MPFR_RNDN);
    mp_series_unknowns(series, corrected, 2, kept);
    by_recurrence(reads("a + b"), ORDER, want);
    for (int k = 0; k <= ORDER; k++) {
        load(series, k);
        if (k > 0)
            mp_series_load(series, 0, BLOCK_Q, k, other, 0);
        mp_series_run(series, 0, 2, k);
        load(series, k);
        if (k > 0)
            mp_series_correct(series, 0, 2, k);
        mp_series_load(series, 0, TANGENT(BLOCK_RHO), k, k == 0 ? other : NULL, 1);
        mp_series_run(series, 0, 3, k);
        mpfr_sub(other + 1, mp_series_coefficient(series, 0, 1, k), want + k, MPFR_RNDN);
        cr_expect_lt(mp_log2(other + 1), -PRECISION + 4, "coefficient %d", k);
    }
    mp_vector_free(other);
    mp_vector_free(want);
    mp_series_free(series);
    program_free(program);
}

Test(reference_series, a_row_that_is_not_finite_is_named)
{
    char row[100] = "";
    formula f = reads("b + sqrt(a - 1)");
    struct program *program = program_seal(tape, &f, 1, stage);
    struct mp_series *series = mp_series_new(program, 2, PRECISION, 1, PROGRAM_STAGES);
    load(series, 0);
    mp_series_run(series, 0, 2, 0);
    cr_expect(mp_series_blame(series, names, 0, row, sizeof row));
    cr_expect_str_eq(row, "sqrt(a - 1)");
    mp_series_free(series);
    program_free(program);
}
