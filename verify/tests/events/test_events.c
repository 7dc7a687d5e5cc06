/*
 * test_events.c - event semantics and refusals: what must be found, and what must
 * be named.
 */
#include "solving.h"

#include <stdlib.h>
#include <string.h>

#include "case.h"

static struct solving s;

static void begin(const struct case_desc *desc, const char *formulation)
{
    struct diagnosis diagnosis;
    struct model *model = model_new(desc, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    solving_of_model(&s, model, formulation);
}

/* A point that moves with speed `speed` and whatever the test adds. */
static void straight(struct model *model, double speed)
{
    COORDINATES(x);
    PARAMETERS(v0);
    NOMINAL(v0, 1, "m/s", "speed");
    model->M[0][0] = EQ(1);
    model->v0[0] = speed > 0 ? EQ(v0) : EQ(-v0);
    model->t_end = EQ(10);
}

/* --- events ------------------------------------------------------------------------- */

/* sin(40 t) changes sign 127 times while the steps of a straight motion are as long as
   the samples allow; every crossing is an event, counted by a latched state. */
static void record_counter(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0);
    AUXILIARY(count);
    NOMINAL(v0, 1, "m/s", "speed");
    model->M[0][0] = EQ(1);
    model->v0[0] = EQ(v0);
    model->q0[0] = EQ(0.01);
    model->t_end = EQ(10);
    struct event *event = model_event(model, "cross", model->pen, model->pen,
                                      EQ(sin(40*x)), EITHER);
    event->s_plus[0] = EQ(count + 1);
}

Test(events, no_crossing_is_missed_and_none_is_counted_twice)
{
    static const struct case_desc desc = {.name = "counter", .record = record_counter};
    begin(&desc, "ode");
    struct trajectory *t = solve(&s);
    int expected = (int)floor(40 * 10.01 / M_PI);
    cr_expect_eq(t->events, expected);
    const double *last = t->sample[t->samples - 1].x;
    cr_expect_float_eq(last[column(&t->columns, GROUP_S, 0, -1)], expected, 0);
    for (int k = 0; k < t->events; k++)
        cr_expect_float_eq(t->event[k].before.t, (k + 1) * M_PI / 40 - 0.01, 1e-13);
    trajectory_free(t);
    solving_end(&s);
}

/* Two modes with an identity event between them, then a chain: when the second guard is
   zero right after the first reset, it fires at the same instant. */
static void record_chain(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0, c);
    AUXILIARY(trace);
    NOMINAL(v0, 1, "m/s", "speed");
    NOMINAL(c, 1, "m", "place of the first guard");
    struct mode *one = model_mode(model, "one");
    model->M[0][0] = EQ(1);
    struct mode *two = model_mode(model, "two");
    model->M[0][0] = EQ(1);
    struct mode *three = model_mode(model, "three");
    model->M[0][0] = EQ(1);
    struct event *first = model_event(model, "first", one, two, EQ(x - c), RISING);
    first->q_plus[0] = EQ(c + 1);
    first->s_plus[0] = EQ(trace + 1);
    struct event *second = model_event(model, "second", two, three, EQ(x - c - 1),
                                       RISING);
    second->v_plus[0] = EQ(3*vx);
    second->s_plus[0] = EQ(10*trace);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(2);
}

Test(events, a_guard_that_is_met_by_a_reset_fires_at_the_same_instant)
{
    static const struct case_desc desc = {.name = "chain", .record = record_chain};
    begin(&desc, "ode");
    struct trajectory *t = solve(&s);
    cr_assert_eq(t->events, 2);
    cr_expect_float_eq(t->event[0].before.t, 1, 1e-14);
    cr_expect_eq(t->event[0].before.t, t->event[1].before.t);
    const double *x = t->sample[t->samples - 1].x;
    const struct columns *c = &t->columns;
    /* x(2) = c + 1 + 3 v0 (2 - c/v0) */
    cr_expect_float_eq(x[column(c, GROUP_Q, 0, -1)], 5, 1e-13);
    cr_expect_float_eq(x[column(c, GROUP_Q, 0, 0)], 6, 1e-12);
    cr_expect_float_eq(x[column(c, GROUP_Q, 0, 1)], -2, 1e-12);
    cr_expect_float_eq(x[column(c, GROUP_S, 0, -1)], 10, 0);
    trajectory_free(t);
    solving_end(&s);
}

/* psi = z + w at a moving end: x = c at t = c/v0, psi = int x dt + t x. */
static void record_terminal(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0, c);
    COSTS(psi);
    TIME(t);
    NOMINAL(v0, 2, "m/s", "speed");
    NOMINAL(c, 3, "m", "end");
    model->M[0][0] = EQ(1);
    model->g[0] = EQ(x);
    model->w[0] = EQ(t*x);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(10);
    model_event(model, "end", model->pen, model->pen, EQ(x - c), RISING)->terminal = true;
}

Test(events, a_terminal_event_ends_the_run_and_moves_the_end_with_the_parameters)
{
    static const struct case_desc desc = {.name = "terminal", .record = record_terminal};
    begin(&desc, "ode");
    s.request.samples = 0;
    struct trajectory *t = solve(&s);
    cr_assert_eq(t->events, 1);
    /* psi = c^2/(2 v0) + c^2/v0 = 1.5 c^2/v0 */
    cr_expect_float_eq(t->psi[0], 1.5 * 9 / 2, 1e-13);
    cr_expect_float_eq(t->psi[1], -1.5 * 9 / 4, 1e-12);
    cr_expect_float_eq(t->psi[2], 3.0 * 3 / 2, 1e-12);
    trajectory_free(t);
    solving_end(&s);
}

/* --- refusals ----------------------------------------------------------------------- */

static void record_massless(struct model *model)
{
    straight(model, 1);
    model->M[0][0] = (formula){NULL, 0};
}

Test(refusals, a_singular_mass_matrix_is_named)
{
    static const struct case_desc desc = {.name = "massless", .record = record_massless};
    begin(&desc, "ode");
    refuse(&s, NOT_SPD);
    solving_end(&s);
}

/* x'' = 2, x = (t - 1)^2 touches zero at t = 1 */
static void record_tangential(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(depth);
    NOMINAL(depth, 0, "m", "how far the parabola goes below zero");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(2);
    model->q0[0] = EQ(1 - depth);
    model->v0[0] = EQ(-2);
    model->t_end = EQ(3);
    model_event(model, "touch", model->pen, model->pen, EQ(x), FALLING)->v_plus[0] =
        EQ(-vx);
}

Test(refusals, a_tangential_hit_is_grazing)
{
    static const struct case_desc desc = {.name = "tangential",
                                          .record = record_tangential};
    begin(&desc, "ode");
    s.value[0] = 1e-20;
    refuse(&s, GRAZING);
    cr_expect_float_eq(s.diagnosis.t, 1, 1e-3);
    solving_end(&s);
}

Test(refusals, near_grazing_is_reported_with_its_condition)
{
    static const struct case_desc desc = {.name = "tangential",
                                          .record = record_tangential};
    begin(&desc, "ode");
    s.value[0] = 1e-8;      /* rate 2e-4 */
    struct trajectory *t = solve(&s);
    cr_assert_eq(t->events, 1);
    cr_expect_float_eq(t->event[0].rate, -2e-4, 1e-10);
    cr_expect_gt(t->event[0].condition, 100);
    trajectory_free(t);
    solving_end(&s);
}

static void record_never(struct model *model)
{
    straight(model, -1);
    model_event(model, "never", model->pen, model->pen, variable(model->tape, BLOCK_Q, 0),
                RISING);
    model->q0[0] = constant(model->tape, "-1");
}

Test(refusals, a_guard_that_never_fires_is_no_event)
{
    static const struct case_desc desc = {.name = "never", .record = record_never};
    begin(&desc, "ode");
    struct trajectory *t = solve(&s);
    cr_expect_eq(t->events, 0);
    trajectory_free(t);
    solving_end(&s);
}

static void record_violated(struct model *model)
{
    record_never(model);
    model->q0[0] = constant(model->tape, "1");
    model->event[0]->v_plus[0] = negate(variable(model->tape, BLOCK_V, 0));
}

Test(refusals, a_guard_on_its_far_side_at_the_start_is_named)
{
    static const struct case_desc desc = {.name = "violated", .record = record_violated};
    begin(&desc, "ode");
    refuse(&s, GUARD_VIOLATED);
    solving_end(&s);
}

static void record_at_start(struct model *model)
{
    record_never(model);
    model->q0[0] = (formula){NULL, 0};
}

Test(refusals, a_guard_that_is_zero_at_the_start_is_named)
{
    static const struct case_desc desc = {.name = "at-start", .record = record_at_start};
    begin(&desc, "ode");
    refuse(&s, EVENT_AT_END);
    solving_end(&s);
}

/* The reset does not turn the velocity: the ball goes through the floor at once. */
static void record_penetration(struct model *model)
{
    straight(model, -1);
    model->q0[0] = constant(model->tape, "1");
    struct event *floor = model_event(model, "floor", model->pen, model->pen,
                                      variable(model->tape, BLOCK_Q, 0), FALLING);
    floor->v_plus[0] = quotient(variable(model->tape, BLOCK_V, 0),
                                integer(model->tape, 2));
}

Test(refusals, penetration_right_after_a_reset_is_sliding)
{
    static const struct case_desc desc = {.name = "through",
                                          .record = record_penetration};
    begin(&desc, "ode");
    refuse(&s, SLIDING);
    cr_expect_float_eq(s.diagnosis.t, 1, 1e-12);
    solving_end(&s);
}

static void record_together(struct model *model)
{
    straight(model, 1);
    formula x = variable(model->tape, BLOCK_Q, 0);
    formula one = integer(model->tape, 1);
    struct event *a = model_event(model, "a", model->pen, model->pen, sub(x, one),
                                  RISING);
    a->v_plus[0] = integer(model->tape, 2);
    struct event *b = model_event(model, "b", model->pen, model->pen,
                                  sub(power(x, 2), one), RISING);
    b->v_plus[0] = integer(model->tape, 3);
}

Test(refusals, two_guards_at_one_time_are_simultaneous)
{
    static const struct case_desc desc = {.name = "together", .record = record_together};
    begin(&desc, "ode");
    refuse(&s, SIMULTANEOUS);
    solving_end(&s);
}

Test(refusals, a_bouncing_ball_past_its_zeno_time_is_named_with_that_time)
{
    solving_of_case(&s, "bouncing-ball", "ode");
    s.request.t_end = 40;
    s.request.samples = 0;
    refuse(&s, ZENO);
    double e = 0.8, fall = sqrt(100 / 9.8);
    cr_expect_float_eq(s.diagnosis.t, fall * (1 + 2 * e / (1 - e)), 1e-6);
    /* and extrapolated to where few events are allowed: 2.2 s before */
    s.request.max_events = 12;
    refuse(&s, ZENO);
    cr_expect_float_eq(s.diagnosis.t, fall * (1 + 2 * e / (1 - e)), 1e-6);
    solving_end(&s);
}

Test(refusals, a_start_that_cannot_be_assembled_is_unreachable)
{
    solving_of_case(&s, "five-bar", "index1");
    s.value[model_parameter_index(s.model, "L_A1")] = 0.1;
    refuse(&s, UNREACHABLE);
    solving_end(&s);
}

static void record_contradiction(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(l);
    NOMINAL(l, 1, "m", "length");
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->Phi[0] = EQ(x*x + y*y - l*l);
    model->q0[0] = EQ(l);
    model->q0[1] = EQ(0.1);
    model->v0[0] = EQ(0);
    model->v0[1] = EQ(0);
    model->t_end = EQ(1);
}

Test(refusals, a_start_that_contradicts_the_constraints_is_inconsistent)
{
    static const struct case_desc desc = {.name = "no", .record = record_contradiction};
    begin(&desc, "index1");
    refuse(&s, INCONSISTENT);
    solving_end(&s);
}

Test(refusals, an_end_before_the_start_is_bad_input)
{
    solving_of_case(&s, "five-bar", "index1");
    s.request.t_end = -1;
    refuse(&s, BAD_INPUT);
    solving_end(&s);
}

Test(refusals, a_penalty_that_is_not_positive_is_named)
{
    solving_of_case(&s, "five-bar", "penalty");
    s.option[0] = "-1e5";
    refuse(&s, NOT_SPD);
    s.option[0] = "1e5,1e5";
    refuse(&s, BAD_INPUT);
    s.option[0] = "abc";
    refuse(&s, BAD_INPUT);
    solving_end(&s);
}

static void record_malformed(struct model *model)
{
    straight(model, 1);
    model->F[0] = model_read(model, "1/2*x +", __FILE__, __LINE__);
}

Test(refusals, a_malformed_formula_is_named_with_file_and_column)
{
    static const struct case_desc desc = {.name = "bad", .record = record_malformed};
    struct diagnosis diagnosis;
    cr_expect_null(model_new(&desc, &diagnosis));
    cr_expect_eq(diagnosis.status, BAD_INPUT);
    cr_expect_not_null(strstr(diagnosis.place, "test_events.c:"));
    cr_expect_not_null(strstr(diagnosis.place, "column"));
}

/* log(1 - x) leaves its domain at x = 1. */
static void record_domain(struct model *model)
{
    straight(model, 1);
    formula x = variable(model->tape, BLOCK_Q, 0);
    model->F[0] = apply(OP_LOG, sub(integer(model->tape, 1), x));
    model->v0[0] = integer(model->tape, 5);
}

Test(refusals, a_formula_outside_its_domain_is_named)
{
    static const struct case_desc desc = {.name = "domain", .record = record_domain};
    begin(&desc, "ode");
    refuse(&s, DOMAIN_EDGE);
    cr_expect_not_null(strstr(s.diagnosis.place, "log"));
    solving_end(&s);
}
