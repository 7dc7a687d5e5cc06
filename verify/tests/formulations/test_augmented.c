/*
 * test_augmented.c - formulations/explicit/augmented.c: the augmented Lagrange iteration
 * by the program solved beforehand, against the iteration by the pivoting solver.
 */
#include "running.h"
#include "sampling.h"
#include "systems.h"

TestSuite(augmented, .init = make_folder_with_code, .fini = remove_folder,
          .timeout = 300);

/* Opens the start of a case; false where nothing is solved beforehand. */
static bool open_start(struct opened *b, const char *name, struct random *random)
{
    if (!open_system(b, name, "augmented", -1))
        return false;
    b->s.request.samples = 0;
    b->s.request.t_end = fmin(b->s.request.t_end, 0.01);
    state_at_start(b, random);
    cr_assert_eq(system_rhs_restart(b->system, 0, b->x, b->dx), OK, "%s: %s", name,
                 b->s.diagnosis.place);
    if (b->system->now->explicit_rhs)
        return true;
    close_system(b);
    return false;
}

/* x' by the program to dx, by the pivoting solver to `other`; the largest difference of
   accelerations and their derivatives, column by column. A column that is zero but for
   rounding counts against the values. */
static double compare_solvers(struct opened *b)
{
    struct system *system = b->system;
    cr_assert_eq(system_rhs(system, 0, b->x, b->dx), OK);
    bool before = system_rhs_pivots(system, true);
    cr_assert_eq(system_rhs(system, 0, b->x, b->other), OK);
    system_rhs_pivots(system, before);
    int n = system->model->n;
    double worst = 0, values = 0;
    for (int j = 0; j <= system->p; j++) {
        double most = 0, size = values;
        for (int i = j * system->state + n; i < j * system->state + 2 * n; i++) {
            most = fmax(most, fabs(b->dx[i] - b->other[i]));
            size = fmax(size, fabs(b->other[i]));
        }
        values = j == 0 ? size : values;
        worst = fmax(worst, size > 0 ? most / size : most);
    }
    return worst;
}

/* --- the catalogue ------------------------------------------------------------------ */

Test(augmented, the_catalogue_is_solved_beforehand_and_agrees)
{
    struct random random = random_start();
    int opened = 0, trusted = 0;
    for (int k = 0; catalogue[k]; k++) {
        struct opened b;
        if (!has_motion(catalogue[k]) || !open_start(&b, catalogue[k]->name, &random))
            continue;
        const struct explicit_rhs *explicit_rhs = b.system->now->explicit_rhs;
        opened++;
        trusted += explicit_rhs->trusted;
        if (explicit_rhs->trusted && b.system->now->mode->m > 0) {
            double worst = compare_solvers(&b);
            cr_expect(explicit_rhs->found, "%s: no convergence", catalogue[k]->name);
            cr_expect_lt(worst, 1e-12, "%s: %.1e", catalogue[k]->name, worst);
        }
        close_system(&b);
    }
    printf("augmented: %d cases solved beforehand, %d agree at their start\n", opened,
           trusted);
    cr_expect_geq(trusted, opened - 3);     /* three have dependent constraints */
    cr_expect_geq(trusted, 35);
}

/* --- beside it ---------------------------------------------------------------------- */

/* A torn residual that is iterated, too: friction, and mu. */
Test(augmented, friction_is_iterated_with_the_multipliers)
{
    struct random random = random_start();
    struct opened b;
    cr_assert(open_start(&b, "slider-crank-friction", &random));
    const struct explicit_rhs *explicit_rhs = b.system->now->explicit_rhs;
    cr_expect(explicit_rhs->trusted);
    cr_expect_gt(explicit_rhs->torn, 0);
    cr_expect_eq(explicit_rhs->mu, b.system->now->mode->m);
    cr_expect_lt(compare_solvers(&b), 1e-12);
    close_system(&b);
}

/* Multipliers of dependent constraints have the rounding of all iterates, and derivatives
   that depend on all of them, which the program does not keep. Accelerations agree, the
   rate of a cost of multipliers does not: the program is not trusted. */
Test(augmented, costs_of_multipliers_of_dependent_constraints_are_solved_with_pivots)
{
    struct random random = random_start();
    struct opened b;
    cr_assert(open_start(&b, "five-bar-redundant", &random));
    struct explicit_rhs *explicit_rhs = b.system->now->explicit_rhs;
    cr_expect_not(explicit_rhs->trusted);
    explicit_rhs->trusted = true;
    cr_expect_lt(compare_solvers(&b), 1e-12);
    close_system(&b);
}

/* With a small alpha an iterate leaves a third of the error: the pivoting solver, which
   takes a larger alpha then, gives x'. */
Test(augmented, slow_iterations_are_left_to_the_pivoting_solver)
{
    struct random random = random_start();
    struct opened b;
    solving_of_case(&b.s, "five-bar", "augmented");
    solving_option(&b.s, "alpha", "2");
    cr_assert(open_solving(&b, -1));
    state_at_start(&b, &random);
    cr_assert_eq(system_rhs_restart(b.system, 0, b.x, b.dx), OK);
    struct explicit_rhs *explicit_rhs = b.system->now->explicit_rhs;
    cr_assert_not_null(explicit_rhs);
    explicit_rhs->trusted = true;
    cr_expect_eq(compare_solvers(&b), 0);
    explicit_rhs_evaluate(explicit_rhs, 0, b.x, b.dx);
    cr_expect_not(explicit_rhs->found);
    cr_expect(isnan(b.dx[b.system->model->n]));
    close_system(&b);
}
