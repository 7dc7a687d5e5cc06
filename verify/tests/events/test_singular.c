/*
 * test_singular.c - through singular configurations: the motion meant, or a refusal that
 * says where, and never another motion.
 */
#include "solving.h"

#include <stdio.h>
#include <string.h>

#include "events/hybrid.h"
#include "four_bar.h"
#include "linear/rank.h"
#include "verdict/tolerances.h"

static void at_tolerance_of_verify(struct solving *s)
{
    const struct formulation *formulation = s->request.formulation;
    s->request.rtol = tolerance_default(s->model->desc, integrator_default(formulation),
                                        formulation);
    s->request.atol = s->request.rtol / 1000;
}

/* The state (th, th') of the exact reduction of `cells` parallelograms at time t. */
static void reduced(int cells, double t, double state[2])
{
    struct solving s;
    char name[40];
    snprintf(name, sizeof name, "four-bar-reduced-%d", cells);
    solving_of_case(&s, name, "ode");
    s.request.t_end = t;
    s.sample[0] = t;
    s.request.samples = 1;
    s.request.parameters = 0;
    struct trajectory *trajectory = solve(&s);
    const double *x = trajectory->sample[trajectory->samples - 1].x;
    state[0] = x[trajectory->columns.begin[GROUP_Q]];
    state[1] = x[trajectory->columns.begin[GROUP_V]];
    trajectory_free(trajectory);
    solving_end(&s);
}

/* How far tip 0 and its velocity are from where the crank of angle th has them. */
static double distance_from_reduced(const struct trajectory *trajectory, int sample)
{
    const struct run_point *point = &trajectory->sample[sample];
    const double *q = point->x + trajectory->columns.begin[GROUP_Q];
    const double *v = point->x + trajectory->columns.begin[GROUP_V];
    double state[2];
    reduced(2, point->t, state);
    double x = cos(state[0]), y = sin(state[0]), turn = state[1];
    return fmax(fmax(fabs(q[0] - x), fabs(q[1] - y)),
                fmax(fabs(v[0] + turn * y), fabs(v[1] - turn * x)) / 10);
}

/* --- what formulations do there ----------------------------------------------------- */

/* At the tolerances of verify the end state keeps 4 digits where the run gets there;
   where it does not, the cranks are horizontal at the time it names. */
Test(singular, four_bars_go_on_as_they_came_or_are_refused_at_a_singular_time,
     .timeout = 120)
{
    int through = 0, refused = 0;
    for (int i = 0; formulations[i]; i++) {
        struct solving s;
        struct trajectory *trajectory;
        if (!(formulations[i]->capabilities & KEEPS_CONSTRAINTS))
            continue;
        solving_of_case(&s, "four-bar-2", formulations[i]->name);
        at_tolerance_of_verify(&s);
        if (run_once(&s.request, &trajectory, &s.diagnosis) == OK) {
            double off = distance_from_reduced(trajectory, trajectory->samples - 1);
            cr_expect_lt(off, 1e-4, "%s: %g off", formulations[i]->name, off);
            through++;
        } else {
            double state[2];
            cr_expect_eq(s.diagnosis.status, RANK_LOSS, "%s: %s", formulations[i]->name,
                         s.diagnosis.place);
            reduced(2, s.diagnosis.t, state);
            cr_expect_lt(fabs(sin(state[0])), 1e-2, "%s at t = %g",
                         formulations[i]->name, s.diagnosis.t);
            refused++;
        }
        trajectory_free(trajectory);
        solving_end(&s);
    }
    cr_expect_gt(through, 0);
    cr_expect_gt(refused, 0);
}

/* The rank of 19 parallelograms is followed by pivots, of more by the least singular
   value, and of 80 all matrices are sparse. The equations of index1 cannot go through. */
Test(singular, few_and_many_constraints_are_refused_at_a_singular_time, .timeout = 120)
{
    static const int cells[] = {19, 20, 30, 80};
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        struct solving s;
        char name[40];
        double state[2];
        snprintf(name, sizeof name, "four-bar-%d", cells[k]);
        solving_of_case(&s, name, "index1");
        s.request.parameters = 0;
        refuse(&s, RANK_LOSS);
        reduced(cells[k], s.diagnosis.t, state);
        cr_expect_lt(fabs(sin(state[0])), 1e-2, "%s at t = %g", name, s.diagnosis.t);
        solving_end(&s);
    }
}

/* Folded at x0/v. Nothing brings index1 back onto the constraints: it goes around the
   corner of a hyperbola, with 10^5 steps to spare and no sign of it but this one. (By
   dop853; steps of rk86 come so near that none is short enough.) */
Test(singular, a_motion_that_turned_into_another_branch_is_refused)
{
    struct solving s;
    solving_of_case(&s, "two-link-driven-singular", "index1");
    s.request.integrator = integrator_find("dop853");
    s.request.rtol = 1e-7;
    s.request.atol = 1e-10;
    refuse(&s, RANK_LOSS);
    cr_expect_float_eq(s.diagnosis.t, s.value[3] / s.value[2], 1e-6);
    cr_expect_not_null(strstr(s.diagnosis.place, "branches"), "%s", s.diagnosis.place);
    solving_end(&s);
}

/* Noise there makes steps ever shorter; the end comes before it has cost much. */
Test(singular, a_run_that_crawls_towards_a_singular_configuration_ends)
{
    struct solving s;
    solving_of_case(&s, "two-link-driven-singular", "ode");
    s.request.rtol = 1e-10;
    s.request.atol = 1e-13;
    s.request.max_steps = 2000;
    refuse(&s, RANK_LOSS);
    cr_expect_float_eq(s.diagnosis.t, s.value[3] / s.value[2], 1e-3);
    solving_end(&s);
}

/* A bead on a circle, pushed along by a row at velocity level, turns sharply at the end
   of the circle's diameter (within 1e-5 s, at t = 3.0853) and becomes singular soon
   after. Drawn by saltus random. */
static void record_turn(struct model *model)
{
    COORDINATES(x0, x1, x2);
    struct mode *mode = model_mode(model, "a");
    model->Phi[0] = EQ(vx1 - 0.314*x0*vx0 - 0.232);
    mode->velocity_level[0] = true;
    model->Phi[1] = EQ(x2*x2 + x1*x1 - 1.67*1.67);
    model->M[0][0] = EQ(1.0);
    model->M[1][1] = EQ(1.0);
    model->M[2][2] = EQ(2.07827e-03/(1.0 + x0*x0));
    model->q0[0] = EQ(0.106);
    model->v0[0] = EQ(2.07827e-03);
    model->q0[1] = EQ(0.954);
    model->q_guess[2] = EQ(-1.67);
    model->t_end = EQ(3.24);
}

CASE(test_turn,
    .name = "test-turn",
    .title = "a sharp turn before a singular configuration",
    .source = "drawn",
    .record = record_turn);

/* The time is that of the motion in x0, x0' and the angle on the circle, by the classical
   Runge-Kutta method with halved steps: there x0' grows without end. */
Test(singular, a_sharp_turn_before_one_does_not_end_the_run)
{
    static const double singular_at = 3.0938106;
    static const char *const name[] = {"ode", "index1", "augmented", "baumgarte",
                                       "implicit"};
    for (int i = 0; i < 5; i++) {
        struct solving s;
        solving_of_model(&s, model_new(&case_test_turn, &s.diagnosis), name[i]);
        s.request.parameters = 0;
        s.request.rtol = 1e-10;
        s.request.atol = 1e-13;
        refuse(&s, RANK_LOSS);
        cr_expect_float_eq(s.diagnosis.t, singular_at, 2e-7, "%s: t = %.9g", name[i],
                           s.diagnosis.t);
        solving_end(&s);
    }
}

/* --- beside them -------------------------------------------------------------------- */

/* One parallelogram, with a coupler that may not be as long as the distance of its pins:
   then it does not become singular, but as near to it as sqrt(|C - 1|). `apart`: of the
   heights of its tips in the end, or NAN. */
static enum status swings(const char *formulation, double coupler, double rtol,
                          double *apart)
{
    struct solving s;
    struct trajectory *trajectory;
    four_bar.cells = 1;
    four_bar.own = true;
    solving_of_model(&s, model_new(&case_test_four_bar, &s.diagnosis), formulation);
    s.value[3] = coupler;
    s.request.parameters = 0;
    s.request.samples = 0;
    s.request.t_end = 2;
    s.request.rtol = rtol;
    s.request.atol = rtol / 1000;
    enum status status = run_once(&s.request, &trajectory, &s.diagnosis);
    *apart = NAN;
    if (status == OK) {
        const double *q = trajectory->sample[trajectory->samples - 1].x +
                          trajectory->columns.begin[GROUP_Q];
        *apart = fabs(q[1] - q[3]);
    }
    trajectory_free(trajectory);
    solving_end(&s);
    return status;
}

Test(singular, a_mechanism_that_passes_beside_one_is_not_refused)
{
    static const char *const name[] = {"index1", "ode", "augmented", "ggl"};
    static const double coupler[] = {1.01, 1.001, 0.999, 0.99};
    double apart;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            cr_expect_eq(swings(name[i], coupler[k], 1e-9, &apart), OK, "%s, C = %g",
                         name[i], coupler[k]);
}

/* Where nothing but rounding, or less than the tolerance, is between the branches, every
   run that gets to the end is still a parallelogram. */
Test(singular, no_run_ends_on_another_branch)
{
    static const double coupler[] = {1, 1 + 1e-14, 1 - 1e-13};
    int through = 0, refused = 0;
    double apart;
    for (int i = 0; formulations[i]; i++)
        for (int k = 0; k < 3 * 9; k++) {
            double C = coupler[k % 3], rtol = pow(10, -5 - k / 3);
            if (!(formulations[i]->capabilities & KEEPS_CONSTRAINTS))
                continue;
            enum status status = swings(formulations[i]->name, C, rtol, &apart);
            cr_expect(status == OK || status == RANK_LOSS,
                      "%s, C = 1 + %g, rtol = %g: %s", formulations[i]->name, C - 1, rtol,
                      status_text(status));
            cr_expect(status != OK || apart < 1e-3, "%s, C = 1 + %g, rtol = %g: %g apart",
                      formulations[i]->name, C - 1, rtol, apart);
            through += status == OK;
            refused += status == RANK_LOSS;
        }
    printf("%d through, %d refused\n", through, refused);
    cr_expect_gt(through, 20);
    cr_expect_gt(refused, 20);
}

/* --- samples ------------------------------------------------------------------------ */

/* The step across is as long as if nothing were there, and does not stop at samples:
   those within it are on its extension, of order 7. */
Test(singular, samples_beside_a_singular_time_are_taken_within_the_step_across)
{
    static const double singular_time = 0.7143555;
    static const char *const name[] = {"ode", "augmented"};
    for (int k = 0; k < 2; k++) {
        struct solving s;
        solving_of_case(&s, "four-bar-2", name[k]);
        at_tolerance_of_verify(&s);
        s.request.t_end = 1;
        for (int i = 0; i < TEST_SAMPLES; i++)
            s.sample[i] = singular_time + (2 * i - TEST_SAMPLES + 1) * 1e-3;
        struct trajectory *trajectory = solve(&s);
        for (int i = 1; i <= TEST_SAMPLES; i++) {
            cr_assert_float_eq(trajectory->sample[i].t, s.sample[i - 1], 1e-12);
            cr_expect_lt(distance_from_reduced(trajectory, i), 1e-9, "%s, sample %d",
                         name[k], i);
        }
        trajectory_free(trajectory);
        solving_end(&s);
    }
}

/* The margin of an arc as if nothing had been known of the mode. */
static struct rank_monitor rank_monitor_afresh(const struct hybrid *core)
{
    struct rank_monitor margin;
    struct arena arena = {0};
    rank_monitor_init(&margin, &arena, core->model);
    rank_monitor_restart(&margin, core->t, core->x, &core->system->now->monitors,
                         &core->system->now->constraints);
    rank_monitor_clear(&margin);
    arena_free(&arena);
    return margin;
}

/* Does an arc that begins at x, which is elsewhere, take what is known for its own? */
static bool takes_for_its_own(struct hybrid *core, const double *x)
{
    struct step_monitors *monitors = &core->system->now->monitors;
    struct rank_monitor *margin = &core->singular.margin;
    double later = core->t + 1;
    step_monitors_at(monitors, later, x);
    rank_monitor_restart(margin, later, x, monitors, &core->system->now->constraints);
    return margin->t != later;
}

/* Impacts change velocities alone: what is not factorised again after them is known to
   less than a factor of two. */
Test(singular, an_arc_goes_on_from_what_was_known_of_its_configuration)
{
    struct solving s;
    struct hybrid core;
    int events = 0, kept = 0;
    solving_of_case(&s, "five-bar", "penalty");
    struct runner *runner = runner_new(&s.request, &s.diagnosis);
    cr_assert_not_null(runner, "%s", s.diagnosis.place);
    cr_assert_eq(runner_begin(runner, NULL, NULL, &core, &s.diagnosis), OK);
    size_t size = 2 * (size_t)core.system->dim * sizeof(double);
    double *start = malloc(size);
    memcpy(start, core.x, size);
    while (hybrid_wants_step(&core)) {
        struct tried tried = hybrid_try(&core);
        hybrid_stepped(&core, &tried);
        if (core.out->events == events)
            continue;
        const struct rank_monitor *margin = &core.singular.margin,
                                  afresh = rank_monitor_afresh(&core);
        cr_expect_eq(margin->rank, afresh.rank);
        cr_expect(margin->value > afresh.value / 2 && margin->value < afresh.value * 2,
                  "t = %g: %g, afresh %g", core.t, margin->value, afresh.value);
        kept += margin->t < core.t;
        events++;
    }
    cr_expect_eq(hybrid_end(&core), OK, "%s", s.diagnosis.place);
    cr_expect_gt(events, 0);
    cr_expect_gt(kept, 0, "all were factorised again");
    cr_expect_not(takes_for_its_own(&core, start));
    free(start);
    trajectory_free(core.out);
    runner_end(&core);
    runner_free(runner);
    solving_end(&s);
}

/* --- the margin --------------------------------------------------------------------- */

/* A row that vanishes, as that of the folded two-link, has no size of its own. */
Test(singular, a_row_that_vanishes_is_seen_in_units_of_what_it_was)
{
    const double A[] = {1, 0, 0, 1e-5}, entry[] = {1, 1e-5}, size[] = {1, 1};
    const struct entries diagonal = {
        .count = 2, .begin = (int[]){0, 1, 2}, .column = (int[]){0, 1}};
    struct rank_qr qr;
    rank_qr_init(&qr, 2, 2);
    rank_qr_factor(&qr, A, 2, 1);
    cr_expect_float_eq(rank_qr_pivot(&qr, 1), 1, 1e-15);
    rank_qr_factor_entries(&qr, &diagonal, entry, size);
    cr_expect_float_eq(rank_qr_pivot(&qr, 1), 1e-5, 1e-15);
    rank_qr_clear(&qr);
}

Test(singular, what_is_not_finite_has_rank_0)
{
    const double bad[] = {NAN, INFINITY};
    struct rank_qr qr;
    rank_qr_init(&qr, 2, 3);
    for (int k = 0; k < 2; k++)
        for (int at = 0; at < 6; at++) {
            double A[] = {1, 2, 0, 0, 1, 3};
            rank_qr_factor(&qr, A, 3, 1);
            cr_assert_eq(qr.rank, 2);
            A[at] = bad[k];
            rank_qr_factor(&qr, A, 3, 1);
            cr_expect_eq(qr.rank, 0, "%g at %d: rank %d", bad[k], at, qr.rank);
        }
    rank_qr_clear(&qr);
}

/* --- a rank that grows -------------------------------------------------------------- */

/* Both curves have one tangent where the run begins, and part from there. */
static void record_parting(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(g);
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->F[0] = EQ(1 + 0*g);
    model->F[1] = EQ(-g);
    model->Phi[0] = EQ(y);
    model->Phi[1] = EQ(y - x*x*x);
    model->q0[0] = model->q0[1] = model->v0[0] = model->v0[1] = EQ(0*g);
    model->t_end = EQ(1);
}

/* The multipliers of least norm of the rank at the start left both by 0.06. */
Test(singular, constraints_that_become_independent_are_not_left)
{
    static const char *const formulation[] = {"baumgarte", "index1"};
    for (int k = 0; k < 2; k++) {
        struct solving s;
        solving_of_record(&s, "parting", record_parting, formulation[k]);
        if (k == 1)
            solving_option(&s, "redundant", "minimum-norm");
        s.request.rtol = 1e-10;
        s.request.atol = 1e-13;
        refuse(&s, RANK_LOSS);
        cr_expect_not_null(strstr(s.diagnosis.place, "2 right after"), "%s",
                           s.diagnosis.place);
        solving_end(&s);
    }
}
