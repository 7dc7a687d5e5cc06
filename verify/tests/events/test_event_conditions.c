/*
 * test_event_conditions.c - events with conditions, events that change nothing, events
 * that share a guard: the same in the double core, in MPFR, and by complex step.
 */
#include "three_cores.h"

#include <string.h>

#include "case.h"

/* --- events that change nothing ----------------------------------------------------- */

static enum direction watched;

/* The height of a throw is latched at its top, where vy = 0; so is that of a swing, many
   times. */
static void record_top(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g, v0);
    AUXILIARY(top, tops);
    NOMINAL(g, 10, "m/s^2", "gravity");
    NOMINAL(v0, 7, "m/s", "speed of the throw");
    struct mode *fly = unit_masses(model, "fly");
    model->F[0] = EQ(-g);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(1.3);
    struct event *turn = model_event(model, "turn", fly, fly, EQ(vy), watched);
    turn->s_plus[0] = EQ(y);
    turn->s_plus[1] = EQ(tops + 1);
}

Test(identity, a_latch_at_the_top_of_a_throw_is_no_sliding)
{
    static const enum direction each[] = {FALLING, EITHER};
    for (int k = 0; k < 2; k++) {
        watched = each[k];
        struct trajectory *t = all_agree("top", record_top, 1);
        int top = column(&t->columns, GROUP_S, 0, -1);
        cr_expect_float_eq(t->sample[t->samples - 1].x[top], 49.0 / 20, 1e-12);
        cr_expect_float_eq(t->sample[t->samples - 1].x[top + t->columns.width],
                           -49.0 / 200, 1e-12);
        end(t);
    }
}

/* An oscillator passes places and turns, and goes on as it did; the guard fires again
   when it is passed again in the watched direction. */
static void record_passes(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(w, c);
    AUXILIARY(up, down, turns);
    NOMINAL(w, 2, "1/s", "frequency");
    NOMINAL(c, 0.3, "m", "a place");
    struct mode *motion = unit_masses(model, "motion");
    model->F[0] = EQ(-w*w*x);
    model->v0[0] = EQ(w);
    model->t_end = EQ(7);
    model_event(model, "rises", motion, motion, EQ(x - c), RISING)->s_plus[0] =
        EQ(up + x);
    model_event(model, "falls", motion, motion, EQ(x + c), FALLING)->s_plus[1] =
        EQ(down + vx);
    model_event(model, "turns", motion, motion, EQ(vx), FALLING)->s_plus[2] =
        EQ(turns + 1);
}

/* Over 14 radians: 0.305 + 2 pi k, pi + 0.305 + 2 pi k, pi/2 + 2 pi k. */
Test(identity, what_is_passed_fires_again_each_time_in_its_direction)
{
    struct trajectory *t = all_agree("passes", record_passes, 7);
    const double *end_of = t->sample[t->samples - 1].x;
    int up = column(&t->columns, GROUP_S, 0, -1);
    cr_expect_float_eq(end_of[up], 3 * 0.3, 1e-12);
    cr_expect_float_eq(end_of[up + 1], -2 * 2 * sqrt(1 - 0.09), 1e-11);
    cr_expect_float_eq(end_of[up + 2], 2, 1e-15);
    end(t);
}

static void record_wall_passed(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0, c);
    AUXILIARY(seen);
    NOMINAL(v0, 1, "m/s", "speed");
    NOMINAL(c, 0.4, "m", "a place");
    struct mode *motion = unit_masses(model, "motion");
    model->F[0] = EQ(-x);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(15);
    model_event(model, "passed", motion, motion,
                watched == FALLING ? EQ(c - x) : EQ(x - c), watched)->s_plus[0] =
        EQ(seen + vx);
}

Test(identity, a_place_is_passed_once_in_each_round)
{
    static const enum direction each[] = {RISING, FALLING, EITHER};
    static const int events[] = {3, 3, 5};      /* asin(0.4) + 2 pi k, ... < 15 */
    for (int k = 0; k < 3; k++) {
        watched = each[k];
        end(all_agree("passed", record_wall_passed, events[k]));
    }
}

/* An impact after which the body goes on into the wall is no event that changes
   nothing. */
static void record_into_wall(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0, c);
    NOMINAL(v0, 1, "m/s", "speed");
    NOMINAL(c, 0.4, "m", "a place");
    struct mode *motion = unit_masses(model, "motion");
    model->v0[0] = EQ(v0);
    model->t_end = EQ(2);
    model_event(model, "wall", motion, motion, EQ(x - c), RISING)->v_plus[0] = EQ(vx/2);
}

Test(identity, an_impact_that_goes_on_into_the_wall_is_refused)
{
    all_refuse("into-wall", record_into_wall, SLIDING);
}

/* A gate in a plane gives a kick along itself: neither its guard nor the rate of that is
   touched, whatever the guard is watched for; a moving gate, y = s, likewise. */
static bool gate_moves;

static void record_kicking_gate(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(g, e, y0);
    AUXILIARY(height, kicks);
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(e, 0.8, "m/s", "kick");
    NOMINAL(y0, 2, "m", "height at the start");
    struct mode *fall = unit_masses(model, "fall");
    model->F[1] = EQ(-g);
    model->f_s[0] = EQ(y/4);
    model->q0[1] = EQ(y0);
    model->v0[0] = EQ(1);
    model->s0[0] = EQ(e/2);
    model->t_end = EQ(1);
    struct event *gate = model_event(model, "gate", fall, fall,
                                     gate_moves ? EQ(y - height) : EQ(y - 1), watched);
    gate->q_plus[0] = EQ(x + e/10);
    gate->v_plus[0] = EQ(vx + e);
    gate->v_plus[1] = EQ(vy);
    gate->s_plus[1] = EQ(kicks + 1);
}

Test(identity, a_gate_that_kicks_along_itself_is_passed)
{
    static const enum direction each[] = {FALLING, EITHER};
    for (int k = 0; k < 4; k++) {
        watched = each[k % 2];
        gate_moves = k >= 2;
        end(all_agree("gate", record_kicking_gate, 1));
    }
}

/* Driven back by the mode entered, which watches the same guard the other way. */
static void record_driven_back(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0, c);
    NOMINAL(v0, 1, "m/s", "speed");
    NOMINAL(c, 0.4, "m", "a place");
    struct mode *one = unit_masses(model, "one"), *two = unit_masses(model, "two");
    model->v0[0] = EQ(v0);
    model->t_end = EQ(2);
    model_event(model, "there", one, two, EQ(x - c), RISING)->v_plus[0] = EQ(-vx);
    model_event(model, "back", two, one, EQ(x - c), FALLING)->v_plus[0] = EQ(-vx);
}

Test(identity, a_motion_that_is_driven_back_at_once_is_sliding)
{
    all_refuse("driven-back", record_driven_back, SLIDING);
}

/* A rod that carries ten switches a force on, which makes it carry more at once: the
   guard is beyond zero where the event leaves it. */
static const char *begins;

static void record_beyond_by_itself(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(L, g, x0);
    AUXILIARY(drag);
    MULTIPLIERS(N);
    FIXED(L, 1, "m", "length");
    FIXED(g, 9.5, "m/s^2", "gravity");
    model_nominal(model, "x0", begins, "m", "where it starts", false, __FILE__, __LINE__);
    struct mode *swing = unit_masses(model, "swing");
    model->F[0] = EQ(-drag*vx/10);
    model->F[1] = EQ(-g);
    model->Phi[0] = EQ((x*x + y*y - L*L)/2);
    model->q0[0] = EQ(x0);
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0.3);
    model->t_end = EQ(1.1);
    model_event(model, "loaded", swing, swing, EQ(N - 10), RISING)->s_plus[0] = EQ(N/10);
}

/* In MPFR rounding sets the sign of the guard that fires, to another one for each
   start. */
Test(identity, an_event_that_takes_its_own_guard_beyond_zero_is_refused)
{
    static const char *const starts[] = {"0.50", "0.51", "0.52", "0.53", "0.54", "0.55"};
    for (int k = 0; k < 6; k++) {
        begins = starts[k];
        solvers_refuse(0, "beyond-by-itself", record_beyond_by_itself, GUARD_VIOLATED);
        solving_end(&s);
    }
}

/* --- two events on one guard -------------------------------------------------------- */

static int sharing;

static void record_shared(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0, c);
    NOMINAL(v0, 1, "m/s", "speed");
    NOMINAL(c, 0.4, "m", "a place");
    struct mode *motion = unit_masses(model, "motion");
    model->v0[0] = EQ(v0);
    model->t_end = EQ(2);
    struct event *back = model_event(model, "back", motion, motion, EQ(x - c), RISING);
    back->v_plus[0] = EQ(-vx);
    if (sharing == 2)
        event_require(back, EQ(vx - 2));
    model_event(model, "slow", motion, motion, EQ(x - c),
                sharing == 1 ? EITHER : RISING)->v_plus[0] = EQ(-vx/4);
}

Test(shared, events_of_one_guard_that_nothing_tells_apart_are_refused_by_both_names)
{
    static struct case_desc desc = {.name = "shared", .record = record_shared};
    for (sharing = 0; sharing < 2; sharing++) {
        struct diagnosis diagnosis;
        cr_assert_null(model_new(&desc, &diagnosis));
        cr_expect_eq(diagnosis.status, BAD_INPUT);
        cr_expect_not_null(strstr(diagnosis.place, "back and slow"), "%s",
                           diagnosis.place);
    }
}

Test(shared, the_first_whose_condition_holds_happens)
{
    sharing = 2;
    struct trajectory *t = all_agree("shared", record_shared, 1);
    cr_expect_str_eq(t->event[0].event->name, "slow");
    end(t);
}

/* --- conditions --------------------------------------------------------------------- */

static double stick, tie_at;

/* A puck on a spring, friction that changes with its direction: where it stops it stays,
   if the spring is too weak. */
static void record_lock(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(k, f, v0);
    AUXILIARY(side);
    NOMINAL(k, 3, "N/m", "stiffness");
    NOMINAL(f, 0.7, "N", "friction");
    NOMINAL(v0, 2, "m/s", "speed");
    char text[40];
    snprintf(text, sizeof text, "%.17g", stick);
    formula hold = constant(model->tape, text);
    struct mode *slide = unit_masses(model, "slide");
    model->F[0] = EQ(-k*x - f*side);
    struct mode *stop = unit_masses(model, "stop");
    model->F[0] = EQ(0*x);
    model->v0[0] = EQ(v0);
    model->v0[1] = EQ(1);
    model->s0[0] = EQ(1);
    model->t_end = EQ(6);
    struct event *lock = model_event(model, "lock", slide, stop, EQ(vx), EITHER);
    lock->v_plus[0] = EQ(0*vx);
    event_require(lock, sub(hold, EQ(k*x)));
    event_require(lock, add(hold, EQ(k*x)));
    model_event(model, "turn", slide, slide, EQ(vx), EITHER)->s_plus[0] = EQ(-side);
    (void)y;
}

Test(condition, a_puck_turns_until_friction_holds_it)
{
    stick = 1.3;
    struct trajectory *t = all_agree("lock", record_lock, 3);
    cr_expect_str_eq(t->event[0].event->name, "turn");
    cr_expect_str_eq(t->event[1].event->name, "turn");
    cr_expect_str_eq(t->event[2].event->name, "lock");
    cr_expect_float_eq(t->sample[t->samples - 1].x[column(&t->columns, GROUP_V, 0, -1)],
                       0, 1e-14);
    end(t);
}

/* A gate that is open only to what comes fast. */
static void record_gate(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0, c, b);
    AUXILIARY(times);
    NOMINAL(v0, 2, "m/s", "speed");
    NOMINAL(c, 0.5, "m", "place of the gate");
    NOMINAL(b, 0.25, "1/s", "damping");
    struct mode *motion = unit_masses(model, "motion");
    model->F[0] = EQ(-x - b*vx);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(12);
    struct event *hit = model_event(model, "hit", motion, motion, EQ(x - c), watched);
    hit->v_plus[0] = EQ(-vx/2);
    hit->s_plus[0] = EQ(times + x);
    char text[40];
    snprintf(text, sizeof text, "%.17g", tie_at);
    event_require(hit, sub(EQ(vx), constant(model->tape, text)));
}

Test(condition, a_root_where_none_holds_counts_as_nothing)
{
    watched = RISING;
    tie_at = 5;
    struct trajectory *t = all_agree("gate", record_gate, 0);
    int x = column(&t->columns, GROUP_Q, 0, -1);
    double m = 0.125, w = sqrt(1 - m * m), at = t->sample[t->samples - 1].t;
    cr_expect_float_eq(t->sample[t->samples - 1].x[x],
                       2 / w * exp(-m * at) * sin(w * at), 1e-12);
    end(t);
    watched = EITHER;
    tie_at = 1;
    end(all_agree("gate", record_gate, 1));
}

/* v = v0 e^(-b t) at x = (v0 - v)/b: 2 - 0.25 0.5 = 1.875 without the spring. */
static void record_edge(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(v0, c);
    NOMINAL(v0, 2, "m/s", "speed");
    NOMINAL(c, 0.5, "m", "place of the gate");
    struct mode *motion = unit_masses(model, "motion");
    model->F[0] = EQ(-vx/4);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(1);
    struct event *hit = model_event(model, "hit", motion, motion, EQ(x - c), RISING);
    hit->v_plus[0] = EQ(-vx/2);
    event_require(hit, EQ(vx - 1.875));
}

Test(condition, one_that_is_zero_at_its_guard_is_refused_by_name)
{
    all_refuse("edge", record_edge, CONDITION_EDGE);
    cr_expect_not_null(strstr(status_text(CONDITION_EDGE), "equality"));
}

/* --- conditions on unknowns --------------------------------------------------------- */

/* A bead on a vertical circle, held by a rod that carries so much only. */
static void record_rod(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(g, l, v0);
    MULTIPLIERS(N);
    AUXILIARY(passed);
    NOMINAL(g, 10, "m/s^2", "gravity");
    NOMINAL(l, 1, "m", "length");
    NOMINAL(v0, 5, "m/s", "speed at the bottom");
    struct mode *held = unit_masses(model, "held");
    model->F[1] = EQ(-g);
    model->Phi[0] = EQ(x*x + y*y - l*l);
    struct mode *free = unit_masses(model, "free");
    model->F[1] = EQ(-g);
    (void)held;
    model->q0[0] = EQ(0);
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(1.4);
    struct event *breaks = model_event(model, "breaks", held, free, EQ(y + l/2), EITHER);
    char text[40];
    snprintf(text, sizeof text, "%.17g", tie_at);
    event_require(breaks, sub(EQ(2*N*l), constant(model->tape, text)));
    model_event(model, "notes", held, held, EQ(y + l/2), EITHER)->s_plus[0] =
        EQ(passed + N);
}

static void bead(double limit, const char *expected, int events)
{
    static const char *const formulation[] = {"ode", "index1", "baumgarte", "augmented",
                                              "index3", "ggl"};
    tie_at = limit;
    struct trajectory *t = all_agree("rod", record_rod, events);
    cr_expect_str_eq(t->event[0].event->name, expected);
    end(t);
    for (size_t k = 0; k < sizeof formulation / sizeof *formulation; k++) {
        solving_of_record(&s, "rod", record_rod, formulation[k]);
        s.request.rtol = 1e-10;
        s.request.atol = 1e-13;
        t = solve(&s);
        cr_assert_eq(t->events, events, "%s", formulation[k]);
        cr_expect_str_eq(t->event[0].event->name, expected, "%s", formulation[k]);
        end(t);
    }
}

/* v^2 = 25 - 2 g l/2 = 15 there, so the rod pulls with 15 + 5 = 20. */
Test(condition, a_rod_that_carries_enough_holds)
{
    bead(19, "breaks", 1);
    bead(21, "notes", 2);
}
