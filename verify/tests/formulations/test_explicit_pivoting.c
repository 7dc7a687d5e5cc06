/*
 * test_explicit_pivoting.c - what equations solved beforehand
 * (formulations/explicit/explicit_rhs.c) give is what the pivoting solver finds.
 */
#include <float.h>

#include "running.h"
#include "systems.h"

TestSuite(explicit_pivoting, .init = make_folder_with_code, .fini = remove_folder,
          .timeout = 1200);

/* --- along a run -------------------------------------------------------------------- */

/* Worst of all columns at all states of the run at which the program is trusted. */
static double worst_error(struct opened *b, struct random *random, int *states)
{
    struct trajectory *trajectory = solve(&b->s);
    double worst = 0;
    for (int k = 0; k < trajectory->samples; k++) {
        const struct run_point *point = &trajectory->sample[k];
        struct mode_system *ms = &b->system->mode[point->mode->index];
        system_enter(b->system, ms);
        state_at(b, trajectory, point, random);
        if (!ms->explicit_rhs)
            continue;
        ms->explicit_rhs->trusted = false;
        cr_assert_eq(system_rhs(b->system, point->t, b->x, b->other), OK);
        ms->explicit_rhs->trusted = true;
        cr_assert_eq(system_rhs(b->system, point->t, b->x, b->dx), OK);
        int state = b->system->state;
        for (int j = 0; j <= b->system->p; j++)
            worst = fmax(worst, column_error(b->dx + j * state, b->other + j * state,
                                             state));
        ++*states;
    }
    trajectory_free(trajectory);
    return worst;
}

/* R_u has condition numbers of up to 3000 here: a value may lose three digits and a half
   of sixteen, and a derivative, whose right-hand side has the value in it, twice as many
   where what it is made of cancels. Most lose one. */
Test(explicit_pivoting, agrees_with_the_pivoting_solver)
{
    static const struct { const char *name, *formulation; } pair[] = {
        {"five-bar", "index1"},     {"five-bar", "baumgarte"},
        {"five-bar", "penalty"},    {"two-link", "ode"},
        {"two-link-absolute", "index1"}, {"compass-gait-absolute", "index1"},
        {"clocked-oscillator", "ode"},   {"event-bolus", "ode"},
        {"slider-crank-spatial", "index1"}, {"flyball-governor", "index1"},
        {"pendulum-friction", "index1"}, {"pendulum-friction", "penalty"},
        {"slider-crank-friction", "baumgarte"}};
    struct random random = random_start();
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++) {
        struct opened b;
        int states = 0;
        cr_assert(open_system(&b, pair[k].name, pair[k].formulation, -1));
        double worst = worst_error(&b, &random, &states);
        cr_log_info("%s, %s: %.1e at %d states", pair[k].name, pair[k].formulation, worst,
                    states);
        cr_expect_gt(states, 0, "%s, %s: no program", pair[k].name, pair[k].formulation);
        cr_expect_leq(worst, 1e-11, "%s, %s: %.1e, seed %llu", pair[k].name,
                      pair[k].formulation, worst, random.seed);
        close_system(&b);
    }
}

/* --- where nothing pulls back ------------------------------------------------------- */

/* What a, or its derivatives, leave of row i of R, or R_dot, against the terms that
   cancel there; ms->w has the rest. */
static double left_of_row(const struct opened *b, int i, int at, const double *a)
{
    const struct mode_system *ms = b->system->now;
    const int *R_u = ms->motion->output + ms->at.R_u + i * ms->unknowns;
    double left = ms->w[ms->motion->output[at + i]], size = fabs(left);
    for (int j = 0; j < b->s.model->n; j++) {
        left = fma(ms->w[R_u[j]], a[j], left);
        size += fabs(ms->w[R_u[j]] * a[j]);
    }
    return size > 0 ? fabs(left) / size : 0;
}

/* The worst of all constraints, for the values and for the last column, in units of the
   last place. The pivoting solver has just been there. */
static double left_of_constraints(struct opened *b, const double *dx)
{
    struct mode_system *ms = b->system->now;
    int n = b->s.model->n;
    const double *last = dx + b->system->p * b->system->state;
    double worst = 0;
    program_load(ms->motion, BLOCK_A, b->system->zeros, ms->w);
    program_run(ms->motion, STAGE_UNKNOWN, ms->w);
    for (int i = n; i < ms->unknowns; i++)
        worst = fmax(worst, left_of_row(b, i, ms->at.R, dx + n));
    program_load(ms->motion, BLOCK_A, dx + n, ms->w);
    program_run(ms->motion, STAGE_UNKNOWN, ms->w);
    program_run(ms->motion, STAGE_DIRECTION, ms->w);
    for (int i = n; i < ms->unknowns; i++)
        worst = fmax(worst, left_of_row(b, i, ms->at.R_dot, last + n));
    return worst / DBL_EPSILON;
}

/* Without a correction there are 14 to 380 units left. */
Test(explicit_pivoting, leaves_of_hard_constraints_what_rounds_them)
{
    static const char *const names[] = {"five-bar", "compass-gait-absolute",
                                        "two-link-absolute", "pendulum-chain-4"};
    struct random random = random_start();
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct opened b;
        double worst = 0;
        cr_assert(open_system(&b, names[k], "index1", -1));
        struct trajectory *trajectory = solve(&b.s);
        for (int i = 0; i < trajectory->samples; i++) {
            const struct run_point *point = &trajectory->sample[i];
            system_enter(b.system, &b.system->mode[point->mode->index]);
            state_at(&b, trajectory, point, &random);
            system_rhs_pivots(b.system, true);
            cr_assert_eq(system_rhs(b.system, point->t, b.x, b.other), OK);
            system_rhs_pivots(b.system, false);
            cr_assert_eq(system_rhs(b.system, point->t, b.x, b.dx), OK);
            worst = fmax(worst, left_of_constraints(&b, b.dx));
        }
        cr_expect_leq(worst, 2, "%s: %.1f, seed %llu", names[k], worst, random.seed);
        trajectory_free(trajectory);
        close_system(&b);
    }
}

/* --- one point ---------------------------------------------------------------------- */

/* u at a state, s' and z', then their derivatives by every column: n + m + ns + nz
   each. */
static void solution(struct opened *b, struct mode_system *ms, double t, double *out)
{
    const struct model *model = b->s.model;
    struct system *system = b->system;
    int n = model->n, m = model->m, ns = model->ns;
    memset(out, 0, (size_t)(n + m) * sizeof *out);
    system_solve(system, ms, t, b->x, b->x + n, b->x + 2 * n, out, out + n);
    system_rates(ms, out + n + m, out + n + m + ns);
    for (int j = 0; j < system->p; j++) {
        const struct state_direction column = system_column(system, b->x, j);
        out += n + m + ns + model->nz;
        system_tangent(system, ms, &column, out, out + n, out + n + m, out + n + m + ns);
    }
}

Test(explicit_pivoting, solves_one_point_as_the_pivoting_solver_does)
{
    static const struct { const char *name, *formulation; } pair[] = {
        {"five-bar", "index1"}, {"five-bar", "penalty"}, {"two-link", "ode"},
        {"compass-gait-absolute", "index1"}, {"event-bolus", "ode"},
        {"pendulum-friction", "penalty"}, {"five-bar", "ode"}};
    struct random random = random_start();
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++) {
        struct opened b;
        cr_assert(open_system(&b, pair[k].name, pair[k].formulation, -1));
        struct trajectory *trajectory = solve(&b.s);
        const struct model *model = b.s.model;
        int each = model->n + model->m + model->ns + model->nz;
        double *both = calloc((size_t)(2 * each * (1 + b.system->p)), sizeof *both);
        double *other = both + each * (1 + b.system->p);
        for (int i = 0; i < trajectory->samples; i++) {
            const struct run_point *point = &trajectory->sample[i];
            struct mode_system *ms = &b.system->mode[point->mode->index];
            state_at(&b, trajectory, point, &random);
            ms->explicit_rhs->trusted = ms->solved.valid = false;
            solution(&b, ms, point->t, other);
            cr_assert_not(ms->solved.explicit_rhs);
            ms->explicit_rhs->trusted = ms->explicit_rhs->solves = true;
            ms->solved.valid = false;
            solution(&b, ms, point->t, both);
            cr_assert(ms->solved.explicit_rhs, "%s: not by the program", pair[k].name);
            for (int j = 0; j <= b.system->p; j++)
                cr_expect_leq(column_error(both + j * each, other + j * each, each),
                              1e-11, "%s, %s at t = %g, column %d, seed %llu",
                              pair[k].name, pair[k].formulation, point->t, j,
                              random.seed);
        }
        free(both);
        trajectory_free(trajectory);
        close_system(&b);
    }
}
