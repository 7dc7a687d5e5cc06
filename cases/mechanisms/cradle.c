/*
 * cradle.c - Newton's cradle in natural coordinates, simultaneous impacts to be refused:
 * cradle, cradle-redundant. The mechanism is that of newton-cradle, with a distance
 * constraint for each pendulum.
 *
 *     pivots at (u t - d, 0), (u t, 0), (u t + d, 0), on a trolley that moves uniformly;
 *     bobs of diameter d on strings of length l
 *     left   x2 - x1 = d falling,  right  x3 - x2 = d falling:
 *     an impulse between the two, restitution e, the strings as joints
 *
 * The outer two start from the same height with the same speed and hit the one in the
 * middle at the same time, when all hang straight down. Which impact comes first decides
 * what happens, and a neighbouring start has the one order or the other: there is no
 * derivative, and the refusal is the result. cradle-redundant states the constraints of
 * the first two strings once more, as their sum.
 */
#include "case.h"

static void record_with(struct model *model, bool redundant)
{
    COORDINATES(x1, y1, x2, y2, x3, y3);
    PARAMETERS(g, l, e, th0, u, w0, d, m);
    COSTS(swing);
    TIME(t);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1, "m", "length of the strings");
    NOMINAL(e, 0.9, "1", "coefficient of restitution");
    NOMINAL(th0, 0.5, "rad", "initial angle of the outer two, outwards");
    NOMINAL(u, 0.5, "m/s", "velocity of the pivots");
    NOMINAL(w0, 0.5, "rad/s", "initial rate of the outer two, outwards");
    FIXED(d, 0.25, "m", "diameter of the bobs");
    FIXED(m, 1, "kg", "mass of each");

    struct mode *swing = model_mode(model, "swing");
    for (int i = 0; i < 6; i++)
        model->M[i][i] = EQ(m);
    for (int i = 0; i < 3; i++)
        model->F[2*i + 1] = EQ(-m*g);
    LET(pivot, u*t);
    LET(string1, ((x1 - pivot + d)*(x1 - pivot + d) + y1*y1 - l*l)/2);
    LET(string2, ((x2 - pivot)*(x2 - pivot) + y2*y2 - l*l)/2);
    LET(string3, ((x3 - pivot - d)*(x3 - pivot - d) + y3*y3 - l*l)/2);
    model->Phi[0] = EQ(string1);
    model->Phi[1] = EQ(string2);
    model->Phi[2] = EQ(string3);
    if (redundant)
        model->Phi[3] = EQ(string1 + string2);
    LET(squares, vx1*vx1 + vy1*vy1 + vx2*vx2 + vy2*vy2 + vx3*vx3 + vy3*vy3);
    model->g[0] = EQ(squares);

    struct event *left = model_event(model, "left", swing, swing, EQ(x2 - x1 - d),
                                     FALLING);
    event_impulse(left, EQ(x2 - x1), EQ(e));
    event_impulse_joints(left);
    struct event *right = model_event(model, "right", swing, swing, EQ(x3 - x2 - d),
                                      FALLING);
    event_impulse(right, EQ(x3 - x2), EQ(e));
    event_impulse_joints(right);

    model->q0[0] = EQ(-d - l*sin(th0));
    model->q0[2] = EQ(0);
    model->q0[4] = EQ(d + l*sin(th0));
    for (int i = 0; i < 3; i++)
        model->q_guess[2*i + 1] = EQ(-1);
    model->v0[0] = EQ(u - l*w0*cos(th0));
    model->v0[2] = EQ(u);
    model->v0[4] = EQ(u + l*w0*cos(th0));
    model->t_end = EQ(2);

    DRAW_LINE(pivot - d, 0, x1, y1);
    DRAW_LINE(pivot, 0, x2, y2);
    DRAW_LINE(pivot + d, 0, x3, y3);
    DRAW_POINT(x1, y1);
    DRAW_POINT(x2, y2);
    DRAW_POINT(x3, y3);
}

static void record(struct model *model)
{
    record_with(model, false);
}

static void record_redundant(struct model *model)
{
    record_with(model, true);
}

CASE(cradle,
    .name = "cradle",
    .title = "two pendulums in natural coordinates hit a third at the same time",
    .source = "textbook",
    .declared = "nominal values",
    .classes = "refused, simultaneous, impulse, velocity-jump, state-dependent-guard, "
               "parameter-dependent-guard, constrained",
    .record = record);

CASE(cradle_redundant,
    .name = "cradle-redundant",
    .title = "cradle with a constraint that depends on two others",
    .source = "textbook",
    .declared = "nominal values; impulses of minimum norm",
    .classes = "refused, simultaneous, impulse, velocity-jump, state-dependent-guard, "
               "parameter-dependent-guard, constrained, redundant",
    .record = record_redundant);
