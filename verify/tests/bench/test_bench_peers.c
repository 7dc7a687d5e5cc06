/*
 * test_bench_peers.c - the numbers and equations that the hand-written peers share with
 * nobody are those they should be.
 */
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>

#include "peers/five_bar.h"
#include "peers/five_bar_dae.h"
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
