/*
 * at_rest.c - a pendulum at rest (at-rest) whose derivatives swing: error control that
 * looks at the motion alone.
 *
 *     th'' = -g/l sin(th),   th = th0,  th' = w0 at the start, both zero
 *
 *     kick    at t = T: w+ = w + dw, with dw = 0
 *
 * The motion is constant whatever the step, so error control that looks at the motion
 * alone lets its derivatives, cos(sqrt(g/l) t) by th0 among them, be as wrong as they
 * like.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(th);
    PARAMETERS(g, l, th0, w0, dw, T);
    COSTS(swing);
    TIME(t);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 0.5, "m", "length");
    NOMINAL(th0, 0, "rad", "angle at the start");
    NOMINAL(w0, 0, "rad/s", "angular velocity at the start");
    NOMINAL(dw, 0, "rad/s", "change of the angular velocity by the kick");
    NOMINAL(T, 2.5, "s", "time of the kick");

    struct mode *before = model_mode(model, "before");
    struct mode *after = model_mode(model, "after");
    for (int k = 0; k < 2; k++) {
        struct mode *mode = k == 0 ? before : after;
        mode->M[0][0] = EQ(l);
        mode->F[0] = EQ(-g*sin(th));
        mode->g[0] = EQ(th + th*th);
    }
    model->energy = EQ(l*vth*vth/2 - g*cos(th));

    struct event *kick = model_event(model, "kick", before, after, EQ(t - T), RISING);
    kick->v_plus[0] = EQ(vth + dw);

    /* An impulse does its work at the mean of both velocities. At rest both sides of
       the momentum are zero, but the sides of the energy are not. */
    event_balance(kick, "momentum gained", EQ(l*(vth_plus - vth)), EQ(l*dw));
    event_balance(kick, "energy gained", EQ(l*vth_plus*vth_plus/2 - g*cos(th_plus)),
                  EQ(l*vth*vth/2 - g*cos(th) + l*dw*(vth + vth_plus)/2));

    model->q0[0] = EQ(th0);
    model->v0[0] = EQ(w0);
    model->t_end = EQ(6);
}

CASE(at_rest,
    .name = "at-rest",
    .title = "a pendulum that hangs at rest; its derivatives swing",
    .source = "textbook; for error control that forgets the derivatives",
    .classes = "velocity-jump, time-dependent-guard, parameter-dependent-guard, "
               "unconstrained",
    .record = record);
