/*
 * slack_rope.c - unilateral contact (slack-rope): a mass on a rope of length l that goes
 * taut and slack, hung at the origin.
 *
 *     slack  free flight until |q| = l: the rope goes taut, an inelastic impulse along it
 *            (Corner et al. 2019 (82)) takes the radial velocity and the constraint is
 *            added
 *     taut   a pendulum in natural coordinates until the tension is zero: the rope goes
 *            slack, the constraint is dropped, nothing jumps
 *
 * The guard of the release is a multiplier. Flights are parabolas and the swing conserves
 * energy, so states and angles at events are in closed form and times are quadratures.
 *
 * A penalty motion ends at the release: when its tension is zero the rope is still longer
 * than l, and the guard of going taut is on its far side. rope-catch is the case for it.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(g, l, vx0, vy0, m, x0, y0);
    MULTIPLIERS(tension);
    COSTS(speed);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1, "m", "length of the rope");
    NOMINAL(vx0, 6, "m/s", "initial horizontal velocity");
    NOMINAL(vy0, -3, "m/s", "initial vertical velocity");
    NOMINAL(m, 2, "kg", "mass");
    FIXED(x0, -0.6, "m", "initial position");
    FIXED(y0, -0.6, "m", "initial position");

    struct mode *slack = model_mode(model, "slack");
    struct mode *taut = NULL;
    for (int k = 0; k < 2; k++) {
        model->M[0][0] = EQ(m);
        model->M[1][1] = EQ(m);
        model->F[1] = EQ(-m*g);
        model->g[0] = EQ(vx*vx + vy*vy);
        if (k == 0)
            taut = model_mode(model, "taut");
    }
    model->Phi[0] = EQ((x*x + y*y - l*l)/2);
    model->energy = EQ(m*(vx*vx + vy*vy)/2 + m*g*y);

    struct event *tighten = model_event(model, "tighten", slack, taut,
                                        EQ((x*x + y*y - l*l)/2), RISING);
    event_impulse_joints(tighten);
    model_event(model, "release", taut, slack, EQ(tension), FALLING);

    model->q0[0] = EQ(x0);
    model->q0[1] = EQ(y0);
    model->v0[0] = EQ(vx0);
    model->v0[1] = EQ(vy0);
    model->t_end = EQ(2);

    DRAW_POINT(0, 0);
    DRAW_POINT(x, y);
}

CASE(slack_rope,
    .name = "slack-rope",
    .title = "mass on a rope that goes taut by an impulse and slack at zero tension",
    .source = "textbook",
    .declared = "nominal values and start",
    .classes = "impulse, velocity-jump, constraint-change, identity-reset, "
               "state-dependent-guard, parameter-dependent-guard, multiplier-guard, "
               "constrained",
    .record = record);
