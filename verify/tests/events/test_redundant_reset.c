/*
 * test_redundant_reset.c - velocities that follow from redundant constraints after an
 * event, and impulses through dependent rows.
 */
#include "redundant.h"

/* --- velocities --------------------------------------------------------------------- */

Test(redundant, velocities_after_an_event_follow_from_independent_rows)
{
    expect_as_single(REBOUND, "saltation");
}

Test(redundant, dependent_sensitivities_follow_from_independent_rows)
{
    expect_as_single(REBOUND, "corner-dof");
}

Test(redundant, velocities_after_an_impulse_do_not_depend_on_how_it_is_shared)
{
    expect_as_single(IMPULSE, "saltation");
}

Test(redundant, rates_of_constraints_that_contradict_each_other_after_an_event)
{
    chosen.second = DRIVEN_APART;
    chosen.wall = REBOUND;
    begin(record_pendulum, "penalty", "5e4");
    by("u");
    expect_refusal(INADMISSIBLE, "wall", "the rate of constraint 2 of mode swing");
    cr_expect_not_null(strstr(s.diagnosis.place, "when u changes"));
    by("l");
    trajectory_free(solve(&s));
    s.value[model_parameter_index(s.model, "u")] = 0.1;
    expect_refusal(INCONSISTENT, "the rate of constraint", "0.1)");
    solving_end(&s);
}

Test(redundant, one_contact_has_one_restitution)
{
    chosen.second = SAME;
    chosen.wall = TWO_RESTITUTIONS;
    begin(record_pendulum, "penalty", "5e4");
    expect_refusal(INCONSISTENT, "wall", "impulse row");
    solving_end(&s);
}

/* Two walls, or one that was written twice and rounded? */
static void record_nearly_one_wall(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(e);
    NOMINAL(e, 0.8, "-", "restitution");
    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(-2);
    model->v0[1] = EQ(1);
    model->t_end = EQ(1);
    struct event *event = model_event(model, "wall", flight, flight, EQ(x), FALLING);
    event_impulse(event, EQ(x + y), EQ(e));
    event_impulse(event, EQ(x + 1.00000001*y), EQ(e));
}

Test(redundant, impulse_rows_that_are_nearly_dependent)
{
    begin(record_nearly_one_wall, "ode", NULL);
    expect_refusal(RANK_LOSS, "wall", "reset");
    solving_end(&s);
}

/* One constraint and no velocity given for three. */
static void record_too_few(struct model *model)
{
    COORDINATES(x, y, z);
    struct mode *mode = model_mode(model, "motion");
    model->Phi[0] = EQ(x + y);
    event_constrain_velocity(model_event(model, "event", mode, mode, EQ(z), FALLING));
    model->t_end = EQ(1);
}

Test(redundant, constraints_and_given_velocities_must_suffice)
{
    static const struct case_desc desc = {.name = "made", .record = record_too_few};
    struct diagnosis diagnosis = {.status = OK};
    cr_expect_null(model_new(&desc, &diagnosis));
    cr_expect_eq(diagnosis.status, BAD_INPUT);
    cr_expect_not_null(strstr(diagnosis.place, "or more"));
}

/* --- impulses of least norm --------------------------------------------------------- */

/* Rows Psi = x, 2 x and Phi, w Phi: of least norm are the impulses in the ratios 2 and w,
   for every w. The costs are the impulses, so the gradients are their derivatives along
   the moving event. */
static struct trajectory *run_of_shared_impulses(void)
{
    chosen.second = WEIGHTED;
    chosen.wall = TWO_CONTACTS;
    struct trajectory *trajectory = run_of(record_pendulum, "penalty", "5e4");
    cr_assert_eq(trajectory->events, 1);
    return trajectory;
}

Test(redundant, impulses_are_those_of_least_norm_and_so_are_their_derivatives)
{
    struct trajectory *trajectory = run_of_shared_impulses();
    int weight = model_parameter_index(s.model, "w");
    const double *psi = trajectory->psi, w = s.value[weight];
    cr_expect_gt(fabs(psi[0]), 0.1);
    cr_expect_gt(fabs(psi[2]), 0.05);
    for (int j = -1; j < trajectory->columns.p; j++) {
        const double *own = psi + 4 * (j + 1);
        bool by_weight = j >= 0 && trajectory->columns.parameter[j] == weight;
        double ratio = w * own[2] + (by_weight ? psi[2] : 0);
        cr_expect_float_eq(own[1], 2 * own[0], 1e-13 * fmax(1, fabs(own[1])));
        cr_expect_float_eq(own[3], ratio, 1e-13 * fmax(1, fabs(own[3])));
    }
    trajectory_free(trajectory);
    solving_end(&s);
}

/* Differences of whole runs with h = 1e-4: h^2, and the error of the runs / h. */
Test(redundant, derivatives_of_impulses_are_those_of_whole_runs)
{
    struct trajectory *trajectory = run_of_shared_impulses();
    const double h = 1e-4;
    for (int j = 0; j < trajectory->columns.p; j++) {
        int parameter = trajectory->columns.parameter[j];
        double *value = &s.value[parameter], nominal = *value, psi[2][4];
        for (int side = 0; side < 2; side++) {
            *value = nominal + (side ? h : -h);
            struct trajectory *twin = solve(&s);
            memcpy(psi[side], twin->psi, sizeof psi[side]);
            trajectory_free(twin);
        }
        *value = nominal;
        for (int k = 0; k < 4; k++) {
            double slope = (psi[1][k] - psi[0][k]) / (2 * h);
            double exact = trajectory->psi[4 * (j + 1) + k];
            cr_expect_float_eq(slope, exact, 1e-6 * fmax(1, fabs(exact)),
                               "impulse %d by %s: %.9g, %.9g", k + 1,
                               s.model->parameter[parameter].name, slope, exact);
        }
    }
    trajectory_free(trajectory);
    solving_end(&s);
}
