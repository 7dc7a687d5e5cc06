/*
 * pendulum_wall.c - pendulum-stop in natural coordinates with a distance constraint:
 * pendulum-wall, pendulum-wall-light.
 *
 * The bob is at (x, y) = l (sin th, -cos th). The wall is the line through the pivot at
 * th = -a, so the guard is l sin(th + a) = x cos a - y sin a. The impact reverses v_x;
 * v_y follows from the velocity constraint, so the motion is that of pendulum-stop in
 * every formulation.
 */
#include "case.h"

static void swing_at(struct model *model, bool light)
{
    COORDINATES(x, y);
    PARAMETERS(g, l, e, a, th0, m);
    MULTIPLIERS(tension);
    COSTS(swing, pull);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1, "m", "length");
    NOMINAL(e, 0.8, "1", "coefficient of restitution");
    NOMINAL(a, 0.2, "rad", "angle of the wall, on the negative side");
    NOMINAL(th0, 1, "rad", "initial angle, at rest");
    if (light)
        FIXED(m, 1e-7, "kg", "mass of the bob");
    else
        NOMINAL(m, 1, "kg", "mass of the bob");

    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ(m);
    model->M[1][1] = EQ(m);
    model->F[1] = EQ(-m*g);
    model->Phi[0] = EQ((x*x + y*y - l*l)/2);
    model->g[0] = EQ((vx*vx + vy*vy)/(l*l));
    model->g[1] = EQ(tension*tension);
    model->energy = EQ(m*(vx*vx + vy*vy)/2 + m*g*y);

    struct event *impact = model_event(model, "wall", swing, swing,
                                       EQ(x*cos(a) - y*sin(a)), FALLING);
    impact->v_plus[0] = EQ(-e*vx);
    event_constrain_velocity(impact);

    model->q0[0] = EQ(l*sin(th0));
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(5);

    DRAW_LINE(0, 0, x, y);
    DRAW_POINT(x, y);
}

static void record(struct model *model) { swing_at(model, false); }
static void record_light(struct model *model) { swing_at(model, true); }

CASE(pendulum_wall,
    .name = "pendulum-wall",
    .title = "pendulum in natural coordinates, hitting a wall",
    .source = "textbook; must equal pendulum-stop",
    .classes = "velocity-jump, state-dependent-guard, parameter-dependent-guard, "
               "constrained",
    .record = record);

CASE(pendulum_wall_light,
    .name = "pendulum-wall-light",
    .title = "pendulum-wall with 1e-7 kg: penalty factors of 1e5 are 1e12 times its mass",
    .source = "textbook; must equal pendulum-stop",
    .declared = "nominal values",
    .classes = "torture, velocity-jump, state-dependent-guard, "
               "parameter-dependent-guard, constrained",
    .record = record_light);
