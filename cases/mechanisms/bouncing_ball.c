/*
 * bouncing_ball.c - the bouncing ball (bouncing-ball): a point mass under gravity over a
 * ground that moves at constant speed.
 *
 *     y'' = -g        y = y_ground + u t falling:  y'+ = u - e (y' - u)
 *
 * Everything has a closed form, the Zeno time included: in the frame of the ground the
 * impact speeds are a geometric sequence of ratio e.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g, e, h0, y_ground, u);
    COSTS(height, speed);
    TIME(t);

    NOMINAL(g, 9.8, "m/s^2", "gravity");
    NOMINAL(e, 0.8, "1", "coefficient of restitution");
    NOMINAL(h0, 50, "m", "initial height");
    NOMINAL(y_ground, 0, "m", "height of the ground at t = 0");
    NOMINAL(u, 0, "m/s", "speed of the ground, upwards");

    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    model->g[0] = EQ(y);
    model->g[1] = EQ(vy*vy/2);
    model->energy = EQ(vy*vy/2 + g*y);

    struct event *impact = model_event(model, "impact", flight, flight,
                                       EQ(y - y_ground - u*t), FALLING);
    impact->v_plus[0] = EQ(u - e*(vy - u));

    model->q0[0] = EQ(h0);
    model->v0[0] = EQ(0);
    model->t_end = EQ(15);
}

CASE(bouncing_ball,
    .name = "bouncing-ball",
    .title = "ball bouncing on a ground that may move",
    .source = "textbook; data of SciMLSensitivity's bouncing-ball example",
    .declared = "the moving ground and the costs are this project's",
    .classes = "velocity-jump, state-dependent-guard, time-dependent-guard, "
               "parameter-dependent-guard, unconstrained",
    .record = record);
