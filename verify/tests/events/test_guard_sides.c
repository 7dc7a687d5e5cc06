/*
 * test_guard_sides.c - what counts as zero where an arc begins: each component has the
 * accuracy of its own size, whatever else shares its group.
 */
#include "solving.h"

#include <string.h>

#include "case.h"

static struct solving s;
static double beside;       /* where the other coordinate starts */
static double speed;        /* and how fast it is */

/* A mode in which all masses are one. */
static struct mode *unit_masses(struct model *model, const char *name)
{
    struct mode *mode = model_mode(model, name);
    for (int i = 0; i < model->n; i++)
        model->M[i][i] = integer(model->tape, 1);
    return mode;
}

static formula number(struct model *model, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    return constant(model->tape, text);
}

/* A ball is let go at a millimetre, beside something with which it has nothing to do. */
static void record_small_ball(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(g, e);
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(e, 0.9, "1", "restitution");
    struct mode *fly = unit_masses(model, "fly");
    model->F[0] = EQ(-x);
    model->F[1] = EQ(-g);
    model->q0[0] = number(model, beside);
    model->q0[1] = EQ(0.001);
    model->v0[0] = number(model, speed);
    model->v0[1] = EQ(0);
    model->t_end = EQ(0.1);
    model_event(model, "ground", fly, fly, EQ(y), FALLING)->v_plus[1] = EQ(-e*vy);
}

static void expect_bounces(double place, double rate, double rtol)
{
    beside = place;
    speed = rate;
    solving_of_record(&s, "small-ball", record_small_ball, "ode");
    s.request.rtol = rtol;
    s.request.atol = 1e-3 * rtol;
    struct trajectory *t = solve(&s);
    /* Falls for sqrt(2 h/g), then flies for 2 e^k sqrt(2 h/g). */
    double fall = sqrt(2 * 0.001 / 9.81), at = fall, flight = 2 * fall;
    for (int k = 0; k < t->events; k++) {
        cr_expect_float_eq(t->event[k].before.t, at, 1e-11, "event %d", k);
        flight *= 0.9;
        at += flight;
    }
    cr_expect_gt(at, 0.1);
    cr_expect_gt(t->events, 3);
    trajectory_free(t);
    solving_end(&s);
}

Test(onset, a_small_ball_bounces_beside_what_is_fast)
{
    expect_bounces(0, 3000, 1e-6);
    expect_bounces(0, 3e6, 1e-9);
}

Test(onset, a_small_ball_bounces_beside_what_is_far_away)
{
    expect_bounces(3000, 0, 1e-6);
    expect_bounces(1e6, 0, 1e-9);
}

/* A rotor that has turned by 1e5 radians, beside a contact. */
static void record_rotor(struct model *model)
{
    COORDINATES(th, y);
    PARAMETERS(g, w);
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(w, 1000, "1/s", "speed of the rotor");
    struct mode *fly = unit_masses(model, "fly");
    model->F[1] = EQ(-g);
    model->q0[0] = EQ(100000);
    model->q0[1] = EQ(0.01);
    model->v0[0] = EQ(w);
    model->v0[1] = EQ(0);
    model->t_end = EQ(0.2);
    model_event(model, "ground", fly, fly, EQ(y), FALLING)->v_plus[1] = EQ(-0.8*vy);
}

Test(onset, a_rotor_beside_a_contact_does_not_blur_it)
{
    solving_of_record(&s, "rotor", record_rotor, "ode");
    s.request.rtol = 1e-6;
    s.request.atol = 1e-9;
    struct trajectory *t = solve(&s);
    cr_expect_eq(t->events, 3);
    trajectory_free(t);
    solving_end(&s);
}

/* Two clocks of a slow kind strike together, and what they do to y, a micrometre, depends
   on the order; x is three kilometres. */
static void record_small_order(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(a, b);
    AUXILIARY(k);
    NOMINAL(a, 3001, "m", "place of the first guard");
    NOMINAL(b, 3001, "m", "the same of the second");
    struct mode *motion = unit_masses(model, "motion");
    model->q0[0] = EQ(3000);
    model->q0[1] = EQ(1e-6);
    model->v0[0] = EQ(1);
    model->v0[1] = EQ(0);
    model->t_end = EQ(2);
    model_event(model, "one", motion, motion, EQ(x - a), EITHER)->q_plus[1] = EQ(2*y);
    model_event(model, "two", motion, motion, EQ(2*x - 2*b), EITHER)->q_plus[1] =
        EQ(y + 1e-6);
}

Test(onset, orders_that_differ_in_a_small_coordinate_do_not_agree)
{
    solving_of_record(&s, "small-order", record_small_order, "ode");
    s.request.rtol = 1e-6;
    s.request.atol = 1e-12;
    refuse(&s, SIMULTANEOUS);
    cr_expect_not_null(strstr(s.diagnosis.place, "q.y"), "%s", s.diagnosis.place);
    solving_end(&s);
}

/* --- loose tolerances --------------------------------------------------------------- */

static double short_of;

/* An event leaves y so far above a floor, from which it then goes away. */
static void record_above(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(c, v0);
    NOMINAL(c, 0.5, "m", "place of the event");
    NOMINAL(v0, 1, "m/s", "speed");
    struct mode *motion = unit_masses(model, "motion"), *after = unit_masses(model, "up");
    model->q0[1] = EQ(1);
    model->v0[0] = EQ(v0);
    model->v0[1] = EQ(0.5*v0);
    model->t_end = EQ(2);
    model_event(model, "lift", motion, after, EQ(x - c), RISING)->q_plus[1] =
        add(EQ(2*c), number(model, short_of));
    model_event(model, "floor", after, motion, EQ(y - 1), FALLING);
}

Test(onset, a_tenth_is_not_zero_at_a_loose_tolerance)
{
    short_of = 0.1;
    solving_of_record(&s, "above", record_above, "ode");
    s.request.rtol = 1e-4;
    s.request.atol = 1e-7;
    struct trajectory *t = solve(&s);
    cr_expect_eq(t->events, 1);
    trajectory_free(t);
    solving_end(&s);
}

/* What an error of the run may make of zero is not known, and so not simultaneous. */
Test(onset, what_cannot_be_told_from_zero_is_no_coincidence)
{
    short_of = 0.001;
    solving_of_record(&s, "above", record_above, "ode");
    s.request.rtol = 1e-4;
    s.request.atol = 1e-7;
    refuse(&s, PRECISION);
    s.request.rtol = 1e-10;
    struct trajectory *t = solve(&s);
    trajectory_free(t);
    solving_end(&s);
    short_of = 0;
    solving_of_record(&s, "above", record_above, "ode");
    s.request.rtol = 1e-4;
    s.request.atol = 1e-7;
    refuse(&s, SIMULTANEOUS);       /* 2 c = 1 for this c only */
    solving_end(&s);
}
