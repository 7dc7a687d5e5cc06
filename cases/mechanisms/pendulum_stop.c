/*
 * pendulum_stop.c - a pendulum in its angle that hits a stop at th = -a (pendulum-stop).
 *
 *     L th'' = -g sin th        th = -a falling:  th'+ = -e th'
 *
 * Only g/L enters, so g x_g + L x_L = 0 for every result x: an exact identity.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(th);
    PARAMETERS(g, L, e, a, th0);
    COSTS(swing);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(L, 1, "m", "length");
    NOMINAL(e, 0.8, "1", "coefficient of restitution");
    NOMINAL(a, 0.2, "rad", "angle of the stop, on the negative side");
    NOMINAL(th0, 1, "rad", "initial angle, at rest");

    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ(L);
    model->F[0] = EQ(-g*sin(th));
    model->g[0] = EQ(vth*vth);
    model->energy = EQ(L*vth*vth/2 - g*cos(th));

    struct event *impact = model_event(model, "stop", swing, swing, EQ(th + a), FALLING);
    impact->v_plus[0] = EQ(-e*vth);

    model->q0[0] = EQ(th0);
    model->v0[0] = EQ(0);
    model->t_end = EQ(5);

    DRAW_LINE(0, 0, L*sin(th), -L*cos(th));
    DRAW_POINT(L*sin(th), -L*cos(th));
}

CASE(pendulum_stop,
    .name = "pendulum-stop",
    .title = "pendulum in its angle, hitting a stop",
    .source = "textbook; free swing by elliptic integrals",
    .classes = "velocity-jump, state-dependent-guard, parameter-dependent-guard, "
               "unconstrained",
    .record = record);
