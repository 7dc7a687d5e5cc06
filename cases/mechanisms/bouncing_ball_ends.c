/*
 * bouncing_ball_ends.c - events at the ends of a run, and Zeno behaviour, of the bouncing
 * ball: event-at-start, event-at-end, event-near-ends, zeno-approached, zeno-passed.
 *
 *     y'' = -g        y = y_ground + u t falling:  y'+ = u - e (y' - u)
 *
 * event-at-start begins on the ground and event-at-end ends there: is the impact part of
 * the run? Both are refused. event-near-ends begins 0.25 ns before an impact and ends
 * 0.25 ns after another.
 *
 * Impacts accumulate at t_1 + 2 e |w_1|/(g (1 - e)), w_1 being the first speed. In
 * zeno-approached this time is 39 s, and 200 impacts have happened when the run ends 1.4
 * ms before; in zeno-passed it is 3 s, and the run would go on beyond.
 */
#include "case.h"

#define VALUES(restitution, height, velocity, end) do { \
        NOMINAL(e, restitution, "1", "coefficient of restitution"); \
        FIXED(h0, height, "m", "initial height"); \
        FIXED(v0, velocity, "m/s", "initial velocity"); \
        FIXED(T, end, "s", "end of the run"); \
    } while (0)

enum place { AT_START, AT_END, NEAR_ENDS, ZENO_AHEAD, ZENO_WITHIN };

static void bounce(struct model *model, enum place place)
{
    COORDINATES(y);
    PARAMETERS(g, e, h0, v0, y_ground, u, T);
    TIME(t);

    NOMINAL(g, 8, "m/s^2", "gravity");
    if (place == AT_START)
        VALUES(0.5, 0, 4, 1);
    else if (place == AT_END)
        VALUES(0.5, 4, 0, 1);
    else if (place == NEAR_ENDS)
        VALUES(0.5, 2e-9, -8, 1.00000000075);
    else if (place == ZENO_AHEAD)
        VALUES(0.95, 4, 0, 38.99863);
    else
        VALUES(0.5, 4, 0, 4);
    FIXED(y_ground, 0, "m", "height of the ground at t = 0");
    FIXED(u, 0, "m/s", "speed of the ground, upwards");

    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    model->energy = EQ(vy*vy/2 + g*y);

    struct event *impact = model_event(model, "impact", flight, flight,
                                       EQ(y - y_ground - u*t), FALLING);
    impact->v_plus[0] = EQ(u - e*(vy - u));

    model->q0[0] = EQ(h0);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(T);

    DRAW_POINT(0, y);
}

static void record_start(struct model *model) { bounce(model, AT_START); }
static void record_end(struct model *model) { bounce(model, AT_END); }
static void record_near(struct model *model) { bounce(model, NEAR_ENDS); }
static void record_ahead(struct model *model) { bounce(model, ZENO_AHEAD); }
static void record_within(struct model *model) { bounce(model, ZENO_WITHIN); }

#define KIND "velocity-jump, state-dependent-guard, time-dependent-guard, " \
             "parameter-dependent-guard, unconstrained"

CASE(event_at_end,
    .name = "event-at-end",
    .title = "a ball hits the ground at the end of the run: before or after it?",
    .source = "textbook",
    .declared = "nominal values",
    .classes = "torture, refused, " KIND,
    .record = record_end);

CASE(event_at_start,
    .name = "event-at-start",
    .title = "a ball starts on the ground: does it hit it?",
    .source = "textbook",
    .declared = "nominal values",
    .classes = "torture, refused, " KIND,
    .record = record_start);

CASE(event_near_ends,
    .name = "event-near-ends",
    .title = "impacts a quarter of a nanosecond after the start and before the end",
    .source = "textbook",
    .declared = "nominal values",
    .classes = "torture, " KIND,
    .record = record_near);

CASE(zeno_approached,
    .name = "zeno-approached",
    .title = "two hundred impacts of a ball, up to a millisecond before they accumulate",
    .source = "textbook",
    .declared = "nominal values",
    .classes = "torture, " KIND,
    .record = record_ahead);

CASE(zeno_passed,
    .name = "zeno-passed",
    .title = "a bouncing ball past the time at which its impacts accumulate",
    .source = "textbook",
    .declared = "nominal values",
    .classes = "torture, refused, " KIND,
    .record = record_within);
