/*
 * pendulum_launched.c - a pendulum launched with a given energy and angular momentum,
 * into a wall (pendulum-launched, pendulum-launched-angle).
 *
 *     (x, y) = l (sin th, -cos th)
 *     start:    m (x y' - y x') = D,     m (x'^2 + y'^2)/2 + m g y = E
 *
 * In natural coordinates nothing of the start is given: coordinates and velocities follow
 * together from the constraint, its rate and both rows. By the angle the start is
 * explicit: th' = D/(m l^2), cos th = (m l^2 th'^2/2 - E)/(m g l).
 */
#include "case.h"

#define DATA \
    PARAMETERS(g, l, e, a, D, E, m); \
    COSTS(swing, rise); \
    NOMINAL(g, 9.81, "m/s^2", "gravity"); \
    NOMINAL(l, 1, "m", "length"); \
    NOMINAL(e, 0.8, "1", "coefficient of restitution"); \
    NOMINAL(a, 0.2, "rad", "angle of the wall, on the negative side"); \
    NOMINAL(D, 1.2, "kg m^2/s", "initial angular momentum about the pivot"); \
    NOMINAL(E, -6, "J", "initial energy, zero at the height of the pivot"); \
    NOMINAL(m, 1.2, "kg", "mass of the bob")

static void record(struct model *model)
{
    COORDINATES(x, y);
    DATA;

    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ(m);
    model->M[1][1] = EQ(m);
    model->F[1] = EQ(-m*g);
    model->Phi[0] = EQ((x*x + y*y - l*l)/2);
    model->g[0] = EQ((vx*vx + vy*vy)/(l*l));
    model->w[1] = EQ(m*g*y);
    model->energy = EQ(m*(vx*vx + vy*vy)/2 + m*g*y);

    struct event *impact = model_event(model, "wall", swing, swing,
                                       EQ(x*cos(a) - y*sin(a)), FALLING);
    impact->v_plus[0] = EQ(-e*vx);
    event_constrain_velocity(impact);

    model_start_row(model, EQ(m*(x*vy - y*vx) - D));
    model_start_row(model, EQ(m*(vx*vx + vy*vy)/2 + m*g*y - E));
    model->q_guess[0] = EQ(0.8);
    model->q_guess[1] = EQ(-0.6);
    model->v_guess[0] = EQ(0.6);
    model->v_guess[1] = EQ(0.8);

    model->t_end = EQ(4);

    TWIN("pendulum-launched-angle", th);
    EQUAL("x of the bob", x, l*sin(th));
    EQUAL("y of the bob", y, -l*cos(th));
    DRAW_LINE(0, 0, x, y);
    DRAW_POINT(x, y);
}

static void record_angle(struct model *model)
{
    COORDINATES(th);
    DATA;

    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ(m*l*l);
    model->F[0] = EQ(-m*g*l*sin(th));
    model->g[0] = EQ(vth*vth);
    model->w[1] = EQ(-m*g*l*cos(th));
    model->energy = EQ(m*l*l*vth*vth/2 - m*g*l*cos(th));

    struct event *impact = model_event(model, "wall", swing, swing, EQ(th + a), FALLING);
    impact->v_plus[0] = EQ(-e*vth);

    model->q0[0] = EQ(acos((D*D/(2*m*l*l) - E)/(m*g*l)));
    model->v0[0] = EQ(D/(m*l*l));
    model->t_end = EQ(4);

    DRAW_LINE(0, 0, l*sin(th), -l*cos(th));
    DRAW_POINT(l*sin(th), -l*cos(th));
}

CASE(pendulum_launched,
    .name = "pendulum-launched",
    .title = "a pendulum launched with a given energy and angular momentum, into a wall",
    .source = "textbook; start rows as in Pan, Ding, Wang 2004 (2)",
    .declared = "nominal values",
    .classes = "velocity-jump, state-dependent-guard, parameter-dependent-guard, "
               "constrained, start-rows",
    .record = record);

CASE(pendulum_launched_angle,
    .name = "pendulum-launched-angle",
    .title = "pendulum-launched by its angle, with an explicit start",
    .source = "textbook",
    .declared = "nominal values",
    .classes = "velocity-jump, state-dependent-guard, parameter-dependent-guard, "
               "unconstrained",
    .record = record_angle);
