/*
 * test_auxiliary.c - auxiliary states in implicit integrators: quadratures in a mode
 * where nothing depends on them, part of y where something does.
 */
#include "solving.h"

#include "case.h"

/* A pendulum in a liquid that takes up what its drag makes of the energy; from t = 1 on
   the drag depends on that. `loss` is the same integral as a cost. */
static void record_liquid(struct model *model)
{
    COORDINATES(x, y);
    AUXILIARY(heat);
    PARAMETERS(c, l);
    COSTS(loss);
    TIME(t);
    NOMINAL(c, 0.3, "N s/m", "drag");
    NOMINAL(l, 1, "m", "length");
    for (int k = 0; k < 2; k++) {
        struct mode *mode = model_mode(model, k == 0 ? "cold" : "warm");
        formula drag = k == 0 ? EQ(c) : EQ(c/(1 + heat*heat));
        model->M[0][0] = model->M[1][1] = EQ(1);
        model->F[0] = negate(mul(drag, EQ(vx)));
        model->F[1] = sub(EQ(-9.81), mul(drag, EQ(vy)));
        model->Phi[0] = EQ((x*x + y*y - l*l)/2);
        mode->f_s[0] = mul(drag, EQ(vx*vx + vy*vy));
        mode->g[0] = mode->f_s[0];
    }
    model_event(model, "warm-enough", model->mode[0], model->mode[1], EQ(t - 1), RISING);
    model->q0[0] = EQ(0.8*l);
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(2);
    (void)t;
}

static void begin(struct solving *s, const char *formulation)
{
    static const struct case_desc desc = {.name = "liquid", .record = record_liquid};
    solving_of_desc(s, &desc, formulation);
}

/* With index 2 and 3 accelerations and multipliers have less than order 5. */
Test(auxiliary, states_are_the_same_whether_they_feed_back_or_not)
{
    static const struct {
        const char *formulation;
        double digits;
    } row[] = {{"index1", 12}, {"implicit", 12}, {"ggl", 8}, {"index3", 5}};
    struct solving explicit, s;
    char name[128];
    begin(&explicit, "index1");
    struct trajectory *want = solve(&explicit);
    cr_assert_eq(want->events, 1);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        begin(&s, row[k].formulation);
        s.request.integrator = integrator_find("radau");
        s.request.rtol = 1e-11;
        s.request.atol = 1e-14;
        struct trajectory *got = solve(&s);
        double digits = digits_between(got, want, name, sizeof name);
        cr_expect_gt(digits, row[k].digits, "%s: %.2f digits of %s", row[k].formulation,
                     digits, name);
        trajectory_free(got);
        solving_end(&s);
    }
    trajectory_free(want);
    solving_end(&explicit);
}

/* Nothing depends on the state before t = 1: then it is the integral, to the last bit. */
Test(auxiliary, a_state_that_nothing_depends_on_is_a_cost)
{
    struct solving s;
    begin(&s, "index3");
    s.request.rtol = 1e-10;
    struct trajectory *got = solve(&s);
    const struct columns *columns = &got->columns;
    for (int k = 0; k < got->samples && got->sample[k].t < 1; k++)
        for (int j = -1; j < s.request.parameters; j++) {
            const double *x = got->sample[k].x;
            cr_expect_eq(x[column(columns, GROUP_S, 0, j)],
                         x[column(columns, GROUP_Z, 0, j)], "column %d at t = %g", j,
                         got->sample[k].t);
        }
    trajectory_free(got);
    solving_end(&s);
}

/* x' = 1 - a x until t = ts, then x waits: in that mode nothing is unknown. */
static void record_waiting(struct model *model)
{
    AUXILIARY(x);
    PARAMETERS(a, ts);
    TIME(t);
    NOMINAL(a, 1.5, "1/s", "rate");
    NOMINAL(ts, 0.7, "s", "end of growth");
    struct mode *grow = model_mode(model, "grow"), *wait = model_mode(model, "wait");
    grow->f_s[0] = EQ(1 - a*x);
    wait->f_s[0] = EQ(0);
    model_event(model, "stop", grow, wait, EQ(t - ts), RISING);
    model->s0[0] = EQ(0);
    model->t_end = EQ(2);
    (void)t;
}

Test(auxiliary, a_mode_without_unknowns_is_no_singular_one)
{
    static const char *const formulation[] = {"ode", "implicit"};
    for (int k = 0; k < 2; k++) {
        struct solving s;
        solving_of_record(&s, "waiting", record_waiting, formulation[k]);
        s.request.integrator = integrator_find("radau");
        struct trajectory *t = solve(&s);
        const double *end = t->sample[t->samples - 1].x;
        double x = (1 - exp(-1.5 * 0.7)) / 1.5, by_ts = exp(-1.5 * 0.7);
        cr_expect_float_eq(end[column(&t->columns, GROUP_S, 0, -1)], x, 1e-12);
        cr_expect_float_eq(end[column(&t->columns, GROUP_S, 0, 1)], by_ts, 1e-12);
        trajectory_free(t);
        solving_end(&s);
    }
}

/* The rate of the dampers is a difference of speeds a thousand times as large, and what
   they make of the energy, c rate^2, feels eps/h in it. */
Test(auxiliary, rounding_in_the_rate_of_a_state_does_not_keep_newton_from_ending)
{
    struct solving s;
    solving_of_case(&s, "flyball-governor", "index3");
    s.request.rtol = 1e-12;
    s.request.t_end = 1e-3;
    s.request.samples = 0;
    trajectory_free(solve(&s));
    solving_end(&s);
}
