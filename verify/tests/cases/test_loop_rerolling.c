/*
 * test_loop_rerolling.c - cases/optimise/reroll.c: what repeats in a program is found,
 * and as a loop in C gives what the interpreter gives, to the bit.
 */
#include "optimise/reroll.h"

#include "base/memory.h"
#include "codegen/code_cache.h"
#include "emit/emit.h"
#include "emit/emit_stages.h"
#include "formula/diff.h"
#include "identical.h"
#include "random_formulas.h"
#include "running.h"

TestSuite(loops, .init = make_folder_with_code, .fini = remove_folder, .timeout = 300);

enum { MOST_LINKS = 60, MOST_COLUMNS = 5, MOST_NUMBERS = 3 * MOST_LINKS };

/* --- a chain ------------------------------------------------------------------------ */

/* A tridiagonal system, solved forwards and then backwards, and its derivatives: y_k and
   y_k', then the pivots d_k. What links have in common, and what each of them has for
   itself: variables, numbers, parameters. */
struct chain {
    int links, columns;
    struct tape *tape;
    struct program *program;
    double *w;
    int from[4 * MOST_LINKS + 2], to[3 * MOST_LINKS];
    struct emission emission;
};

static formula q(const struct chain *c, int k)
{
    return variable(c->tape, BLOCK_Q, k);
}

static formula v(const struct chain *c, int k)
{
    return variable(c->tape, BLOCK_V, k);
}

static void write_chain(const struct chain *c, formula *y, formula *d)
{
    formula rho = variable(c->tape, BLOCK_RHO, 0), b[MOST_LINKS];
    for (int k = 0; k < c->links; k++) {
        formula weight = quotient(integer(c->tape, k + 2), integer(c->tape, 7));
        d[k] = add(add(power(q(c, k), 3), mul(weight, rho)), apply(OP_COS, v(c, k)));
        b[k] = mul(v(c, k), apply(OP_SIN, mul(rho, q(c, k))));
        if (k > 0) {
            d[k] = sub(d[k], quotient(mul(v(c, k - 1), v(c, k)), d[k - 1]));
            b[k] = sub(b[k], quotient(mul(v(c, k - 1), b[k - 1]), d[k - 1]));
        }
    }
    for (int k = c->links - 1; k >= 0; k--) {
        y[k] = b[k];
        if (k + 1 < c->links)
            y[k] = sub(b[k], mul(v(c, k), y[k + 1]));
        y[k] = quotient(y[k], d[k]);
    }
}

static void seal_chain(struct chain *c)
{
    static const bool moves[BLOCKS] = {
        [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_RHO] = true};
    const unsigned char stage[BLOCK_LIMIT] = {
        [BLOCK_RHO] = 1, [BLOCK_Q] = 2, [BLOCK_V] = 2, [TANGENT(BLOCK_Q)] = 3,
        [TANGENT(BLOCK_V)] = 3, [TANGENT(BLOCK_RHO)] = 3};
    formula out[3 * MOST_LINKS];
    write_chain(c, out, out + 2 * c->links);
    tangent(c->tape, out, c->links, moves, 1, out + c->links);
    c->program = program_seal(c->tape, out, 3 * c->links, stage);
    program_balance(c->program, false);
    c->w = memory_new(c->program->slots, sizeof *c->w);
    program_init(c->program, c->w);
}

static void chain_init(struct chain *c, int links, int columns)
{
    *c = (struct chain){.links = links, .columns = columns, .tape = tape_new()};
    seal_chain(c);
    for (int k = 0; k < c->program->inputs; k++) {
        const struct program_input *input = &c->program->input[k];
        bool parameter = input->block == TANGENT(BLOCK_RHO);
        c->from[k] = parameter ? EMIT_UNIT : emit_place_of(input, links);
    }
    for (int k = 0; k < 3 * links; k++)
        c->to[k] = k < 2 * links ? links + k % links : -1 - (k - 2 * links);
    c->emission = (struct emission){.name = "chain",
                                    .widest = code_cache_widest(),
                                    .least_loop = 20,
                                    .once = 2,
                                    .columnwise = 3,
                                    .state = 2 * links,
                                    .columns = columns,
                                    .copied = links,
                                    .from = c->from,
                                    .to = c->to,
                                    .values = links};
}

static void chain_clear(struct chain *c)
{
    program_free(c->program);
    tape_free(c->tape);
    free(c->w);
}

/* --- what is found ------------------------------------------------------------------ */

Test(loops, of_a_chain_have_one_text_whatever_its_length)
{
    struct chain c;
    int rows[2], least[2];
    for (int k = 0; k < 2; k++) {
        chain_init(&c, 30 + 20 * k, 1);
        rows[k] = program_emitted_rows(c.program, &c.emission);
        c.emission.least_loop = 0;
        least[k] = program_emitted_rows(c.program, &c.emission);
        chain_clear(&c);
    }
    cr_expect_eq(rows[0], rows[1], "%d and %d rows", rows[0], rows[1]);
    cr_expect_lt(rows[0], least[0] / 2);
    cr_expect_geq(least[1], least[0] * 3 / 2, "without loops it grows");
}

/* Loops follow each other; each is in one stage; rows in none are counted one by one. */
Test(loops, are_in_order_and_within_a_stage)
{
    struct chain c;
    struct loops loops;
    chain_init(&c, 40, 1);
    const struct loop_search search = {.from = c.from, .to = c.to, .first = 2, .last = 3,
                                       .least = 20};
    loops_find(&loops, c.program, &search);
    int end = c.program->stage_begin[2], in_loops = 0;
    bool stage_3 = false;
    for (int k = 0; k < loops.count; k++) {
        const struct loop *loop = &loops.loop[k];
        int last = loop->begin + loop->period * loop->count;
        cr_expect_geq(loop->begin, end);
        cr_expect(loop->begin >= c.program->stage_begin[3] ||
                  last <= c.program->stage_begin[3]);
        stage_3 = stage_3 || loop->begin >= c.program->stage_begin[3];
        in_loops += loop->period * (loop->count - 1);
        end = last;
    }
    cr_expect(stage_3 && loops.loop[0].begin < c.program->stage_begin[3]);
    cr_expect_eq(loops_rows(&loops, c.program, 2, 3) + in_loops,
                 c.program->stage_begin[4] - c.program->stage_begin[2]);
    loops_clear(&loops);
    chain_clear(&c);
}

/* --- what it gives ------------------------------------------------------------------ */

static void interpret(struct chain *c, const double *x, double *dx, double *pivot)
{
    const int *output = c->program->output;
    int n = c->links;
    const double one = 1;
    for (int j = 0; j <= c->columns; j++) {
        const double *X = x + 2 * n * j, unit = j == 1 ? one : 0;
        double *dX = dx + 2 * n * j;
        program_load_point(c->program, j > 0, 0, X, X + n, NULL, c->w);
        if (j > 0)
            program_load(c->program, TANGENT(BLOCK_RHO), &unit, c->w);
        program_run(c->program, j > 0 ? 3 : 2, c->w);
        for (int k = 0; k < n; k++) {
            dX[k] = X[n + k];
            dX[n + k] = c->w[output[(j > 0) * n + k]];
            pivot[k] = c->w[output[2 * n + k]];
        }
    }
}

typedef void chain_function(const double *c, double t, const double *x, double *dx,
                            double *pivot);

static void compare_chain(int links, int columns, int least, struct random *random)
{
    enum { MOST = 2 * MOST_LINKS * (1 + MOST_COLUMNS) };
    struct chain c;
    double x[MOST], want[MOST], got[MOST], pivot[2][MOST_LINKS], rho = 1.7;
    int dim = 2 * links * (1 + columns);
    chain_init(&c, links, columns);
    c.emission.least_loop = least;
    char *text = program_emit(c.program, &c.emission, c.w);
    cr_expect_eq(strstr(text, "for (long k") != NULL, least > 0);
    struct code_cache_entry *code = code_cache_open(text, "chain", true);
    chain_function *function = (chain_function *)code_cache_function(code);
    cr_assert(function);
    program_load(c.program, BLOCK_RHO, &rho, c.w);
    program_run(c.program, 1, c.w);
    for (int trial = 0; trial < 10; trial++) {
        for (int i = 0; i < dim; i++)
            x[i] = random_between(random, -2, 2);
        interpret(&c, x, want, pivot[0]);
        memset(got, 0xff, sizeof got);
        function(c.w, 0, x, got, pivot[1]);
        cr_expect(same_bits(want, got, dim) && same_bits(pivot[0], pivot[1], links),
                  "%d links, %d columns, trial %d of seed %llu", links, columns, trial,
                  random->seed);
    }
    code_cache_close(code);
    free(text);
    chain_clear(&c);
}

Test(loops, compiled_are_interpreted_ones_to_the_bit)
{
    struct random random = random_start();
    for (int columns = 1; columns <= MOST_COLUMNS; columns++)
        compare_chain(20 + columns, columns, 20, &random);
    compare_chain(MOST_LINKS, 2, 100, &random);
    compare_chain(12, 2, 0, &random);
}

/* Stages of the same program, in the work array of the interpreter. */
Test(loops, stages_compiled_are_interpreted_ones_to_the_bit)
{
    struct random random = random_start();
    struct chain c;
    chain_init(&c, 30, 1);
    char *text = program_emit_stages(c.program, "stages", 20, c.w);
    cr_expect_not_null(strstr(text, "for (long k"));
    cr_expect_lt(program_emitted_stages(c.program, 20),
                 program_emitted_stages(c.program, 0) / 2);
    struct code_cache_entry *code = code_cache_open(text, "stages", true);
    const struct emitted_stages *emitted = code_cache_symbol(code);
    cr_assert(emitted);
    double *other = memory_new(c.program->slots, sizeof *other), value[MOST_NUMBERS];
    for (int trial = 0; trial < 10; trial++) {
        for (int block = 0; block < BLOCK_LIMIT; block++) {
            for (int i = 0; i < MOST_NUMBERS; i++)
                value[i] = random_between(&random, -2, 2);
            program_load(c.program, block, value, c.w);
        }
        program_run(c.program, 1, c.w);
        memory_copy(other, c.w, c.program->slots, sizeof *other);
        for (int k = 2; k <= 3; k++) {
            program_run(c.program, k, c.w);
            emitted->stage[k](other);
        }
        for (int k = 0; k < c.program->outputs; k++)
            cr_expect(same_bits(&other[c.program->output[k]], &c.w[c.program->output[k]],
                                1), "output %d, trial %d of seed %llu", k, trial,
                      random.seed);
    }
    free(other);
    code_cache_close(code);
    free(text);
    chain_clear(&c);
}
