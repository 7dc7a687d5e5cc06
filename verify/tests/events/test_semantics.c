/*
 * test_semantics.c - what decides the sequence of events: which crossing is the first,
 * what fires at once after a reset, and whether it does so for neighbouring parameters
 * too. A sequence that is not certain is refused; a number must not depend on luck.
 */
#include "solving.h"

#include <string.h>

#include "case.h"

static struct solving s;

static void expect_refusal(const char *name, void (*record)(struct model *),
                           const char *formulation, enum status expected)
{
    solving_of_record(&s, name, record, formulation);
    refuse(&s, expected);
    solving_end(&s);
}

/* A mode in which a point of mass one moves freely. */
static struct mode *free_motion(struct model *model, const char *name)
{
    struct mode *mode = model_mode(model, name);
    for (int i = 0; i < model->n; i++)
        model->M[i][i] = integer(model->tape, 1);
    return mode;
}

/* --- guards along a step ------------------------------------------------------------ */

/* Nothing happens for nine seconds, so the steps are long; then the waves are high
   enough. */
static void record_waves(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0);
    AUXILIARY(count);
    TIME(t);
    NOMINAL(v0, 1, "m/s", "speed");
    struct mode *motion = free_motion(model, "motion");
    model->v0[0] = EQ(v0);
    model->t_end = EQ(10);
    struct event *event = model_event(model, "wave", motion, motion,
                                      EQ(t*sin(200*x) - 9), EITHER);
    event->s_plus[0] = EQ(count + 1);
    (void)t;
}

Test(scan, waves_much_shorter_than_the_steps_are_followed)
{
    int expected = 0;
    solving_of_record(&s, "waves", record_waves, "ode");
    s.request.samples = 0;
    struct trajectory *trajectory = solve(&s);
    for (int k = 0; k < 10000000; k++) {
        double t = k * 1e-6, next = t + 1e-6;
        expected += (t * sin(200 * t) > 9) != (next * sin(200 * next) > 9);
    }
    cr_assert_eq(trajectory->events, expected, "%d events, not %d", trajectory->events,
                 expected);
    for (int k = 0; k < trajectory->events; k++) {
        double t = trajectory->event[k].before.t;
        cr_expect_float_eq(t * sin(200 * t), 9, 1e-10);
        cr_expect_float_eq(trajectory->event[k].tau[0],
                           -200 * t * t * cos(200 * t) / trajectory->event[k].rate, 1e-8);
    }
    trajectory_free(trajectory);
    solving_end(&s);
}

static void record_noise(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0);
    NOMINAL(v0, 1, "m/s", "speed");
    struct mode *motion = free_motion(model, "motion");
    model->v0[0] = EQ(v0);
    model->t_end = EQ(10);
    model_event(model, "noise", motion, motion, EQ(sin(10000000*x) + 1.5), EITHER);
}

Test(scan, a_guard_too_fast_to_be_followed_is_refused)
{
    expect_refusal("noise", record_noise, "ode", NO_CONVERGENCE);
}

/* sqrt(3 - x) ends at x = 3, and long steps go there; the event is before, at x =
   2.99. */
static void record_edge(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0);
    NOMINAL(v0, 1, "m/s", "speed");
    struct mode *before = free_motion(model, "before"),
                *after = free_motion(model, "after");
    model->v0[0] = EQ(v0);
    model->t_end = EQ(10);
    model_event(model, "edge", before, after, EQ(sqrt(3 - x) - 0.1), FALLING);
}

Test(scan, an_event_before_the_end_of_the_domain_of_its_guard_is_found)
{
    solving_of_record(&s, "edge", record_edge, "ode");
    s.request.samples = 0;
    struct trajectory *trajectory = solve(&s);
    cr_assert_eq(trajectory->events, 1);
    cr_expect_float_eq(trajectory->event[0].before.t, 2.99, 1e-13);
    trajectory_free(trajectory);
    solving_end(&s);
}

/* The second guard is touched at t = 2, in a mode that is left at t = 1. */
static void record_touched_later(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0);
    NOMINAL(v0, 1, "m/s", "speed");
    struct mode *before = free_motion(model, "before"),
                *after = free_motion(model, "after");
    model->v0[0] = EQ(v0);
    model->t_end = EQ(10);
    model_event(model, "touched", before, after, EQ((x - 2)*(x - 2)), EITHER);
    model_event(model, "crossed", before, after, EQ(x - 1), RISING);
}

Test(scan, what_is_touched_after_the_first_event_does_not_matter)
{
    solving_of_record(&s, "later", record_touched_later, "ode");
    s.request.samples = 0;
    struct trajectory *trajectory = solve(&s);
    cr_expect_eq(trajectory->events, 1);
    trajectory_free(trajectory);
    solving_end(&s);
}

/* Two events, the one declared first happens 1e-9 later: nearer together than an
   interpolant at rtol = 1e-4 can tell. */
static void record_close(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0);
    AUXILIARY(who);
    NOMINAL(v0, 2, "m/s", "speed");
    struct mode *mode[3];
    for (int k = 0; k < 3; k++) {
        mode[k] = free_motion(model, k == 0 ? "start" : k == 1 ? "late" : "early");
        model->F[0] = EQ(-sin(3*x) - vx*vx*vx);
    }
    model->v0[0] = EQ(v0);
    model->t_end = EQ(2);
    model_event(model, "late", mode[0], mode[1], EQ(x - 0.400000001), RISING)->s_plus[0] =
        EQ(1);
    model_event(model, "early", mode[0], mode[2],
                EQ(sin(x) - sin(0.4)), RISING)->s_plus[0] = EQ(2);
}

Test(scan, the_order_of_close_events_is_that_of_their_exact_times)
{
    const char *const method[] = {"dop853", "gsl-rkck", "gsl-rkf45", "gsl-rk8pd"};
    for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
        solving_of_record(&s, "close", record_close, "ode");
        s.request.integrator = integrator_find(method[i]);
        s.request.rtol = 1e-4;
        s.request.atol = 1e-6;
        s.request.samples = 0;
        struct trajectory *trajectory = solve(&s);
        cr_assert_eq(trajectory->events, 1);
        cr_expect_str_eq(trajectory->event[0].event->name, "early", "%s", method[i]);
        trajectory_free(trajectory);
        solving_end(&s);
    }
}

/* --- events at the times of others -------------------------------------------------- */

/* The ball is back on the ground, which it left in the same step, when the clock
   strikes. */
static void record_clock(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(g);
    TIME(t);
    NOMINAL(g, 2, "m/s^2", "gravity");
    struct mode *one = free_motion(model, "one");
    model->F[0] = EQ(-g);
    struct mode *two = free_motion(model, "two");
    model->F[0] = EQ(-g);
    model->q0[0] = EQ(0.25);
    model->t_end = EQ(2);
    model_event(model, "ground", one, one, EQ(x), FALLING)->v_plus[0] = EQ(-vx);
    model_event(model, "clock", one, two, EQ(t - 1.5), RISING);
    (void)t;
}

Test(together, a_guard_that_comes_back_with_another_is_simultaneous)
{
    solving_of_record(&s, "clock", record_clock, "ode");
    s.request.samples = 0;
    refuse(&s, SIMULTANEOUS);
    cr_expect_float_eq(s.diagnosis.t, 1.5, 1e-12);
    solving_end(&s);
}

/* The same guard in two directions is no coincidence. */
static void record_two_ways(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(w);
    NOMINAL(w, 1, "1/s", "frequency");
    struct mode *in = free_motion(model, "in");
    model->F[0] = EQ(-w*w*x);
    struct mode *out = free_motion(model, "out");
    model->F[0] = EQ(-w*w*x);
    model->v0[0] = EQ(1);
    model->t_end = EQ(10);
    model_event(model, "leave", in, out, EQ(x - 0.5), RISING);
    model_event(model, "enter", out, in, EQ(x - 0.5), FALLING);
}

Test(together, leaving_and_entering_by_one_guard_are_two_events)
{
    solving_of_record(&s, "two-ways", record_two_ways, "ode");
    struct trajectory *trajectory = solve(&s);
    cr_expect_eq(trajectory->events, 4);
    trajectory_free(trajectory);
    solving_end(&s);
}

static double wall;     /* where record_wall puts it */

static void record_wall(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0, c);
    char place[40];
    snprintf(place, sizeof place, "%.17g", wall);
    NOMINAL(v0, 1, "m/s", "speed");
    model_nominal(model, "c", place, "m", "place of the wall", false, __FILE__, __LINE__);
    struct mode *motion = free_motion(model, "motion");
    model->v0[0] = EQ(v0);
    model->t_end = EQ(2);
    model_event(model, "wall", motion, motion, EQ(x - c), RISING)->v_plus[0] = EQ(-vx);
    (void)c;
}

/* However the rounding of event and sample falls out, both sides are there. */
Test(together, a_sample_at_an_event_has_both_sides)
{
    for (int k = 1; k <= 20; k++)
        for (int ulp = -2; ulp <= 2; ulp++) {
            double sample = 0.0731 * k;
            wall = sample + ulp * 2.3e-16;
            solving_of_record(&s, "wall", record_wall, "ode");
            s.request.samples = 1;
            s.request.sample = &sample;
            struct trajectory *trajectory = solve(&s);
            int v = column(&trajectory->columns, GROUP_V, 0, -1);
            cr_assert_eq(trajectory->samples, 3, "wall at %.17g", wall);
            cr_expect_gt(trajectory->sample[1].x[v], 0);
            cr_expect_lt(trajectory->sample[2].x[v], 0);
            cr_expect_eq(trajectory->sample[1].t, sample);
            cr_expect_eq(trajectory->sample[2].t, sample);
            trajectory_free(trajectory);
            solving_end(&s);
        }
}

Test(together, an_event_at_the_end_is_refused_on_either_side_of_it)
{
    for (int k = 1; k <= 20; k++)
        for (int ulp = -2; ulp <= 2; ulp++) {
            wall = 0.0731 * k + ulp * 2.3e-16;
            solving_of_record(&s, "wall", record_wall, "ode");
            s.request.samples = 0;
            s.request.t_end = 0.0731 * k;
            refuse(&s, EVENT_AT_END);
            solving_end(&s);
        }
}

/* --- chains ------------------------------------------------------------------------- */

static int chain_kind;

/* x jumps from c to c + 1, where the second guard is: for these values, or for all. */
static void record_chain(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0, c, d);
    NOMINAL(v0, 1, "m/s", "speed");
    NOMINAL(c, 1, "m", "place of the first guard");
    NOMINAL(d, 2, "m", "place of the second");
    struct mode *one = free_motion(model, "one"), *two = free_motion(model, "two");
    struct mode *three = free_motion(model, "three");
    model->v0[0] = EQ(v0);
    model->t_end = EQ(2);
    struct event *first = model_event(model, "first", one, two, EQ(x - c), RISING);
    first->q_plus[0] = chain_kind == 3 ? EQ(x + 0.99999) : EQ(x + 1);
    enum direction direction = chain_kind == 1 ? FALLING : RISING;
    struct event *second = model_event(model, "second", two, three,
                                       chain_kind == 0 || chain_kind == 1 ? EQ(x - d)
                                                                          : EQ(x - 2*c),
                                       direction);
    second->v_plus[0] = EQ(3*vx);
    if (chain_kind == 2)
        model_event(model, "third", two, three, EQ(x*x - 4*c*c), RISING);
    (void)d;
}

Test(chain, a_second_event_that_follows_for_these_parameters_only_is_simultaneous)
{
    chain_kind = 0;
    solving_of_record(&s, "chain", record_chain, "ode");
    refuse(&s, SIMULTANEOUS);
    cr_expect_not_null(strstr(s.diagnosis.place, "second"));
    /* The motion itself is certain; only its derivatives are not. */
    s.request.parameters = 0;
    struct trajectory *trajectory = solve(&s);
    cr_expect_eq(trajectory->events, 2);
    trajectory_free(trajectory);
    solving_end(&s);
}

Test(chain, a_guard_left_at_zero_for_these_parameters_only_is_simultaneous)
{
    chain_kind = 1;
    expect_refusal("chain", record_chain, "ode", SIMULTANEOUS);
}

Test(chain, two_events_that_both_follow_at_once_are_simultaneous)
{
    chain_kind = 2;
    expect_refusal("chain", record_chain, "ode", SIMULTANEOUS);
}

/* 1e-5 short of the second guard: at rtol = 1e-6 that may be nothing, at 1e-13 it is a
   second event 1e-5 later. */
Test(chain, a_distance_within_the_error_of_the_run_is_too_little_precision)
{
    chain_kind = 3;
    solving_of_record(&s, "chain", record_chain, "ode");
    struct trajectory *trajectory = solve(&s);
    cr_assert_eq(trajectory->events, 2);
    cr_expect_float_eq(trajectory->event[1].before.t, 1.00001, 1e-13);
    trajectory_free(trajectory);
    s.request.rtol = 1e-6;
    s.request.atol = 1e-9;
    refuse(&s, PRECISION);
    solving_end(&s);
}
