/*
 * double_crossing.c - two roots of a guard within one step (double-crossing): a ball
 * thrown up just reaches the draught of a fan and falls out of it again.
 *
 *     y'' = -g  (still)        y'' = -g + lift  (draught)
 *
 *     up    y = h rising,  still -> draught      down  y = h falling,  draught -> still
 *
 * It enters the draught at 1e-2 m/s and is in it for 4 ms: steps of an integrator, on
 * parabolas as long as it likes, begin and end below. The guard has both its roots inside
 * one of them, and the same sign at both ends. Nothing jumps but the acceleration, and
 * the time spent in the draught is the cost.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(y);
    PARAMETERS(g, lift, h, v0);
    COSTS(inside, height);

    NOMINAL(g, 8, "m/s^2", "gravity");
    NOMINAL(lift, 3, "m/s^2", "acceleration by the draught");
    NOMINAL(h, 3.99999375, "m", "height where the draught begins");
    NOMINAL(v0, 8, "m/s", "initial velocity, at y = 0");

    struct mode *still = model_mode(model, "still");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    model->g[1] = EQ(y);
    model->energy = EQ(vy*vy/2 + g*y);
    struct mode *draught = model_mode(model, "draught");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g + lift);
    model->g[0] = EQ(1);
    model->g[1] = EQ(y);

    model_event(model, "up", still, draught, EQ(y - h), RISING);
    model_event(model, "down", draught, still, EQ(y - h), FALLING);

    model->q0[0] = EQ(0);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(3);

    DRAW_POINT(0, y);
}

CASE(double_crossing,
    .name = "double-crossing",
    .title = "in and out of a draught within one step of any integrator",
    .source = "textbook",
    .declared = "the model and all its values",
    .classes = "torture, force-change, identity-reset, state-dependent-guard, "
               "parameter-dependent-guard, unconstrained",
    .record = record);
