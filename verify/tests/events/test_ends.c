/*
 * test_ends.c - events exactly at the start and at the end of a run, as the model says;
 * starts beyond a guard; guards that are odd powers; sequences of impacts that end.
 */
#include "three_cores.h"

#include "case.h"
#include "elements/point.h"
#include "simple_zero.h"

TestSuite(ends);

/* --- at the start, at the end ------------------------------------------------------- */

/* A ball with g = 8 from the height y0 with the speed v0, for the time T. */
static struct {
    const char *y0, *v0, *T;
    enum at_ends at_ends;
} ball;

static void record_ball(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g, e);
    NOMINAL(g, 8, "m/s^2", "gravity");
    NOMINAL(e, 0.5, "1", "restitution");
    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    model_event(model, "impact", flight, flight, EQ(y), FALLING)->v_plus[0] = EQ(-e*vy);
    model->q0[0] = constant(model->tape, ball.y0);
    model->v0[0] = constant(model->tape, ball.v0);
    model->t_end = constant(model->tape, ball.T);
    model->at_ends = ball.at_ends;
}

/* The ball in double and in MPFR: the number of events, y and v at the end. */
static void expect_ball(const char *y0, const char *v0, const char *T,
                        enum at_ends at_ends, int events, double y, double v)
{
    struct referring r;
    ball.y0 = y0;
    ball.v0 = v0;
    ball.T = T;
    ball.at_ends = at_ends;
    solving_of_record(&s, "ball", record_ball, "ode");
    struct trajectory *t = solve(&s);
    const double *end = t->sample[t->samples - 1].x;
    cr_expect_eq(t->events, events, "%s, %s: %d events", y0, v0, t->events);
    cr_expect_float_eq(end[column(&t->columns, GROUP_Q, 0, -1)], y, 1e-11);
    cr_expect_float_eq(end[column(&t->columns, GROUP_V, 0, -1)], v, 1e-11);
    referring_of_model(&r, s.model, 40);
    struct mp_trajectory *exact = refer(&r);
    cr_expect_eq(exact->events, events, "%s, %s: %d events in MPFR", y0, v0,
                 exact->events);
    trajectory_free(t);
    mp_trajectory_free(exact);
    solving_end(&s);
}

Test(ends, an_event_on_the_end_happens_or_is_left_out)
{
    expect_ball("4", "0", "1", AT_ENDS_HAPPEN, 1, 0, 4);
    expect_ball("4", "0", "1", AT_ENDS_SKIPPED, 0, 0, -8);
    expect_ball("1", "0", "1", AT_ENDS_HAPPEN, 2, 0, 1);
    expect_ball("1", "0", "1", AT_ENDS_SKIPPED, 1, 0, -2);
}

Test(ends, an_event_on_the_start_happens_or_is_left_out)
{
    expect_ball("0", "-4", "0.25", AT_ENDS_HAPPEN, 1, 0.25, 0);
    expect_ball("0", "-4", "0.25", AT_ENDS_SKIPPED, 0, -1.25, -6);
    /* it leaves the ground: nothing is there to happen */
    expect_ball("0", "4", "0.5", AT_ENDS_HAPPEN, 0, 1, 0);
    expect_ball("0", "4", "0.5", AT_ENDS_SKIPPED, 0, 1, 0);
}

Test(ends, what_is_not_said_is_refused_with_what_may_be_said)
{
    ball.y0 = "4";
    ball.v0 = "0";
    ball.T = "1";
    ball.at_ends = AT_ENDS_REFUSED;
    solving_of_record(&s, "ball", record_ball, "ode");
    refuse(&s, EVENT_AT_END);
    cr_expect_not_null(strstr(s.diagnosis.place, "at_ends: happen"), "%s",
                       s.diagnosis.place);
    solving_end(&s);
}

/* --- beyond a guard ----------------------------------------------------------------- */

/* A ball thrown down: it is beyond the zero of vy, and turns after the impact. */
static void record_apex(struct model *model)
{
    COORDINATES(y);
    AUXILIARY(top);
    PARAMETERS(g, v0, e);
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(v0, -3, "m/s", "speed at the start");
    NOMINAL(e, 0.8, "1", "restitution");
    struct mode *flight = unit_masses(model, "flight");
    model->F[0] = EQ(-g);
    model_event(model, "bounce", flight, flight, EQ(y), FALLING)->v_plus[0] = EQ(-e*vy);
    model_event(model, "apex", flight, flight, EQ(vy), FALLING)->s_plus[0] = EQ(y);
    model->q0[0] = EQ(1 + 0*g);
    model->v0[0] = EQ(v0);
    model->s0[0] = EQ(0*g);
    model->t_end = EQ(0.8);
    (void)top;
}

Test(ends, a_start_beyond_the_zero_of_a_velocity_is_a_start)
{
    struct trajectory *t = all_agree("apex", record_apex, 2);
    double v2 = 0.8 * 0.8 * (9 + 2 * 9.81);     /* squared speed after the impact */
    cr_expect_float_eq(t->event[1].after.x[column(&t->columns, GROUP_S, 0, -1)],
                       v2 / 2 / 9.81, 1e-11);
    end(t);
}

/* An oscillator whose place is watched both ways: it is beyond one of the two. */
static void record_both_ways(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(k, c);
    AUXILIARY(up, down);
    NOMINAL(k, 4, "N/m", "stiffness");
    NOMINAL(c, 0.25, "m", "a place");
    struct mode *one = unit_masses(model, "one"), *two = unit_masses(model, "two");
    one->F[0] = two->F[0] = EQ(-k*x);
    one->M[0][0] = two->M[0][0] = EQ(1);
    struct event *rises = model_event(model, "rises", one, one, EQ(x - c), RISING);
    rises->v_plus[0] = EQ(vx + 0.1);
    rises->s_plus[0] = EQ(up + 1);
    model_event(model, "falls", one, two, EQ(x - c), FALLING)->s_plus[1] = EQ(down + 1);
    model_event(model, "back", two, one, EQ(x + c), FALLING);
    model->start = one;
    model->q0[0] = EQ(1 + 0*k);
    model->t_end = EQ(2);
}

Test(ends, a_guard_that_is_watched_both_ways_has_no_wrong_side)
{
    struct trajectory *t = all_agree("both ways", record_both_ways, 2);
    cr_expect_float_eq(t->event[0].before.t, acos(0.25) / 2, 1e-12);
    end(t);
}

/* A ball beside a table, under its height. */
static void record_beside(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(g, edge);
    NOMINAL(g, 10, "m/s^2", "gravity");
    NOMINAL(edge, 1, "m", "end of the table");
    struct mode *fall = unit_masses(model, "fall");
    model->F[1] = EQ(-g);
    struct event *hit = model_event(model, "hit", fall, fall, EQ(y), FALLING);
    hit->v_plus[1] = EQ(-vy);
    event_require(hit, EQ(edge - x));
    model->q0[0] = EQ(2 + 0*g);
    model->q0[1] = EQ(0*g - 1);
    model->t_end = EQ(1);
}

Test(ends, a_start_where_conditions_let_the_motion_pass_is_a_start)
{
    end(all_agree("beside", record_beside, 0));
}

static void record_under(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g);
    NOMINAL(g, 10, "m/s^2", "gravity");
    struct mode *fall = unit_masses(model, "fall");
    model->F[0] = EQ(-g);
    model_event(model, "hit", fall, fall, EQ(y), FALLING)->v_plus[0] = EQ(-vy);
    model->q0[0] = EQ(0*g - 1);
    model->t_end = EQ(1);
}

Test(ends, a_start_under_the_floor_is_still_none)
{
    solvers_refuse(0, "under", record_under, GUARD_VIOLATED);
    solving_end(&s);
}

/* --- odd powers --------------------------------------------------------------------- */

static int power_of_guard;

static void record_power(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g, h, e);
    TIME(t);
    NOMINAL(g, 9.8, "m/s^2", "gravity");
    NOMINAL(h, 5, "m", "height");
    NOMINAL(e, 0.8, "1", "restitution");
    struct mode *flight = unit_masses(model, "flight");
    model->F[0] = EQ(-g);
    struct event *hit = model_event(model, "hit", flight, flight, EQ(y), FALLING);
    if (power_of_guard == 3)
        hit->guard = EQ(y*y*y);
    if (power_of_guard == 5)
        hit->guard = EQ(pow(y, 5)*(1 + g*t)/2.0);
    hit->v_plus[0] = EQ(-e*vy);
    model->q0[0] = EQ(h);
    model->t_end = EQ(2);
    (void)t;
}

Test(ends, a_guard_that_is_an_odd_power_is_crossed_where_its_base_is)
{
    for (power_of_guard = 1; power_of_guard <= 5; power_of_guard += 2) {
        struct trajectory *t = all_agree("power", record_power, 1);
        double t_e = sqrt(2 * 5 / 9.8);
        cr_expect_float_eq(t->event[0].before.t, t_e, 1e-12);
        cr_expect_float_eq(t->event[0].tau[1], t_e / 10, 1e-12);    /* by h */
        end(t);
    }
}

Test(ends, a_simple_zero_has_the_sign_of_the_power)
{
    struct tape *tape = tape_new();
    formula x = variable(tape, BLOCK_Q, 0), y = variable(tape, BLOCK_Q, 1);
    formula p = sub(x, y), two = integer(tape, 2);
    const formula pair[][2] = {
        {power(p, 3), p},
        {mul(mul(p, p), p), p},
        {negate(power(p, 5)), negate(p)},
        {mul(power(negate(p), 3), y), negate(mul(p, y))},
        {quotient(power(power(p, 3), 3), two), quotient(p, two)},
        {mul(power(p, 2), power(p, 3)), p},
        {mul(power(p, 2), power(y, 3)), mul(power(p, 2), y)}};
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++)
        cr_expect(same_formula(simple_zero(pair[k][0]), pair[k][1]), "%zu", k);
    const formula same[] = {p, power(p, 2), mul(p, y), mul(p, p), apply(OP_SIN, p),
                            quotient(two, power(p, 3)), integer(tape, 3)};
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        cr_expect(same_formula(simple_zero(same[k]), same[k]), "%zu", k);
    tape_free(tape);
}

/* A triple zero that is no power: y^3 + y^5. */
static void record_flat(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(h);
    NOMINAL(h, 1, "m", "height");
    struct mode *flight = unit_masses(model, "flight");
    model_event(model, "hit", flight, flight, EQ(y*y*y + y*y*y*y*y), FALLING)->v_plus[0] =
        EQ(-vy);
    model->q0[0] = EQ(h);
    model->v0[0] = EQ(0*h - 1);
    model->t_end = EQ(2);
}

Test(ends, a_guard_crossed_with_rate_zero_is_not_called_touched)
{
    solving_of_record(&s, "flat", record_flat, "ode");
    s.request.integrator = integrator_find("rk87");
    refuse(&s, GRAZING);
    cr_expect_not_null(strstr(s.diagnosis.place, "zero with rate zero"), "%s",
                       s.diagnosis.place);
    struct referring r;
    referring_of_model(&r, s.model, 40);
    refer_refused(&r, GRAZING, "crosses zero with rate zero");
    solving_end(&s);
}

/* A guard like a spike a millionth wide, whose denominator comes near zero. */
static void record_spike(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(w, v);
    AUXILIARY(n);
    NOMINAL(w, 1e-6, "m", "width");
    NOMINAL(v, 1, "m/s", "speed");
    struct mode *flight = unit_masses(model, "flight");
    model_event(model, "spike", flight, flight,
                EQ(w*w/(w*w + (x - 3)*(x - 3)) - 0.5), RISING)->s_plus[0] = EQ(n + 1);
    model->v0[0] = EQ(v);
    model->q0[0] = EQ(0*v);
    model->s0[0] = EQ(0*v);
    model->t_end = EQ(5);
}

Test(ends, a_denominator_that_comes_near_zero_is_no_pole)
{
    solving_of_record(&s, "spike", record_spike, "ode");
    struct trajectory *t = solve(&s);
    cr_assert_eq(t->events, 1);
    cr_expect_float_eq(t->event[0].before.t, 3 - 1e-6, 1e-11);
    end(t);
}

/* A spring whose length is the number 0, from its own end. */
static void record_no_length(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(k, m);
    NOMINAL(k, 30, "N/m", "stiffness");
    NOMINAL(m, 2, "kg", "mass");
    (void)k, (void)m;
    formula none = integer(model->tape, 0);
    struct point P = point_at(EQ(x), EQ(y), none), O = point_at(none, none, none);
    mass_point(model, EQ(m), NULL, &P);
    spring(model, EQ(k), none, &P, &O);
    model->q0[0] = model->q0[1] = EQ(0*k);
    model->v0[0] = EQ(0*k + 1);
    model->v0[1] = EQ(0*k);
    model->t_end = EQ(2);
}

Test(ends, a_spring_without_length_is_smooth_where_its_ends_meet)
{
    struct trajectory *t = all_agree("no length", record_no_length, 0);
    double w = sqrt(15);
    cr_expect_float_eq(t->sample[t->samples - 1].x[0], sin(2 * w) / w, 1e-12);
    end(t);
}

/* --- impacts that end --------------------------------------------------------------- */

static bool falls_through;

/* Impacts whose intervals halve, and that end after 30: the ball goes on below, in the
   same mode or in another. */
static void record_counted(struct model *model)
{
    COORDINATES(y);
    AUXILIARY(n);
    PARAMETERS(g, h, e);
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(h, 1, "m", "height");
    NOMINAL(e, 0.5, "1", "restitution");
    struct mode *bounces = unit_masses(model, "bounces");
    model->F[0] = EQ(-g);
    struct event *hit = model_event(model, "hit", bounces, bounces, EQ(y), FALLING);
    hit->v_plus[0] = EQ(-e*vy);
    hit->s_plus[0] = EQ(n + 1);
    event_require(hit, EQ(29.5 - n));
    if (falls_through) {
        struct mode *falls = unit_masses(model, "falls");
        model->F[0] = EQ(-g);
        model_event(model, "through", bounces, falls, EQ(y), FALLING);
    }
    model->q0[0] = EQ(h);
    model->s0[0] = EQ(0*h);
    model->t_end = EQ(2);
}

Test(ends, impacts_that_are_counted_may_end)
{
    for (int k = 0; k < 2; k++) {
        falls_through = k == 1;
        solving_of_record(&s, "counted", record_counted, "ode");
        struct trajectory *t = solve(&s);
        cr_expect_eq(t->events, k == 0 ? 30 : 31, "%d", t->events);
        double fall = sqrt(2 / 9.81), over = 2 - fall - 2 * fall * (1 - pow(0.5, 29));
        double v = pow(0.5, 30) * 9.81 * fall, y = v * over - 9.81 * over * over / 2;
        cr_expect_float_eq(t->sample[t->samples - 1].x[0], y, 1e-9, "%.15g for %.15g",
                           t->sample[t->samples - 1].x[0], y);
        struct referring r;
        referring_of_model(&r, s.model, 40);
        struct mp_trajectory *exact = refer(&r);
        cr_expect_eq(exact->events, t->events, "%d in MPFR", exact->events);
        mp_trajectory_free(exact);
        trajectory_free(t);
        solving_end(&s);
    }
}
