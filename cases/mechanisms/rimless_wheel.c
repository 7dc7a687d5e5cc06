/*
 * rimless_wheel.c - the rimless wheel (rimless-wheel; McGeer 1990; Coleman 1998): an
 * inverted pendulum on spokes 2 alpha apart, down a slope gamma.
 *
 *     th'' = (g/l) sin th        th = gamma + alpha rising:
 *     th+ = th - 2 alpha         th'+ = cos(2 alpha) th'   (inelastic impact of a spoke)
 *
 * Periodic motion: w-^2 = 4 (g/l) sin alpha sin gamma / (1 - cos^2 2 alpha), multiplier
 * cos^2 2 alpha (McGeer 1990; Coleman 1998). Positions jump here, not only velocities.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(th);
    PARAMETERS(g, l, alpha, gamma, w0);
    COSTS(speed);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1, "m", "length of a spoke");
    NOMINAL(alpha, pi/8, "rad", "half the angle between spokes");
    NOMINAL(gamma, 0.08, "rad", "slope");
    NOMINAL(w0, 1.2, "rad/s", "initial angular velocity, just after a strike");

    struct mode *stance = model_mode(model, "stance");
    model->M[0][0] = EQ(l);
    model->F[0] = EQ(g*sin(th));
    model->g[0] = EQ(vth*vth);
    model->energy = EQ(l*vth*vth/2 + g*cos(th));

    struct event *strike = model_event(model, "strike", stance, stance,
                                       EQ(th - gamma - alpha), RISING);
    strike->q_plus[0] = EQ(th - 2*alpha);
    strike->v_plus[0] = EQ(cos(2*alpha)*vth);

    model->q0[0] = EQ(gamma - alpha);
    model->v0[0] = EQ(w0);
    model->t_end = EQ(4);

    /* Draws the spoke that stands and its neighbours; the foot is kept at the origin. */
    DRAW_LINE(0, 0, l*sin(th), l*cos(th));
    DRAW_LINE(l*sin(th), l*cos(th), l*sin(th) - l*sin(th - 2*alpha),
              l*cos(th) - l*cos(th - 2*alpha));
    DRAW_LINE(l*sin(th), l*cos(th), l*sin(th) - l*sin(th + 2*alpha),
              l*cos(th) - l*cos(th + 2*alpha));
}

CASE(rimless_wheel,
    .name = "rimless-wheel",
    .title = "rimless wheel rolling down a slope",
    .source = "McGeer 1990; Coleman 1998",
    .declared = "nominal values: alpha = pi/8, gamma = 0.08, l = 1, start off the cycle",
    .classes = "velocity-jump, position-jump, state-dependent-guard, "
               "parameter-dependent-guard, unconstrained, walking",
    .record = record);
