/*
 * ball_restitution.c - a bouncing ball with velocity-dependent restitution
 * (ball-restitution), as two events with conditions on one guard.
 *
 *     soft    y = 0 falling, slower than u:   v+ = -e v-
 *     hard    y = 0 falling, else:            v+ = -(e - k (|v-| - u)) v-
 *
 * Two events share the guard; a condition tells them apart. Restitution depends on v-.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g, h0, e, k, u);
    COSTS(lost);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(h0, 2, "m", "height at the start, at rest");
    NOMINAL(e, 0.9, "1", "restitution of slow impacts");
    NOMINAL(k, 0.05, "s/m", "its loss by speed");
    NOMINAL(u, 3, "m/s", "speed from which on it is lost");

    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    model->energy = EQ(vy*vy/2 + g*y);

    struct event *soft = model_event(model, "soft", flight, flight, EQ(y), FALLING);
    event_require(soft, EQ(u + vy));
    soft->v_plus[0] = EQ(-e*vy);
    soft->cost[0] = EQ((vy*vy - vy_plus*vy_plus)/2);
    struct event *hard = model_event(model, "hard", flight, flight, EQ(y), FALLING);
    hard->v_plus[0] = EQ(-(e + k*(u + vy))*vy);
    hard->cost[0] = EQ((vy*vy - vy_plus*vy_plus)/2);

    event_balance(soft, "approach by separation", EQ(-vy/vy_plus), EQ(1/e));
    event_balance(hard, "separation by approach", EQ(-vy_plus/vy), EQ(e - k*(-vy - u)));

    model->q0[0] = EQ(h0);
    model->v0[0] = EQ(0);
    model->t_end = EQ(5.5);

    DRAW_POINT(0, y);
}

CASE(ball_restitution,
    .name = "ball-restitution",
    .title = "a bouncing ball whose restitution depends on its speed",
    .source = "textbook",
    .declared = "the model and all its values",
    .classes = "velocity-jump, state-dependent-guard, conditional, unconstrained",
    .record = record);
