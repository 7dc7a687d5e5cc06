/*
 * test_explicit_series.c - formulations/equations/explicit_series.c and
 * emit/emit_series.c: the Taylor recurrences of a program. Compiled, they give what
 * they give interpreted, to the bit; and that is the series the pivoting solver finds.
 */
#include "emit/emit_series.h"
#include "equations/explicit_series.h"
#include "identical.h"
#include "program/series.h"
#include "running.h"
#include "sampling.h"
#include "systems.h"

TestSuite(explicit_series, .init = make_folder_with_code, .fini = remove_folder,
          .timeout = 1200);

enum { ORDER = 11 };

/* What is not a number has a sign that nobody asks for. */
static bool same_number(double a, double b)
{
    return (isnan(a) && isnan(b)) || same_bits(&a, &b, 1);
}

/* --- every operation ---------------------------------------------------------------- */

enum { MOST_FORMULAS = 64, INPUTS = 3, FIRST_STAGE = 2 };

/* Every operation of a and b, and of b and a as far as it is defined there, sines with
   and without their twins, and, when balanced, products that are added or subtracted. */
static int every_formula(struct tape *tape, formula *f)
{
    formula a = variable(tape, BLOCK_Q, 0), b = variable(tape, BLOCK_Q, 1);
    formula r = variable(tape, BLOCK_RHO, 0), x = variable(tape, BLOCK_Q, 2);
    int count = 0;
    for (int op = 0; op < OPS; op++)
        if (op != OP_POWI && op_info[op].arity > 0)
            f[count++] = apply_any((enum op)op, a, op == OP_POW ? r : b);
    for (int n = -4; n <= 6; n++)
        f[count++] = power(a, n);
    f[count++] = apply(OP_SIN, x);
    f[count++] = apply(OP_COSH, x);
    f[count++] = quotient(a, r);
    f[count++] = add(mul(r, apply(OP_TANH, x)), b);
    f[count++] = add(mul(x, apply(OP_EXP, a)), b);
    f[count++] = sub(mul(x, apply(OP_EXP, b)), a);
    f[count++] = sub(a, mul(x, apply(OP_SIN, b)));
    f[count++] = negate(add(mul(x, apply(OP_SIN, a)), a));
    return count;
}

static struct program *everything(struct tape *tape)
{
    formula f[MOST_FORMULAS];
    unsigned char stage[BLOCK_LIMIT] = {0};
    int count = every_formula(tape, f);
    stage[BLOCK_RHO] = 1;
    stage[BLOCK_Q] = FIRST_STAGE;
    struct program *program = program_seal(tape, f, count, stage);
    program_balance(program, false);
    return program;
}

typedef void raise_function(double *v, double *d, int k);

static struct code_cache_entry *compile_series(const struct program *program)
{
    const struct series_emission emission = {
        .name = "test_series", .order = ORDER, .once = FIRST_STAGE,
        .columnwise = FIRST_STAGE + 1, .columns = 1};
    char *text = program_emit_series(program, &emission);
    struct code_cache_entry *code = code_cache_open(text, emission.name, true);
    free(text);
    cr_assert_not_null(code, "the recurrences are not compiled");
    return code;
}

/* Inputs inside of every domain, which move little. */
static void any_motion(struct random *random, double x[INPUTS][ORDER + 1])
{
    static const double low[INPUTS] = {0.2, 0.3, -1}, high[INPUTS] = {0.8, 0.9, 1};
    for (int i = 0; i < INPUTS; i++)
        for (int k = 0; k <= ORDER; k++)
            x[i][k] = k == 0 ? random_between(random, low[i], high[i])
                             : pow(0.5, k) * random_between(random, -0.3, 0.3);
}

static void load_order(struct series *series, int block, int k,
                       double x[INPUTS][ORDER + 1])
{
    for (int i = 0; i < INPUTS; i++)
        series_load(series, block, i, k, x[i][k]);
}

static struct series *start_series(const struct program *program)
{
    struct series *series = series_new(program, ORDER);
    series_init(series);
    series_load(series, BLOCK_RHO, 0, 0, 1.3);
    series_run(series, 1, 0);
    return series;
}

Test(explicit_series, every_operation_compiled_is_interpreted_to_the_bit)
{
    struct random random = random_start();
    struct tape *tape = tape_new();
    bool has[OP_NEGMULADD + 1] = {false};
    struct program *program = everything(tape);
    struct code_cache_entry *code = compile_series(program);
    raise_function *const *raise = code_cache_symbol(code);
    for (int i = 0; i < program->slots; i++)
        has[program->row[i].op] = true;
    for (int op = 0; op <= OP_NEGMULADD; op++)
        cr_assert(has[op] || op == OP_PI, "no row of operation %d", op);
    for (int trial = 0; trial < 20; trial++) {
        double x[INPUTS][ORDER + 1];
        struct series *one = start_series(program), *other = start_series(program);
        any_motion(&random, x);
        for (int k = 0; k <= ORDER; k++) {
            load_order(one, BLOCK_Q, k, x);
            load_order(other, BLOCK_Q, k, x);
            series_run(one, FIRST_STAGE, k);
            if (k == 0)
                series_run(other, FIRST_STAGE, k);
            else
                raise[0](series_row(other, 0), NULL, k);
            for (int i = 0; i < program->outputs; i++) {
                double a = series_output(one, i, k), b = series_output(other, i, k);
                cr_assert(same_bits(&a, &b, 1), "output %d, order %d: %a, %a; seed %llu",
                          i, k, a, b, random.seed);
                cr_assert(isfinite(a));
            }
        }
        series_free(one);
        series_free(other);
    }
    code_cache_close(code);
    program_free(program);
    tape_free(tape);
}

/* --- the series of a mode ----------------------------------------------------------- */

/* x[1] to x[ORDER] from x[0], in one block [ORDER + 1][dim] to be freed. */
static double *series_from(struct explicit_series *series, const struct opened *b,
                           double t)
{
    int dim = b->system->dim;
    double *block = calloc((size_t)((ORDER + 1) * dim), sizeof *block), *x[ORDER + 1];
    for (int k = 0; k <= ORDER; k++)
        x[k] = block + k * dim;
    memcpy(block, b->x, (size_t)dim * sizeof *block);
    explicit_series_run(series, t, ORDER, x);
    return block;
}

static struct explicit_series *open_series(struct explicit_rhs *explicit_rhs,
                                           enum code_use use)
{
    struct explicit_series *series = explicit_series_new(explicit_rhs, ORDER);
    explicit_series_use_code(series, use);
    explicit_series_start(series);
    return series;
}

static void compare_mode(struct opened *b, struct explicit_rhs *explicit_rhs,
                         struct random *random)
{
    struct explicit_series *one = open_series(explicit_rhs, CODE_NEVER);
    struct explicit_series *other = open_series(explicit_rhs, CODE_ALWAYS);
    int count = (ORDER + 1) * b->system->dim;
    for (int trial = 0; trial < 5; trial++) {
        double t = random_between(random, 0, 3);
        fill(random, b->x, b->system->dim);
        double *x = series_from(one, b, t), *y = series_from(other, b, t);
        for (int i = 0; i < count; i++)
            cr_assert(same_number(x[i], y[i]), "%s, %s, p = %d, seed %llu",
                      b->s.model->desc->name, b->s.request.formulation->name,
                      b->system->p, random->seed);
        free(x);
        free(y);
    }
    explicit_series_free(one);
    explicit_series_free(other);
}

/* Columns stand side by side in vectors of up to four, of which the last may share some
   with the one before. The program of five-bar is cut into functions that read values of
   one another; to compile the longest programs takes most of a minute, and is left to
   make test-all. */
Test(explicit_series, compiled_is_interpreted_to_the_bit_for_any_number_of_columns)
{
    static const struct { const char *name, *formulation; int p; } made[] = {
        {"five-bar", "penalty", 2},     {"five-bar", "index1", 1},
        {"two-link", "ode", 0},         {"clocked-oscillator", "ode", 3},
        {"pendulum-wall", "index1", 4}, {"clocked-oscillator", "ode", 5},
        {"compass-gait", "ode", 2},     {"five-bar", "penalty", 7},
        {"andrews", "penalty", 7},      {"flyball-governor", "index1", 2}};
    enum { MADE = sizeof made / sizeof *made, LONGEST = 2 };
    struct random random = random_start();
    for (int k = 0; k < (in_test_all() ? MADE : MADE - LONGEST); k++) {
        struct opened b;
        int programs = 0;
        cr_assert(open_system(&b, made[k].name, made[k].formulation, made[k].p));
        for (int i = 0; i < b.s.model->modes; i++)
            if (b.system->mode[i].explicit_rhs) {
                compare_mode(&b, b.system->mode[i].explicit_rhs, &random);
                programs++;
            }
        cr_expect_gt(programs, 0, "%s", made[k].name);
        close_system(&b);
    }
}

/* --- against the pivoting solver ---------------------------------------------------- */

static double *system_series_at(struct opened *b, double t)
{
    int dim = b->system->dim;
    double *block = calloc((size_t)((ORDER + 1) * dim), sizeof *block), *x[ORDER + 1];
    for (int k = 0; k <= ORDER; k++)
        x[k] = block + k * dim;
    memcpy(block, b->x, (size_t)dim * sizeof *block);
    cr_assert_eq(system_series(b->system, t, ORDER, x), OK, "%s", b->s.diagnosis.place);
    return block;
}

/* Two ways that share nothing but the equations and the recurrences of operations. */
Test(explicit_series, the_program_finds_the_series_of_the_pivoting_solver)
{
    static const char *const made[][2] = {
        {"five-bar", "penalty"},   {"five-bar", "index1"}, {"five-bar", "baumgarte"},
        {"andrews", "index1"},     {"two-link", "ode"},    {"clocked-oscillator", "ode"},
        {"pendulum-wall", "index1"}};
    struct random random = random_start();
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        struct opened b;
        cr_assert(open_system(&b, made[k][0], made[k][1], 2));
        int state = b.system->state;
        state_at_start(&b, &random);
        cr_assert_eq(system_rhs_restart(b.system, 0.3, b.x, b.dx), OK);
        cr_assert(!system_rhs_pivots(b.system, false), "%s: no program", made[k][0]);
        double *one = system_series_at(&b, 0.3);
        system_rhs_pivots(b.system, true);
        double *other = system_series_at(&b, 0.3);
        for (int i = 0; i <= ORDER; i++)
            for (int j = 0; j <= b.system->p; j++) {
                int at = i * b.system->dim + j * state;
                cr_expect_leq(column_error(one + at, other + at, state), 1e-11,
                              "%s, %s: order %d, column %d", made[k][0], made[k][1], i,
                              j);
            }
        free(one);
        free(other);
        close_system(&b);
    }
}
