/*
 * rimless_foothold.c - the rimless wheel by the place of its hub (rimless-foothold;
 * McGeer 1990; Coleman 1998), on a foothold that jumps.
 *
 *     Phi = ((x - foot)^2 + y^2 - l^2)/2        x down the slope, y across it
 *
 *     strike   x - foot = l sin alpha rising: the next spoke strikes, foot+ is where its
 *              end is, and an inelastic impulse along this spoke takes the velocity that
 *              it does not allow
 *
 * The foothold is a state that only events change. The new one is measured from the hub,
 * so that the constraint holds after the event for all parameters; the impulse must act
 * along the spoke of foot+, not along that of foot. The twin is rimless-wheel, by the
 * angle of a spoke, which has a closed form.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x, y);
    AUXILIARY(foot);
    PARAMETERS(g, l, alpha, gamma, w0, m);
    MULTIPLIERS(push);
    IMPULSES(blow);
    COSTS(way, blows);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1, "m", "length of a spoke");
    NOMINAL(alpha, pi/8, "rad", "half the angle between spokes");
    NOMINAL(gamma, 0.08, "rad", "slope");
    NOMINAL(w0, 1.2, "rad/s", "initial angular velocity, just after a strike");
    NOMINAL(m, 3, "kg", "mass of the hub");

    struct mode *stance = model_mode(model, "stance");
    model->M[0][0] = EQ(m);
    model->M[1][1] = EQ(m);
    model->F[0] = EQ(m*g*sin(gamma));
    model->F[1] = EQ(-m*g*cos(gamma));
    model->Phi[0] = EQ(((x - foot)*(x - foot) + y*y - l*l)/2);
    model->g[0] = EQ(vx*vx + vy*vy);
    model->energy = EQ(m*(vx*vx + vy*vy)/2 + m*g*(y*cos(gamma) - x*sin(gamma)));

    struct event *strike = model_event(model, "strike", stance, stance,
                                       EQ(x - foot - l*sin(alpha)), RISING);
    strike->s_plus[0] = EQ(x + sqrt(l*l - y*y));
    event_impulse_joints(strike);
    strike->cost[1] = EQ(blow*l);

    model->q0[0] = EQ(-l*sin(alpha));
    model->q_guess[1] = EQ(l);
    model->v0[0] = EQ(l*w0*cos(alpha));
    model->s0[0] = EQ(0*l);
    model->t_end = EQ(4);

    TWIN("rimless-wheel", th);
    EQUAL("height of the hub", y, l*cos(th - gamma));
    DRAW_LINE(foot, 0, x, y);
}

CASE(rimless_foothold,
    .name = "rimless-foothold",
    .title = "rimless wheel by its hub, the foothold being latched at each strike",
    .source = "McGeer 1990; Coleman 1998",
    .declared = "nominal values as in rimless-wheel; the mass of the hub",
    .classes = "impulse, velocity-jump, position-jump, state-dependent-guard, "
               "parameter-dependent-guard, constrained, walking",
    .record = record);
