/*
 * jerk_trigger.c - a guard on accelerations, with a condition on the multiplier
 * (jerk-trigger): a pendulum whose bob has an accelerometer, which brakes it.
 *
 *     brake   x'' = c rising, in natural coordinates, if the rod pulls with more than p:
 *             v+ = (1 - k tension) v-, and the accelerometer is read: seen = y'' tension
 *
 *     ready   x'' = -c falling: it may brake again
 *
 * The guard is one on accelerations, its condition one on the multiplier, and the reset
 * takes both.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(g, l, th0, c, k, p);
    MULTIPLIERS(tension);
    AUXILIARY(seen);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1, "m", "length");
    NOMINAL(th0, 1.2, "rad", "angle at the start, at rest");
    NOMINAL(c, 2, "m/s^2", "acceleration that triggers");
    NOMINAL(k, 0.008, "s^2", "loss of speed by tension, per mass and length");
    NOMINAL(p, 11, "N/kg", "tension below which it does not brake");

    struct mode *swing = NULL, *braked = NULL;
    for (int i = 0; i < 2; i++) {
        struct mode *mode = model_mode(model, i == 0 ? "swing" : "braked");
        *(i == 0 ? &swing : &braked) = mode;
        model->M[0][0] = EQ(1);
        model->M[1][1] = EQ(1);
        model->F[1] = EQ(-g);
        model->Phi[0] = EQ((x*x + y*y - l*l)/2);
    }
    model->energy = EQ((vx*vx + vy*vy)/2 + g*y);

    struct event *brake = model_event(model, "brake", swing, braked, EQ(ax - c), RISING);
    event_require(brake, EQ(tension*l - p));
    brake->v_plus[0] = EQ((1 - k*tension)*vx);
    event_constrain_velocity(brake);
    brake->s_plus[0] = EQ(seen + ay*tension);
    model_event(model, "ready", braked, swing, EQ(ax + c), FALLING);

    /* The rod carries the weight along it and keeps the bob on its circle, so that l^2
       tension = v^2 - g y; y'' is the part of the weight that the rod leaves. */
    event_balance(brake, "angular momentum", EQ(x*vy_plus - y*vx_plus),
                  EQ((1 - k*tension)*(x*vy - y*vx)));
    event_balance(brake, "energy left", EQ(vx_plus*vx_plus + vy_plus*vy_plus),
                  EQ((1 - k*tension)*(1 - k*tension)*(tension*l*l + g*y)));
    event_balance(brake, "reading", EQ(seen - seen_plus), EQ((g + tension*y)*tension));

    model->q0[0] = EQ(l*sin(th0));
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0);
    model->s0[0] = EQ(0);
    model->t_end = EQ(7);

    DRAW_LINE(0, 0, x, y);
    DRAW_POINT(x, y);
}

CASE(jerk_trigger,
    .name = "jerk-trigger",
    .title = "a pendulum braked by its own acceleration, as the rod pulls",
    .source = "textbook",
    .declared = "the model and all its values",
    .classes = "velocity-jump, position-jump, identity-reset, "
               "parameter-dependent-guard, conditional, constrained",
    .record = record);
