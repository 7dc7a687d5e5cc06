/*
 * test_dependent.c - formulations/explicit/solver.c: constraints that depend on others,
 * solved beforehand with multipliers of least norm, against the pseudo-inverse.
 */
#include "case.h"
#include "running.h"
#include "sampling.h"
#include "systems.h"

TestSuite(dependent, .init = make_folder_with_code, .fini = remove_folder,
          .timeout = 300);

static const char *const formulation[2] = {"baumgarte", "index1"};

static void start(struct opened *b, struct random *random)
{
    solving_option(&b->s, "redundant", "minimum-norm");
    b->s.request.samples = 0;
    b->s.request.t_end = fmin(b->s.request.t_end, 0.01);
    cr_assert(open_solving(b, -1));
    state_at_start(b, random);
    cr_assert_eq(system_rhs_restart(b->system, 0, b->x, b->dx), OK, "%s",
                 b->s.diagnosis.place);
}

/* The largest difference of x' and of multipliers by the program and with pivots, in each
   column against the largest of both. */
static double compare_solvers(struct opened *b)
{
    struct system *system = b->system;
    int n = system->model->n, m = system->now->mode->m, all = n + m;
    double *by[2], worst = 0;
    for (int k = 0; k < 2; k++) {
        by[k] = calloc((size_t)((system->p + 1) * all), sizeof *by[k]);
        const double *x = b->x;
        system->now->solved.valid = false;
        enum status status = (k == 0 ? system_solve : system_factor)(
            system, system->now, 0, x, x + n, x + 2 * n, by[k], by[k] + n);
        cr_assert_eq(status, OK);
        cr_assert_eq(system->now->solved.explicit_rhs, k == 0, "solver %d", k);
        for (int j = 0; j < system->p; j++) {
            struct state_direction column = system_column(system, x, j);
            system_tangent(system, system->now, &column, by[k] + (j + 1) * all,
                           by[k] + (j + 1) * all + n, NULL, NULL);
        }
    }
    for (int j = 0; j <= system->p; j++) {
        worst = fmax(worst, column_error(by[0] + j * all, by[1] + j * all, n));
        worst = fmax(worst, column_error(by[0] + j * all + n, by[1] + j * all + n, m));
    }
    free(by[0]);
    free(by[1]);
    return worst;
}

/* Multipliers that lose digits, as in bricard, are solved with pivots. */
static void expect_agreement(struct opened *b, const char *name)
{
    const struct mode_system *now = b->system->now;
    cr_assert_not_null(now->explicit_rhs, "%s", name);
    cr_expect_eq(now->explicit_rhs, now->dependent, "%s", name);
    cr_expect(now->explicit_rhs->trusted, "%s", name);
    if (!now->explicit_rhs->solves) {
        cr_expect_str_eq(name, "bricard");
        return;
    }
    double worst = compare_solvers(b);
    cr_expect_lt(worst, 1e-11, "%s: %.1e", name, worst);
}

Test(dependent, the_catalogue_agrees_with_the_pseudo_inverse)
{
    struct random random = random_start();
    int opened = 0;
    for (int k = 0; catalogue[k]; k++)
        for (int f = 0; f < 2; f++) {
            struct opened b;
            if (!has_motion(catalogue[k]) || !strstr(catalogue[k]->classes, "redundant"))
                continue;
            solving_of_case(&b.s, catalogue[k]->name, formulation[f]);
            start(&b, &random);
            if (b.system->now->dependents > 0) {
                expect_agreement(&b, catalogue[k]->name);
                opened++;
            }
            close_system(&b);
        }
    cr_expect_geq(opened, 6, "%d", opened);
}

/* --- random ones -------------------------------------------------------------------- */

static struct random dice;
static int copies;

static formula rational(const struct model *model, int least, int most)
{
    int above = least + random_below(&dice, most - least + 1);
    return quotient(integer(model->tape, above), integer(model->tape, 4));
}

/* A double pendulum, and combinations of its constraints, whose factors may depend on the
   state: then they depend on the others only where these hold. */
static void record(struct model *model)
{
    COORDINATES(x1, y1, x2, y2);
    PARAMETERS(l1, l2);
    NOMINAL(l1, 1.1, "m", "length of the upper pendulum");
    NOMINAL(l2, 0.7, "m", "length of the lower pendulum");
    const formula Phi[2] = {EQ(x1*x1 + y1*y1 - l1*l1),
                            EQ((x2 - x1)*(x2 - x1) + (y2 - y1)*(y2 - y1) - l2*l2)};
    for (int i = 0; i < 4; i++)
        model->M[i][i] = rational(model, 1, 9);
    model->F[1] = model->F[3] = EQ(-7);
    for (int i = 0; i < 2; i++)
        model_constraint(model, Phi[i]);
    for (int i = 0; i < copies; i++) {
        formula sum = {NULL, 0};
        for (int k = 0; k < 2; k++) {
            formula factor = rational(model, 1, 8);
            if (random_below(&dice, 2))
                factor = add(factor, EQ(x1*y2));
            sum = add(sum, mul(factor, Phi[k]));
        }
        model_constraint(model, sum);
    }
    model->q0[0] = EQ(0.3);
    model->q0[1] = EQ(-sqrt(l1*l1 - 0.09));
    model->q0[2] = EQ(0.8);
    model->q0[3] = EQ(-sqrt(l1*l1 - 0.09) - sqrt(l2*l2 - 0.25));
    model->v0[0] = EQ(0.4);
    model->v0[2] = EQ(-0.9);
    model->t_end = EQ(1.0);
}

Test(dependent, random_combinations_of_constraints_agree_with_the_pseudo_inverse)
{
    dice = random_start();
    for (int k = 0; k < 40; k++) {
        struct opened b;
        copies = 1 + k % 3;
        solving_of_record(&b.s, "combined", record, formulation[k % 2]);
        start(&b, &dice);
        cr_expect_eq(b.system->now->dependents, copies, "seed %llu", dice.seed);
        expect_agreement(&b, "combined");
        close_system(&b);
    }
}

/* Without dependent constraints there is one program, with them a run has the other. */
Test(dependent, runs_are_compiled_with_dependent_constraints_too)
{
    struct solving s;
    solving_of_case(&s, "five-bar-redundant", "baumgarte");
    s.request.code = CODE_ALWAYS;
    struct trajectory *trajectory = solve(&s);
    double evaluations = (double)trajectory->evaluations;
    cr_expect_gt(evaluations, 100);
    cr_expect_geq((double)trajectory->compiled, 0.95 * evaluations);
    trajectory_free(trajectory);
    solving_end(&s);
}
