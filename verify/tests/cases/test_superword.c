/*
 * test_superword.c - cases/optimise/superword.c, balance.c, emit_superword.c: rows that
 * are alike two by two are one operation of what is compiled, and give what the
 * interpreter gives, to the bit; formulas keep their values, and what has no pairs stays
 * as it was.
 */
#include <float.h>

#include "base/memory.h"
#include "codegen/code_cache.h"
#include "emit/emit.h"
#include "identical.h"
#include "optimise/collect.h"
#include "random_points.h"
#include "running.h"

TestSuite(pairs, .init = make_folder_with_code, .fini = remove_folder, .timeout = 600);

/* --- what it gives ------------------------------------------------------------------ */

/* With one column all parameters are along it; without any, none is asked for. */
static int column_of(int parameter, int columns)
{
    return parameter < columns || columns == 0 ? parameter : columns - 1;
}

static void interpret(const struct program *program, int columns, double *w,
                      const double *x, double *dx, double *check)
{
    for (int j = 0; j <= columns; j++) {
        const double *X = x + STATE * j;
        double *dX = dx + STATE * j, unit[PARAMETERS];
        for (int k = 0; k < PARAMETERS; k++)
            unit[k] = j == 1 + column_of(k, columns);
        program_load_point(program, j > 0, 0, X, X + COORDINATES, NULL, w);
        if (j > 0)
            program_load(program, TANGENT(BLOCK_RHO), unit, w);
        program_run(program, j > 0 ? 3 : 2, w);
        for (int k = 0; k < COORDINATES; k++) {
            dX[k] = X[COORDINATES + k];
            dX[COORDINATES + k] = w[program->output[(j > 0) * COORDINATES + k]];
        }
    }
    for (int k = 0; k < CHECKS; k++)
        check[k] = w[program->output[2 * COORDINATES + k]];
}

struct written_code {
    int from[INPUTS], to[OUTPUTS];
    struct emission emission;
};

static void describe(struct written_code *t, const struct program *program, int columns)
{
    for (int k = 0; k < program->inputs; k++) {
        const struct program_input *input = &program->input[k];
        bool parameter = input->block == TANGENT(BLOCK_RHO);
        t->from[k] = parameter ? EMIT_UNIT - column_of(input->index, columns)
                               : emit_place_of(input, COORDINATES);
    }
    for (int k = 0; k < OUTPUTS; k++)
        t->to[k] = k < 2 * COORDINATES ? COORDINATES + k % COORDINATES
                                       : -1 - (k - 2 * COORDINATES);
    t->emission = (struct emission){
        .name = "points", .widest = code_cache_widest(), .once = 2, .columnwise = 3,
        .state = STATE, .columns = columns, .copied = COORDINATES
        , .from = t->from, .to = t->to, .values = COORDINATES
    };
}

typedef void points_function(const double *c, double t, const double *x, double *dx,
                             double *check);

static void any_numbers(struct random *random, double *x, int count)
{
    for (int i = 0; i < count; i++)
        x[i] = random_between(random, -1, 1);
}

static void compare(const struct program *program, int columns, points_function *function,
                    double *w, struct random *random)
{
    double x[NUMBERS], want[NUMBERS], got[NUMBERS], check[2][CHECKS], rho[PARAMETERS];
    int dim = STATE * (1 + columns);
    for (int trial = 0; trial < 5; trial++) {
        any_numbers(random, x, dim);
        any_numbers(random, rho, PARAMETERS);
        program_load(program, BLOCK_RHO, rho, w);
        program_run(program, 1, w);
        interpret(program, columns, w, x, want, check[0]);
        memset(got, 0xff, sizeof got);
        function(w, 0, x, got, check[1]);
        cr_expect(same_bits(want, got, dim) && same_bits(check[0], check[1], CHECKS),
                  "%d columns, trial %d of seed %llu", columns, trial, random->seed);
    }
}

static int pairs_of(const struct program *program)
{
    int pairs = 0;
    for (int i = 0; program->pair && i < program->slots; i++)
        pairs += program->pair[i];
    return pairs;
}

/* Were there pairs, and *cut: were they in several functions? */
static bool compare_compiled(struct random *random, int columns, int steps, bool *cut)
{
    struct mix m;
    struct written_code written;
    formula f[OUTPUTS];
    double size[COORDINATES + CHECKS];
    begin(&m, random);
    grow(&m, steps);
    take(&m, f, size);
    collect(m.tape, f, OUTPUTS, true);
    struct program *program = seal(&m, f);
    program_balance(program, true);
    double *w = memory_new(program->slots, sizeof *w);
    program_init(program, w);
    describe(&written, program, columns);
    char *text = program_emit(program, &written.emission, w);
    struct code_cache_entry *code = code_cache_open(text, "points", true);
    points_function *function = (points_function *)code_cache_function(code);
    cr_assert(function, "nothing was compiled, seed %llu", random->seed);
    compare(program, columns, function, w, random);
    bool pairs = pairs_of(program) > 0;
    cr_expect_eq(pairs, strstr(text, "two q") != NULL);
    *cut = pairs && strstr(text, "void part2(");
    code_cache_close(code);
    free(text);
    free(w);
    program_free(program);
    tape_free(m.tape);
    return pairs;
}

Test(pairs, compiled_are_interpreted_rows_to_the_bit)
{
    enum { PROGRAMS = 12 };
    struct random random = random_start();
    int with = 0;
    bool cut;
    for (int k = 0; k < PROGRAMS; k++)
        with += compare_compiled(&random, k % (MOST_COLUMNS + 1), STEPS, &cut);
    cr_expect_geq(with, PROGRAMS / 3, "%d programs of %d had pairs", with, PROGRAMS);
}

/* Some are cut into several functions. */
Test(pairs, compiled_are_interpreted_rows_to_the_bit_in_long_programs)
{
    struct random random = random_start();
    int with = 0;
    for (int k = 0; k < 6; k++) {
        bool cut;
        compare_compiled(&random, k % (MOST_COLUMNS + 1), LONG, &cut);
        with += cut;
    }
    cr_expect_gt(with, 0, "none was cut");
}

/* --- values ------------------------------------------------------------------------- */

/* The largest difference, in units of the last place of `size`. */
static double worst_of(const double *size, const double *x, const double *y, int count)
{
    double worst = 0;
    for (int i = 0; i < count; i++)
        if (size[i] > 0)
            worst = fmax(worst, fabs(x[i] - y[i]) / (DBL_EPSILON * size[i]));
    return worst;
}

static void evaluate_at(const struct program *program, const double *x, const double *rho,
                     double *out)
{
    double *w = memory_new(program->slots, sizeof *w), dx[STATE];
    program_init(program, w);
    program_load(program, BLOCK_RHO, rho, w);
    program_run(program, 1, w);
    interpret(program, 0, w, x, dx, out + COORDINATES);
    memcpy(out, dx + COORDINATES, COORDINATES * sizeof *out);
    free(w);
}

Test(pairs, values_are_the_same_up_to_rounding)
{
    enum { PROGRAMS = 300, VALUES = COORDINATES + CHECKS };
    struct random random = random_start();
    double all = 0;
    for (int trial = 0; trial < PROGRAMS; trial++) {
        struct mix m;
        formula f[OUTPUTS];
        double size[VALUES], x[STATE], rho[PARAMETERS], plain[VALUES], paired[VALUES];
        begin(&m, &random);
        grow(&m, STEPS);
        take(&m, f, size);
        any_numbers(&random, x, STATE);
        any_numbers(&random, rho, PARAMETERS);
        struct program *before = seal(&m, f);
        collect(m.tape, f, OUTPUTS, true);
        struct program *after = seal(&m, f);
        program_balance(after, true);
        evaluate_at(before, x, rho, plain);
        evaluate_at(after, x, rho, paired);
        double worst = worst_of(size, plain, paired, VALUES);
        cr_expect_leq(worst, 20, "%.3g units, trial %d of seed %llu", worst, trial,
                      random.seed);
        all = fmax(all, worst);
        program_free(before);
        program_free(after);
        tape_free(m.tape);
    }
    cr_log_info("%.2f units", all);
    cr_expect_gt(all, 0, "nothing was rearranged");
}

/* --- how many there are ------------------------------------------------------------- */

static void check_text(char *text)
{
    cr_expect(strstr(text, "two_fma(") && strstr(text, "TWICE(keep->q"));
    cr_expect(strstr(text, "STORE4(6, q") && strstr(text, "STORE4(8, q"));
    cr_expect(strstr(text, "STORE2(0, q") && strstr(text, "STORE4(0, q"));
    cr_expect_null(strstr(text, "for (int j"), "something is copied by itself");
    char *values = strstr(text, "void part0("), *columns = strstr(text, "void part1(");
    cr_assert(values && columns);
    *columns = '\0';
    cr_expect(strstr(values, " + BESIDE2(q") && strstr(values, "const two r"));
    cr_expect_null(strstr(values, "double r"), "a number is there once");
}

/* Two bars from a fixed point to a moving one, and on to the next, that pull like springs
   and are weighed, and what the air takes: all but four scalars is a pair. */
Test(pairs, of_a_mechanism_are_most_of_its_rows)
{
    struct mix m;
    struct written_code written;
    formula f[OUTPUTS] = {{NULL, 0}};
    struct random random = random_start();
    begin(&m, &random);
    struct vector bar = m.vector[0], second, force[2];
    for (int l = 0; l < 2; l++) {
        second.x[l] = total(m.vector[1].x[l], m.vector[0].x[l], true);
        bar.x[l] = l ? bar.x[l] : total(bar.x[l], m.scalar[0], false);
    }
    struct item pull = inverse(&m, dot_product(bar, bar));
    struct item next = inverse(&m, dot_product(second, second));
    for (int l = 0; l < 2; l++) {
        force[1].x[l] = product(next, second.x[l]);
        force[0].x[l] = total(force[1].x[l], product(pull, bar.x[l]), true);
        force[1].x[l] = l ? total(force[1].x[l], m.scalar[1], false) : force[1].x[l];
        f[l] = force[0].x[l].f;
        f[2 + l] = force[1].x[l].f;
        f[4 + l] = m.vector[2].x[l].f;
        for (int k = 0; k < POINTS; k++)
            f[2*k + l] = sub(f[2*k + l], m.vector[POINTS + k].x[l].f);
    }
    static const bool moves[BLOCKS] = {
        [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_RHO] = true};
    tangent(m.tape, f, COORDINATES, moves, 1, f + COORDINATES);
    f[OUTPUTS - 1] = f[OUTPUTS - 2] = pull.f;
    collect(m.tape, f, OUTPUTS, true);
    struct program *program = seal(&m, f);
    program_balance(program, true);
    int rows = program->stage_begin[4] - program->stage_begin[2];
    cr_expect_geq(2 * pairs_of(program), rows / 2, "%d pairs in %d rows",
                  pairs_of(program), rows);
    double *w = memory_new(program->slots, sizeof *w);
    program_init(program, w);
    describe(&written, program, 2);
    char *text = program_emit(program, &written.emission, w);
    check_text(text);
    free(text);
    free(w);
    program_free(program);
    tape_free(m.tape);
}

/* Scalars by themselves, of variables that have nothing to do with each other. */
Test(pairs, where_there_are_none_nothing_changes)
{
    struct mix m;
    formula f[OUTPUTS] = {{NULL, 0}};
    struct random random = random_start();
    begin(&m, &random);
    for (int k = 0; k < COORDINATES; k++) {
        formula q = m.vector[k / 2].x[k % 2].f, angle = q;
        for (int n = 0; n <= k; n++)
            angle = apply(n % 2 ? OP_SIN : OP_COS, angle);
        f[k] = sub(mul(angle, m.scalar[0].f), mul(q, f[k > 0 ? k - 1 : 0]));
    }
    struct program *one = seal(&m, f), *other = seal(&m, f);
    program_balance(one, false);
    program_balance(other, true);
    cr_expect_null(other->pair);
    cr_assert_eq(one->slots, other->slots);
    cr_expect_eq(memcmp(one->row, other->row, (size_t)one->slots * sizeof *one->row), 0);
    program_free(one);
    program_free(other);
    tape_free(m.tape);
}
