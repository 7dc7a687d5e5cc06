/*
 * test_oracle_complex.c - complex step through events: what it gets right, what it
 * refuses, and that it is an oracle: wrong rules and wrong numbers are seen.
 */
#include "case.h"

#include "solving.h"

#include <stdlib.h>
#include <string.h>

#include "faults/judged_rules.h"

static struct trajectory *oracle(struct solving *s)
{
    struct trajectory *trajectory;
    enum status status = complex_step_run(&s->request, &trajectory, &s->diagnosis);
    cr_assert_eq(status, OK, "complex step: %s: %s", status_text(status),
                 s->diagnosis.place);
    return trajectory;
}

static double column_at(const struct trajectory *trajectory,
                        const struct run_point *point, enum column_group group, int i,
                        int j)
{
    return point->x[column(&trajectory->columns, group, i, j)];
}

/* --- it fails what is wrong --------------------------------------------------------- */

/* A ground that moves gives its guard an r_t. */
static void make_harder(struct solving *s)
{
    int u = model_parameter_index(s->model, "u");
    if (u >= 0)
        s->value[u] = 0.3;
}

Test(complex_step, every_wrong_jump_rule_is_seen_in_some_case_and_the_right_one_never)
{
    const char *const name[][2] = {{"bouncing-ball", "ode"}, {"pendulum-wall", "index1"},
                                   {"five-bar", "index1"}, {"slack-rope", "index1"}};
    bool seen[64] = {false};
    char where[128];
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        struct solving s;
        solving_of_case(&s, name[i][0], name[i][1]);
        make_harder(&s);
        struct trajectory *truth = oracle(&s), *t = solve(&s);
        cr_expect_geq(digits_between(t, truth, where, sizeof where), 10.5, "%s", where);
        trajectory_free(t);
        for (int k = 0; judged_rules[k]; k++) {
            s.request.rule = judged_rules[k];
            if (run_once(&s.request, &t, &s.diagnosis) != OK)
                continue;       /* it does not apply */
            seen[k] |= digits_between(t, truth, where, sizeof where) < 3;
            trajectory_free(t);
        }
        trajectory_free(truth);
        solving_end(&s);
    }
    /* no event of these cases has a guard on velocities (no-r-v) */
    for (int k = 0; judged_rules[k]; k++)
        cr_expect(seen[k] || strcmp(judged_rules[k]->name, "no-r-v") == 0,
                  "%s passed everywhere", judged_rules[k]->name);
}

Test(complex_step, one_number_wrong_in_the_ninth_digit_is_seen_and_named)
{
    struct solving s;
    char where[128];
    solving_of_case(&s, "five-bar", "index1");
    struct trajectory *truth = oracle(&s), *t = solve(&s);
    int L02 = model_parameter_index(s.model, "L02");
    int y2 = model_coordinate_index(s.model, "y2");
    t->event[1].after.x[column(&t->columns, GROUP_Q, y2, L02)] *= 1 + 1e-9;
    double digits = digits_between(t, truth, where, sizeof where);
    cr_expect_float_eq(digits, 9, 0.5, "%.2f digits", digits);
    cr_expect_eq(strncmp(where, "after.2.dq.y2/dL02", 18), 0, "%s", where);
    trajectory_free(t);
    trajectory_free(truth);
    solving_end(&s);
}

/* --- small models of which everything is known -------------------------------------- */

/* A fall that begins at t = c and ends at t = 2 + c^2: both ends move. */
static void record_moving_ends(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(c, h);
    COSTS(height);
    NOMINAL(c, 0.5, "s", "start");
    NOMINAL(h, 3, "m", "height");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-10);
    model->g[0] = EQ(y);
    model->q0[0] = EQ(h);
    model->v0[0] = EQ(0);
    model->t0 = EQ(c);
    model->t_end = EQ(2 + c*c);
    model->w[0] = EQ(y*y);
}

/* A guard that fires on both ways through zero, and changes nothing. */
static void record_both_ways(struct model *model)
{
    COORDINATES(q);
    PARAMETERS(w);
    NOMINAL(w, 2, "1/s", "frequency");
    struct mode *mode = model_mode(model, "swing");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-w*w*q);
    model_event(model, "zero", mode, mode, EQ(q), EITHER);
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(9);
}

/* Two guards that are the same. */
static void record_twins(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(h);
    NOMINAL(h, 1, "m", "height");
    struct mode *mode = model_mode(model, "fall");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-10);
    model_event(model, "one", mode, mode, EQ(y), FALLING)->v_plus[0] = EQ(-vy);
    model_event(model, "two", mode, mode, EQ(2*y), FALLING)->v_plus[0] = EQ(-vy/2);
    model->q0[0] = EQ(h);
    model->v0[0] = EQ(0);
    model->t_end = EQ(1);
}

Test(complex_step, a_start_and_an_end_that_move_are_differentiated)
{
    static const struct case_desc desc = {.name = "moving-ends",
                                          .record = record_moving_ends};
    struct solving s;
    solving_of_desc(&s, &desc, "ode");
    struct trajectory *t = oracle(&s);
    double c = 0.5, h = 3, span = 2 + c * c - c;
    /* y = h - 5 (t - c)^2, so dy/dc = 10 (t - c) at fixed t; at the start -v = 0 */
    for (int k = 0; k < t->samples; k++) {
        double q_c = column_at(t, &t->sample[k], GROUP_Q, 0, 0);
        double v_c = column_at(t, &t->sample[k], GROUP_V, 0, 0);
        cr_expect_float_eq(q_c, 10 * (t->sample[k].t - c), 1e-12, "at %g",
                           t->sample[k].t);
        cr_expect_float_eq(v_c, 10, 1e-12);
    }
    double y = h - 5 * span * span, y_c = -10 * span * (2 * c - 1);
    cr_expect_float_eq(t->psi[0], h * span - 5 * span * span * span / 3 + y * y, 1e-12);
    cr_expect_float_eq(t->psi[1], y * (2 * c - 1) + 2 * y * y_c, 1e-11);
    cr_expect_float_eq(t->psi[2], span + 2 * y, 1e-12);
    trajectory_free(t);
    solving_end(&s);
}

Test(complex_step, a_guard_that_fired_is_found_again_in_either_direction)
{
    static const struct case_desc desc = {.name = "both-ways",
                                          .record = record_both_ways};
    struct solving s;
    solving_of_desc(&s, &desc, "ode");
    struct trajectory *t = oracle(&s);
    cr_assert_eq(t->events, 6);
    for (int k = 0; k < t->events; k++) {
        double expected = (k + 0.5) * M_PI / 2;
        cr_expect_float_eq(t->event[k].before.t, expected, 1e-13 * expected);
        cr_expect_float_eq(t->event[k].tau[0], -expected / 2, 1e-12 * expected);
        cr_expect_float_eq(fabs(t->event[k].rate), 2, 1e-6);
    }
    trajectory_free(t);
    solving_end(&s);
}

/* An electron between plates: times of 1e-13 s, a field of 1e9 V/m, a mass of 1e-30 kg */
static void record_electron(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(q, me, E, d);
    NOMINAL(q, 1.602176634e-19, "C", "charge");
    NOMINAL(me, 9.1093837015e-31, "kg", "mass");
    NOMINAL(E, 1e9, "V/m", "field");
    NOMINAL(d, 1e-6, "m", "distance");
    struct mode *go = model_mode(model, "go");
    model->M[0][0] = EQ(me);
    model->F[0] = EQ(q*E);
    struct event *hit = model_event(model, "hit", go, go, EQ(x - d), RISING);
    hit->v_plus[0] = EQ(-vx/2);
    model->t_end = EQ(1.6e-13);
}

/* v = sqrt(2 a d), a = q E/me, at the plate; dv+/dE - a dt_e/dE = v/(4 E) after it. */
Test(complex_step, knows_derivatives_of_tiny_times_and_parameters)
{
    struct solving s;
    solving_of_record(&s, "electron", record_electron, "ode");
    struct trajectory *t = oracle(&s);
    double a = s.value[0] * s.value[2] / s.value[1], v = sqrt(2 * a * s.value[3]);
    cr_assert_eq(t->events, 1);
    cr_expect_float_eq(t->event[0].tau[2] * s.value[2] * a / v, -0.5, 1e-13);
    cr_expect_float_eq(column_at(t, &t->event[0].after, GROUP_V, 0, 2) / (v / 4e9), 1,
                       1e-13);
    trajectory_free(t);
    solving_end(&s);
}

Test(complex_step, without_parameters_values_are_the_same)
{
    struct solving s;
    char where[128];
    solving_of_case(&s, "slack-rope", "index1");
    struct trajectory *with = oracle(&s);
    s.request.parameters = 0;
    struct trajectory *without = oracle(&s);
    struct results *got = results_of_trajectory(with);
    struct results *want = results_of_trajectory(without);
    cr_assert_eq(without->columns.p, 0);
    cr_expect_geq(least_digits(got, want, where, sizeof where), 12, "%s", where);
    results_free(got);
    results_free(want);
    trajectory_free(with);
    trajectory_free(without);
    solving_end(&s);
}

/* --- formulations of every kind ----------------------------------------------------- */

/* Least digits between the complex step of two formulations that follow one motion. */
static double digits_of_formulations(const char *name, const char *formulation,
                                     const char *other, const char *integrator)
{
    struct solving s, truth;
    char where[128];
    solving_of_case(&truth, name, other);
    struct trajectory *want = oracle(&truth);
    solving_of_case(&s, name, formulation);
    s.request.integrator = integrator_find(integrator);
    cr_assert_not_null(s.request.integrator);
    struct trajectory *got = oracle(&s);
    struct results *a = results_of_trajectory(got), *b = results_of_trajectory(want);
    b->digits = -log10(truth.request.rtol);     /* zero is zero to the tolerance */
    double digits = least_digits(a, b, where, sizeof where);
    cr_log_info("%s, %s: %.1f digits (%s)", name, formulation, digits, where);
    results_free(a);
    results_free(b);
    trajectory_free(got);
    trajectory_free(want);
    solving_end(&s);
    solving_end(&truth);
    return digits;
}

Test(complex_step, a_dae_is_judged_by_its_reduced_equations_and_an_explicit_method)
{
    static const char *const name[] = {"index3", "ggl", "implicit", "ode"};
    for (int k = 0; k < 4; k++)
        cr_expect_eq(digits_of_formulations("pendulum-wall", name[k], "index1", "radau"),
                     17, "%s", name[k]);
}

/* The bar is that of any run against complex step at this tolerance: multipliers of two
   integrations. */
Test(complex_step, the_iteration_of_augmented_is_differentiated_to_its_end)
{
    static const char *const name[] = {"pendulum-wall", "five-bar"};
    for (int k = 0; k < 2; k++)
        cr_expect_geq(digits_of_formulations(name[k], "augmented", "index1", "dop853"),
                      10.5, "%s", name[k]);
}

Test(complex_step, an_iteration_that_does_not_contract_is_refused)
{
    struct solving s;
    solving_of_case(&s, "pendulum-wall", "augmented");
    s.option[0] = "1e-3";
    struct trajectory *t = NULL;
    cr_expect_eq(complex_step_run(&s.request, &t, &s.diagnosis), NO_CONVERGENCE);
    solving_end(&s);
}

/* --- refusals ----------------------------------------------------------------------- */

static void expect_refusal(struct solving *s, enum status expected)
{
    struct trajectory *t = NULL;
    enum status status = complex_step_run(&s->request, &t, &s->diagnosis);
    cr_expect_eq(status, expected, "expected %s, got %s: %s", status_text(expected),
                 status_text(status), s->diagnosis.place);
    cr_expect_null(t);
    cr_expect_neq(s->diagnosis.place[0], '\0');
}

Test(complex_step, what_has_no_answer_is_refused_by_name)
{
    static const struct case_desc twins = {.name = "twins", .record = record_twins};
    struct solving s;
    solving_of_case(&s, "bouncing-ball", "ode");
    s.request.t_end = 40;       /* past the Zeno time 28.7 */
    expect_refusal(&s, ZENO);
    s.request.t_end = 15;
    s.value[model_parameter_index(s.model, "e")] = -0.5;    /* keeps falling */
    expect_refusal(&s, SLIDING);
    s.value[model_parameter_index(s.model, "e")] = 0.8;
    s.request.max_steps = 5;
    expect_refusal(&s, TOO_MANY_STEPS);
    solving_end(&s);
    solving_of_desc(&s, &twins, "ode");
    expect_refusal(&s, SIMULTANEOUS);
    solving_end(&s);
}

/* --- guards that are narrow, or small ----------------------------------------------- */

/* The steps of a free particle are as long as samples allow; its guard is negative for
   5 ms of 10 s. */
static void record_narrow(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(c, h, v, t1);
    TIME(t);
    NOMINAL(c, 1000000, "1/s^2", "narrowness");
    NOMINAL(h, 1, "m", "height");
    NOMINAL(v, 0.01, "m/s", "speed");
    NOMINAL(t1, 3, "s", "time");
    struct mode *fly = model_mode(model, "fly");
    model->M[0][0] = EQ(1);
    struct mode *up = model_mode(model, "up");
    model->M[0][0] = EQ(1);
    model_event(model, "hit", fly, up, EQ(x - h/(1 + c*(t - t1)*(t - t1))),
                FALLING)->v_plus[0] = EQ(vx + 1);
    model->q0[0] = EQ(0.1);
    model->v0[0] = EQ(v);
    model->t_end = EQ(10);
}

/* A state of 1e-9 beside one of 1e6; parts of its derivative by d are of order one and
   cancel. */
static void record_small(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(g, d, v);
    AUXILIARY(s, S);
    NOMINAL(g, 2, "1/s", "rate");
    NOMINAL(d, 0.000000001, "1", "size of the small state");
    NOMINAL(v, 1000000, "1/s", "size of the large one");
    struct mode *one = model_mode(model, "one");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g*x);
    model->f_s[0] = EQ(-d*g - s/3);
    model->f_s[1] = EQ(v*x + 0*s);
    struct event *event = model_event(model, "p", one, one, EQ(s), FALLING);
    event->s_plus[0] = EQ(s + d);
    event->v_plus[0] = EQ(vx/2);
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(0*g);
    model->s0[0] = EQ(d/2);
    model->s0[1] = EQ(v);
    model->t_end = EQ(3);
}

/* The reference has `events`, and complex step has its numbers. */
static void expect_true(const char *name, void (*record)(struct model *), int events)
{
    struct solving s;
    struct trajectory *got;
    struct mp_trajectory *truth;
    char where[120];
    const char *value[TEST_PARAMETERS] = {NULL};
    solving_of_record(&s, name, record, "ode");
    s.request.samples = 0;
    enum status status = complex_step_run(&s.request, &got, &s.diagnosis);
    cr_assert_eq(status, OK, "%s: %s: %s", name, status_text(status), s.diagnosis.place);
    struct reference_request request = {
        .model = s.model, .truth = {.variant = "exact"}, .digits = 30,
        .parameters = s.request.parameters, .parameter = s.parameter, .value = value};
    cr_assert_eq(reference_run(&request, &truth, &s.diagnosis), OK);
    cr_expect_eq(truth->events, events, "%s: %d events", name, truth->events);
    cr_assert_eq(got->events, truth->events, "%s: %d events", name, got->events);
    struct results *numbers = results_of_trajectory(got);
    struct results *want = results_of_reference(truth);
    double least = least_digits(numbers, want, where, sizeof where);
    cr_expect_gt(least, 10, "%s: %.1f digits of %s", name, least, where);
    results_free(numbers);
    results_free(want);
    mp_trajectory_free(truth);
    trajectory_free(got);
    solving_end(&s);
}

Test(complex_step, sees_a_guard_that_is_narrow_beside_a_step)
{
    expect_true("narrow", record_narrow, 1);
}

Test(complex_step, finds_the_time_of_a_guard_whose_derivative_cancels)
{
    expect_true("small", record_small, 6);
}
