/*
 * test_bench_peers.c - the numbers and equations that the hand-written peers share with
 * nobody are those they should be, and so are those generated for other solvers.
 */
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mechanisms/catalogue.h"
#include "peers/five_bar.h"
#include "peers/five_bar_dae.h"
#include "peers/formula_dae.h"
#include "random_formulas.h"

/* --- coefficients ------------------------------------------------------------------- */

/* Stages 1 to 12, the solution 13, and the error as row 0. */
enum { OF_METHOD = 14, MOST = 18 };
struct row { double c, term[MOST]; };

static const struct row by_hand[MOST] = {
#define STAGE(i, c, ...) [i] = {c, {__VA_ARGS__}},
#define ERROR(i, ...) [i] = {0, {__VA_ARGS__}},
#define TERM(j, value) [j] = value,
#include "peers/rk87.def"
};

static const struct row of_solver[MOST] = {
#define STAGE(i, c, ...) [i] = {c, {__VA_ARGS__}},
#define ERROR(i, ...) [i] = {0, {__VA_ARGS__}},
#define TERM(j, value) [j] = value,
#define RATIO(j, p, q) [j] = (double)(p)/(double)(q),
#define DIFFERENCE(j, p, q, r, s) [j] = (double)(p)/(double)(q) - (double)(r)/(double)(s),
#include "integrators/rk87.def"
};

Test(bench_peers, the_method_by_hand_has_the_coefficients_of_the_solver)
{
    for (int i = 0; i < OF_METHOD; i++) {
        cr_expect_float_eq(by_hand[i].c, of_solver[i].c, 0, "row %d", i);
        for (int j = 0; j < MOST; j++)
            cr_expect_float_eq(by_hand[i].term[j], of_solver[i].term[j], 0,
                               "row %d, term %d: %.17g and %.17g", i, j,
                               by_hand[i].term[j], of_solver[i].term[j]);
    }
}

/* --- the implicit equations --------------------------------------------------------- */

enum { N = DAE_UNKNOWNS, LANES = 12 };

/* A state that the mechanism could be in, with derivatives, and what belongs to it. */
struct pose {
    double q[FIVE_BAR_VALUES], v[FIVE_BAR_VALUES], Q[LANES], V[LANES];
    double y[N], yd[N], S[2][N], Sd[2][N], *s[2], *sd[2];
};

static void pose_of(struct pose *pose, struct random *random)
{
    five_bar_start(pose->q, pose->Q, pose->v, pose->V);
    for (int i = 0; i < 6; i++) {
        pose->q[i] += random_between(random, -0.01, 0.01);
        pose->v[i] = random_between(random, -2, 2);
    }
    for (int i = 0; i < LANES; i++) {
        pose->Q[i] = random_between(random, -1, 1);
        pose->V[i] = random_between(random, -1, 1);
    }
    for (int j = 0; j < 2; j++) {
        pose->s[j] = pose->S[j];
        pose->sd[j] = pose->Sd[j];
    }
    five_bar_consistent(pose->q, pose->Q, pose->v, pose->V, pose->y, pose->yd, pose->s,
                        pose->sd);
}

/* Forces are of the size of 100, and solved for in double. */
static void expect_zero(const double *residual, const char *what, unsigned long long seed)
{
    for (int i = 0; i < N; i++)
        cr_expect_float_eq(residual[i], 0, 1e-10, "%s %d: %.1e, seed %llu", what, i,
                           residual[i], seed);
}

Test(bench_peers, explicit_and_implicit_equations_have_one_solution)
{
    struct random random = random_start();
    struct pose pose;
    double residual[N];
    cr_log_info("seed %llu", random.seed);
    for (int trial = 0; trial < 20; trial++) {
        pose_of(&pose, &random);
        five_bar_residual(pose.y, pose.yd, residual);
        expect_zero(residual, "residual", random.seed);
        for (int j = 0; j < 2; j++) {
            five_bar_residual_tangent(pose.y, pose.yd, pose.s[j], pose.sd[j], j,
                                      residual);
            expect_zero(residual, "tangent", random.seed);
        }
    }
}

/* Against central differences: errors of h^2 and of rounding. */
Test(bench_peers, tangents_of_the_implicit_equations_are_derivatives)
{
    struct random random = random_start();
    struct pose pose;
    double s[N], sd[N], tangent[N], side[2][N], h = 1e-5;
    cr_log_info("seed %llu", random.seed);
    for (int trial = 0; trial < 20; trial++) {
        pose_of(&pose, &random);
        for (int i = 0; i < N; i++) {
            s[i] = random_between(&random, -1, 1);
            sd[i] = random_between(&random, -1, 1);
        }
        for (int k = 0; k < 2; k++) {
            double y[N], yd[N];
            for (int i = 0; i < N; i++) {
                y[i] = pose.y[i] + (k > 0 ? h : -h)*s[i];
                yd[i] = pose.yd[i] + (k > 0 ? h : -h)*sd[i];
            }
            five_bar_residual(y, yd, side[k]);
        }
        five_bar_residual_tangent(pose.y, pose.yd, s, sd, -1, tangent);
        for (int i = 0; i < N; i++)
            cr_expect_float_eq(tangent[i], (side[1][i] - side[0][i])/(2*h), 1e-6,
                               "row %d: %g, seed %llu", i, tangent[i], random.seed);
    }
}

/* --- generated equations ------------------------------------------------------------ */

enum { MOST_UNKNOWNS = 90, MOST_BY = WORKLOAD_PARAMETERS };

/* Equations of a case with their start. */
struct generated {
    struct workload *workload;
    struct formula_dae *dae;
    int count;
    double t, y[MOST_UNKNOWNS], yd[MOST_UNKNOWNS];
    double S[MOST_BY][MOST_UNKNOWNS], Sd[MOST_BY][MOST_UNKNOWNS];
};

static struct generated *generate(const char *name)
{
    struct diagnosis diagnosis;
    struct generated *g = memory_new(1, sizeof *g);
    double *s[MOST_BY], *sd[MOST_BY];
    g->workload = workload_of_case(case_find(name), &diagnosis);
    cr_assert_not_null(g->workload, "%s: %s", name, diagnosis.place);
    g->dae = formula_dae_new(g->workload, &diagnosis);
    cr_assert_not_null(g->dae, "%s: %s", name, diagnosis.place);
    g->count = formula_dae_unknowns(g->dae);
    cr_assert_leq(g->count, MOST_UNKNOWNS);
    for (int j = 0; j < MOST_BY; j++) {
        s[j] = g->S[j];
        sd[j] = g->Sd[j];
    }
    g->t = formula_dae_start(g->dae, g->y, g->yd, s, sd);
    formula_dae_point(g->dae, g->t, g->y, g->yd);
    return g;
}

static void generated_free(struct generated *g)
{
    formula_dae_free(g->dae);
    workload_free(g->workload);
    free(g);
}

/* Friction in the joints; an auxiliary state; no constraints. */
static const char *const generated_case[] = {"slider-crank-friction", "flyball-governor",
                                             "two-link"};

/* Forces are of the size of 10^3 at most, and solved for in double. */
Test(bench_peers, generated_equations_and_their_tangents_hold_at_the_start)
{
    double residual[MOST_UNKNOWNS];
    for (int k = 0; k < 3; k++) {
        struct generated *g = generate(generated_case[k]);
        formula_dae_residual(g->dae, g->t, g->y, g->yd, residual);
        for (int i = 0; i < g->count; i++)
            cr_expect_float_eq(residual[i], 0, 1e-9, "%s, row %d: %.1e",
                               generated_case[k], i, residual[i]);
        for (int j = 0; j < formula_dae_parameters(g->dae); j++) {
            formula_dae_tangent(g->dae, j, g->S[j], g->Sd[j], residual);
            for (int i = 0; i < g->count; i++)
                cr_expect_float_eq(residual[i], 0, 1e-9, "%s by parameter %d, row %d: "
                                   "%.1e", generated_case[k], j, i, residual[i]);
        }
        generated_free(g);
    }
}

/* The tangent along (x, c x) and a parameter, less that along the parameter alone, is the
   Jacobian r_y + c r_y' times x. */
static void expect_jacobian(struct generated *g, double c, const double *x,
                            const char *name)
{
    static double matrix[MOST_UNKNOWNS][MOST_UNKNOWNS];
    double *column[MOST_UNKNOWNS], cx[MOST_UNKNOWNS], zero[MOST_UNKNOWNS] = {0};
    double with[MOST_UNKNOWNS], without[MOST_UNKNOWNS];
    memset(matrix, 0, sizeof matrix);
    for (int k = 0; k < g->count; k++) {
        column[k] = matrix[k];
        cx[k] = c*x[k];
    }
    formula_dae_jacobian(g->dae, g->t, c, g->y, g->yd, column);
    formula_dae_tangent(g->dae, 0, x, cx, with);
    formula_dae_tangent(g->dae, 0, zero, zero, without);
    for (int i = 0; i < g->count; i++) {
        double sum = 0, scale = fabs(without[i]);
        for (int k = 0; k < g->count; k++) {
            sum += matrix[k][i]*x[k];
            scale += fabs(matrix[k][i]*x[k]);
        }
        cr_expect_float_eq(with[i] - without[i], sum, 1e-12*scale, "%s, row %d: %g",
                           name, i, sum);
    }
}

Test(bench_peers, jacobians_of_generated_equations_are_their_tangents)
{
    struct random random = random_start();
    double x[MOST_UNKNOWNS];
    cr_log_info("seed %llu", random.seed);
    for (int k = 0; k < 3; k++) {
        struct generated *g = generate(generated_case[k]);
        for (int i = 0; i < g->count; i++)
            x[i] = random_between(&random, -1, 1);
        expect_jacobian(g, 7, x, generated_case[k]);
        generated_free(g);
    }
}
