/*
 * test_tearing.c - formulations/explicit/tearing.c: residuals that are not linear in
 * their unknowns, torn into a linear part and few formulas, are solved to rounding, and
 * so are their derivatives.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "explicit/explicit_rhs.h"
#include "formula/diff.h"
#include "formula/substitute.h"
#include "program/stages.h"
#include "random_formulas.h"

#include <criterion/criterion.h>

TestSuite(tearing, .timeout = 60);

/* --- random residuals --------------------------------------------------------------- */

enum { N = 4, M = 3, ROWS = N + M, MOST_TERMS = 5, TRIALS = 40 };

/* A residual A u + sum_j B_j phi_j(u) + b with coefficients that depend on q. */
struct sample {
    struct tape *tape;
    struct random random;
    struct unknown unknown[ROWS];
    formula u[ROWS], R[ROWS];
};

static formula number(struct sample *s, double low, double high)
{
    char text[40];
    snprintf(text, sizeof text, "%.6f", random_between(&s->random, low, high));
    return constant(s->tape, text);
}

/* A coefficient of the state. */
static formula coefficient(struct sample *s, double size)
{
    formula q = variable(s->tape, BLOCK_Q, random_below(&s->random, N));
    return mul(number(s, -size, size), apply(OP_COS, add(q, number(s, -1, 1))));
}

static formula linear(struct sample *s)
{
    formula f = {NULL, 0};
    for (int k = 0; k < 3; k++)
        f = add(f, mul(coefficient(s, 1), s->u[random_below(&s->random, ROWS)]));
    return f;
}

/* A normal force, or a function of one. */
static formula torn_term(struct sample *s)
{
    formula force = apply(OP_SQRT, add(add(power(linear(s), 2), power(linear(s), 2)),
                                       number(s, 0.01, 1)));
    switch (random_below(&s->random, 4)) {
    case 0: return apply(OP_TANH, mul(number(s, 0.5, 2), force));
    case 1: return mul(force, apply(OP_TANH, linear(s)));
    case 2: return apply(OP_SIN, linear(s));
    default: return force;
    }
}

static void sample_init(struct sample *s, struct random random, int terms)
{
    *s = (struct sample){.tape = tape_new(), .random = random};
    for (int k = 0; k < ROWS; k++) {
        s->unknown[k].block = k < N ? BLOCK_A : BLOCK_LAMBDA;
        s->unknown[k].index = k < N ? k : k - N;
        s->u[k] = variable(s->tape, (int)s->unknown[k].block, s->unknown[k].index);
    }
    formula G[M][N];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            G[i][j] = add(integer(s->tape, i == j), coefficient(s, 0.2));
    for (int i = 0; i < N; i++) {
        s->R[i] = add(mul(integer(s->tape, 2 + i), s->u[i]), coefficient(s, 3));
        for (int k = 0; k < M; k++)
            s->R[i] = add(s->R[i], mul(G[k][i], s->u[N + k]));
    }
    for (int i = 0; i < M; i++)
        s->R[N + i] = add(dot(G[i], s->u, N), coefficient(s, 3));
    for (int j = 0; j < terms; j++) {
        formula term = torn_term(s);
        for (int i = 0; i < N; i++)
            s->R[i] = add(s->R[i], mul(coefficient(s, 0.1), term));
    }
}

/* --- torn --------------------------------------------------------------------------- */

/* z in the place of phi, then phi in that of z, is the residual again. */
static formula phi_again(void *context, int block, int index)
{
    const struct tearing *tearing = context;
    return block == BLOCK_ITERATED ? tearing->phi[index]
                                  : variable(tearing->tape, block, index);
}

Test(tearing, of_a_linear_residual_is_the_residual)
{
    struct sample s;
    struct tearing tearing;
    sample_init(&s, random_start(), 0);
    tearing_init(&tearing, s.tape, s.R, ROWS);
    cr_expect_eq(tearing.count, 0);
    for (int i = 0; i < ROWS; i++)
        cr_expect(same_formula(tearing.R[i], s.R[i]));
    tearing_clear(&tearing);
    tape_free(s.tape);
}

Test(tearing, leaves_a_residual_that_is_linear_in_unknowns_and_tearing_variables)
{
    struct random random = random_start();
    for (int trial = 0; trial < TRIALS; trial++) {
        struct sample s;
        struct tearing tearing, again;
        formula back[ROWS];
        sample_init(&s, random, 1 + trial % MOST_TERMS);
        random = s.random;
        tearing_init(&tearing, s.tape, s.R, ROWS);
        cr_expect_geq(tearing.count, 1);
        cr_expect_leq(tearing.count, 1 + trial % MOST_TERMS, "seed %llu", random.seed);
        tearing_init(&again, s.tape, tearing.R, ROWS);
        cr_expect_eq(again.count, 0, "seed %llu", random.seed);
        substitute(s.tape, tearing.R, ROWS, phi_again, &tearing, back);
        for (int i = 0; i < ROWS; i++)
            cr_expect(same_formula(back[i], s.R[i]), "row %d, seed %llu", i, random.seed);
        tearing_clear(&tearing);
        tearing_clear(&again);
        tape_free(s.tape);
    }
}

/* A normal force that stands in several rows, and in another formula, is torn once. */
Test(tearing, tears_a_normal_force_once)
{
    struct sample s;
    struct tearing tearing;
    sample_init(&s, random_start(), 0);
    formula x = s.u[N], y = add(s.u[N + 1], s.u[N + 2]);
    formula force = apply(OP_SQRT, add(power(x, 2), power(y, 2)));
    formula load = apply(OP_TANH, force), q = variable(s.tape, BLOCK_Q, 0);
    s.R[0] = add(s.R[0], mul(q, force));
    s.R[1] = add(s.R[1], quotient(force, q));
    s.R[2] = sub(s.R[2], mul(q, load));
    tearing_init(&tearing, s.tape, s.R, ROWS);
    cr_assert_eq(tearing.count, 2);
    cr_expect(same_formula(tearing.phi[0], force));
    cr_expect(same_formula(tearing.phi[1], load));
    cr_assert_eq(tearing.ports, 2);
    cr_expect(same_formula(tearing.port[0], x));
    cr_expect(same_formula(tearing.port[1], y));
    tearing_clear(&tearing);
    tape_free(s.tape);
}

/* --- solved ------------------------------------------------------------------------- */

/* R, its matrix and its derivative along the first column, as a program. */
struct judge {
    struct program *program;
    double *w;
};

static void judge_init(struct judge *judge, struct sample *s, formula *R_u,
                       formula *R_dot)
{
    formula out[ROWS * (ROWS + 2)];
    unsigned char stage[BLOCK_LIMIT];
    for (int i = 0; i < ROWS; i++)
        out[i] = s->R[i];
    memory_copy(out + ROWS, R_u, ROWS * ROWS, sizeof *out);
    memory_copy(out + ROWS * (ROWS + 1), R_dot, ROWS, sizeof *out);
    program_stages(BLOCKS_OF_STATE, BLOCKS_OF_UNKNOWNS, stage);
    judge->program = program_seal(s->tape, out, ROWS * (ROWS + 2), stage);
    judge->w = memory_new(judge->program->slots, sizeof *judge->w);
    program_init(judge->program, judge->w);
}

static double judge_output(const struct judge *judge, int k)
{
    return judge->w[judge->program->output[k]];
}

/* The largest of |R(u)| and |R_u du + R'|. */
static double left(struct judge *judge, const double *x, const double *X, const double *u,
                   const double *du)
{
    double most = 0;
    program_load_point(judge->program, 0, 0, x, x + N, NULL, judge->w);
    program_load_point(judge->program, 1, 0, X, X + N, NULL, judge->w);
    program_load(judge->program, BLOCK_A, u, judge->w);
    program_load(judge->program, BLOCK_LAMBDA, u + N, judge->w);
    for (int stage = STAGE_STATE; stage <= STAGE_DIRECTION; stage++)
        program_run(judge->program, stage, judge->w);
    for (int i = 0; i < ROWS; i++) {
        double moved = judge_output(judge, ROWS * (ROWS + 1) + i);
        for (int j = 0; j < ROWS; j++)
            moved += judge_output(judge, ROWS * (1 + i) + j) * du[j];
        most = fmax(most, fmax(fabs(judge_output(judge, i)), fabs(moved)));
    }
    return most;
}

static void matrix_of(const formula *R, formula *R_u)
{
    for (int i = 0; i < ROWS; i++) {
        gradient(R[i], BLOCK_A, N, R_u + i * ROWS);
        gradient(R[i], BLOCK_LAMBDA, M, R_u + i * ROWS + N);
    }
}

static struct explicit_rhs *solved_beforehand(struct sample *s, formula *R_dot,
                                              bool corrected)
{
    static const int parameter[1] = {0};
    struct tearing tearing;
    struct formula_matrix A;
    formula R_u[ROWS * ROWS] = {0};
    tearing_init(&tearing, s->tape, s->R, ROWS);
    matrix_of(tearing.R, R_u);
    formula_matrix_init(&A, ROWS, ROWS);
    for (int k = 0; k < ROWS * ROWS; k++)
        if (!is_zero(R_u[k]))
            formula_matrix_set(&A, k / ROWS, k % ROWS, R_u[k]);
    const struct explicit_equations equations = {
        .n = N, .m = M, .multipliers = M, .rows = ROWS, .unknown = s->unknown,
        .R = tearing.R, .R_dot = R_dot, .R_u = &A, .tearing = &tearing,
        .corrected = corrected,
        .columns = 1, .parameter = parameter, .parameters = 1};
    struct explicit_rhs *explicit_rhs = explicit_rhs_new(s->tape, &equations);
    formula_matrix_clear(&A);
    tearing_clear(&tearing);
    return explicit_rhs;
}

static void solve_sample(struct sample *s, bool corrected)
{
    static const bool moves[BLOCKS] = {[BLOCK_Q] = true, [BLOCK_V] = true};
    formula R_dot[ROWS], R_u[ROWS * ROWS] = {0};
    struct judge judge;
    double rho = 1, x[4 * N], u[ROWS], du[ROWS];
    tangent(s->tape, s->R, ROWS, moves, 1, R_dot);
    matrix_of(s->R, R_u);
    struct explicit_rhs *explicit_rhs = solved_beforehand(s, R_dot, corrected);
    cr_assert_not_null(explicit_rhs, "seed %llu", s->random.seed);
    explicit_rhs_start(explicit_rhs, &rho);
    explicit_rhs_use_code(explicit_rhs, CODE_NEVER);
    judge_init(&judge, s, R_u, R_dot);
    for (int k = 0; k < 4 * N; k++)
        x[k] = random_between(&s->random, -1, 1);
    explicit_rhs->trusted = explicit_rhs->solves = true;
    cr_assert(explicit_rhs_solve(explicit_rhs, 0, x, x + N, NULL, u, u + N),
              "no convergence, seed %llu", s->random.seed);
    explicit_rhs_tangent(explicit_rhs, x + 2 * N, x + 3 * N, NULL, -1, du, du + N, NULL,
                         NULL);
    double error = left(&judge, x, x + 2 * N, u, du);
    cr_expect_leq(error, 1e-12, "%.1e, seed %llu", error, s->random.seed);
    program_free(judge.program);
    free(judge.w);
    explicit_rhs_free(explicit_rhs);
}

Test(tearing, solves_equations_and_their_derivatives_to_rounding)
{
    struct random random = random_start();
    for (int trial = 0; trial < TRIALS; trial++) {
        struct sample s;
        sample_init(&s, random, 1 + trial % MOST_TERMS);
        solve_sample(&s, trial % 2);
        random = s.random;
        tape_free(s.tape);
    }
}

/* z = 1 + z^2 has no solution: Newton's method wanders. */
Test(tearing, gives_no_number_where_there_is_no_solution)
{
    struct sample s;
    formula R_dot[ROWS] = {0};
    double rho = 1, x[2 * (2 * N)], dx[2 * (2 * N)];
    sample_init(&s, random_start(), 0);
    for (int i = 0; i < ROWS; i++)
        s.R[i] = s.u[i];
    s.R[0] = sub(s.u[0], add(integer(s.tape, 1), power(s.u[0], 2)));
    struct explicit_rhs *explicit_rhs = solved_beforehand(&s, R_dot, false);
    cr_assert_not_null(explicit_rhs);
    explicit_rhs_start(explicit_rhs, &rho);
    explicit_rhs_use_code(explicit_rhs, CODE_NEVER);
    for (int k = 0; k < 4 * N; k++)
        x[k] = random_between(&s.random, -1, 1);
    explicit_rhs_evaluate(explicit_rhs, 0, x, dx);
    for (int k = 0; k < 4 * N; k++)
        cr_expect(isnan(dx[k]), "%d", k);
    explicit_rhs->trusted = explicit_rhs->solves = true;
    cr_expect_not(explicit_rhs_solve(explicit_rhs, 0, x, x + N, NULL, dx, dx + N));
    explicit_rhs_free(explicit_rhs);
    tape_free(s.tape);
}
