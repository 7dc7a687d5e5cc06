/*
 * rope_catch.c - a constraint added at an event (rope-catch; Corner, Sandu, Sandu 2019,
 * (82)): a mass in free flight is caught by a rope of length l, hung at the origin,
 * swings on it, and hits a wall.
 *
 *     free    flight until |q| = l: the constraint is added by an inelastic impulse along
 *             the rope (Corner et al. 2019 (82))
 *     caught  a pendulum; at the wall x = x_wall an impulse with restitution e, with the
 *             rope as a joint
 *
 * The tension stays positive, so the rope is not let go again. A penalty formulation may
 * also take v+ = v- when the rope becomes taut (Corner et al. 2019, Theorem 8): then the
 * radial velocity is left to the penalty terms, which take it away as exp(-omega t) for
 * every alpha. The wall adds no constraint, and acts alike in both.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(g, l, m, e, x_wall, vx0, x0, y0);
    MULTIPLIERS(tension);
    COSTS(speed, pull);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1, "m", "length of the rope");
    NOMINAL(m, 2, "kg", "mass");
    NOMINAL(e, 0.7, "1", "coefficient of restitution of the wall");
    NOMINAL(x_wall, 0.25, "m", "place of the wall");
    NOMINAL(vx0, 0.8, "m/s", "initial horizontal velocity");
    FIXED(x0, -0.4, "m", "initial position");
    FIXED(y0, -0.3, "m", "initial position");

    struct mode *free = model_mode(model, "free");
    struct mode *caught = NULL;
    for (int k = 0; k < 2; k++) {
        model->M[0][0] = EQ(m);
        model->M[1][1] = EQ(m);
        model->F[1] = EQ(-m*g);
        model->g[0] = EQ(vx*vx + vy*vy);
        if (k == 0)
            caught = model_mode(model, "caught");
    }
    model->Phi[0] = EQ((x*x + y*y - l*l)/2);
    model->g[1] = EQ(tension);
    model->energy = EQ(m*(vx*vx + vy*vy)/2 + m*g*y);

    struct event *tighten = model_event(model, "tighten", free, caught,
                                        EQ((x*x + y*y - l*l)/2), RISING);
    event_impulse_joints(tighten);
    struct event *wall = model_event(model, "wall", caught, caught, EQ(x - x_wall),
                                     RISING);
    event_impulse(wall, EQ(x), EQ(e));
    event_impulse_joints(wall);

    /* The rope takes the energy of the motion along it. The wall meets a bob that can
       only go across the rope, which is a mass m l^2/y^2 along x. */
    LET(lost, m*(vx*vx + vy*vy - vx_plus*vx_plus - vy_plus*vy_plus)/2);
    LET(along, (x*vx + y*vy)/l);
    event_balance(tighten, "angular momentum", EQ(x*vy_plus - y*vx_plus),
                  EQ(x*vy - y*vx));
    event_balance(tighten, "energy lost", EQ(lost), EQ(m*along*along/2));
    event_balance(wall, "approach by separation", EQ(-vx/vx_plus), EQ(1/e));
    event_balance(wall, "angular momentum", EQ(x*vy_plus - y*vx_plus),
                  EQ(e*(y*vx - x*vy)));
    event_balance(wall, "energy lost", EQ(lost),
                  EQ((1 - e*e)*(m*l*l/(y*y))*vx*vx/2));

    model->q0[0] = EQ(x0);
    model->q0[1] = EQ(y0);
    model->v0[0] = EQ(vx0);
    model->v0[1] = EQ(0);
    model->t_end = EQ(2.5);

    DRAW_POINT(0, 0);
    DRAW_POINT(x, y);
}

CASE(rope_catch,
    .name = "rope-catch",
    .title = "mass caught by a rope in free flight, then hitting a wall",
    .source = "textbook",
    .declared = "nominal values and start; the rope is not let go",
    .classes = "impulse, velocity-jump, constraint-change, state-dependent-guard, "
               "parameter-dependent-guard, constrained",
    .record = record);
