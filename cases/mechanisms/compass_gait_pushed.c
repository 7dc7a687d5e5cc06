/*
 * compass_gait_pushed.c - which push does a compass gait survive, and with which feedback
 * (compass-gait-pushed)?
 *
 * The walker of compass_gait.c gets a horizontal impulse at its hip during its first
 * step. A torque at the hip answers by the rate of the standing leg just after each
 * strike, kept as the state `late`, less that of the periodic gait:
 *
 *     torque on the swinging leg, against the standing one     gain (late - late*)
 *
 * and vanishes on the periodic gait. The run ends with strike number `steps`, which the
 * state `count` tells. Its cost is the squared distance there from the periodic gait, in
 * units of `near`, less the push in units of `fair`:
 *
 *     come_back = ((st - st*)^2 + (sw - sw*)^2 + (st' - st'*)^2 + (sw' - sw'*)^2)/near^2
 *                 - push/fair
 *
 * so that its minimum over push and gain is the largest push after which the walker still
 * comes back to within about `near`.
 */
#include "case.h"
#include "elements/lagrange.h"

static void record(struct model *model)
{
    COORDINATES(st, sw);
    AUXILIARY(late, count);
    PARAMETERS(push, gain, slope, m, m_H, a, b, t_push, near, fair, steps, st0, vst0, sw0,
               vsw0, ahead, g);
    COSTS(come_back, effort);
    TIME(t);

    NOMINAL(push, 0.5, "N s", "impulse at the hip, forwards");
    NOMINAL(gain, 0.5, "N m s/rad", "torque at the hip by the rate after a strike");
    NOMINAL(slope, 3*pi/180, "rad", "slope");
    NOMINAL(m, 5, "kg", "mass of a leg");
    NOMINAL(m_H, 10, "kg", "mass of the hip");
    NOMINAL(a, 0.5, "m", "from the foot to the mass of a leg");
    NOMINAL(b, 0.5, "m", "from there to the hip");
    NOMINAL(t_push, 0.1, "s", "time of the push");
    FIXED(near, 0.02, "1", "distance from the periodic gait that counts as back");
    FIXED(fair, 1, "N s", "push that is worth that distance");
    FIXED(steps, 4, "1", "number of strikes");
    FIXED(st0, -0.2187, "rad", "periodic gait: angle of the standing leg");
    FIXED(sw0, 0.3234, "rad", "periodic gait: angle of the swinging leg");
    FIXED(vst0, 1.0918, "rad/s", "periodic gait: rate of the standing leg");
    FIXED(vsw0, 0.3772, "rad/s", "periodic gait: rate of the swinging leg");
    FIXED(ahead, 0.2, "rad", "angle between the legs from which strikes count");
    FIXED(g, 9.8, "m/s^2", "gravity");

    LET(l, a + b);
    LET(C, cos(st - sw));
    LET(torque, gain*(late - vst0));
    static const char *const name[] = {"until-push", "behind", "in-front"};
    struct mode *mode[3];
    for (int i = 0; i < 3; i++) {
        mode[i] = model_mode(model, name[i]);
        model_kinetic(model, EQ((m*a*a + m_H*l*l)*vst*vst/2));
        model_kinetic(model, EQ(m*(l*l*vst*vst + b*b*vsw*vsw - 2*l*b*C*vst*vsw)/2));
        model_potential(model, EQ(g*(m*a + m_H*l + m*l)*cos(st) - g*m*b*cos(sw)));
        model_force(model, EQ(sw - st), EQ(torque));
        model->g[1] = EQ(torque*torque);
        mode[i]->power = EQ(torque*(vsw - vst));
    }
    /* The energy, from the velocities of hip and masses. */
    LET(u, l*cos(st)*vst - b*cos(sw)*vsw);
    LET(w, b*sin(sw)*vsw - l*sin(st)*vst);
    model->energy = EQ((m_H*l*l + m*a*a)*vst*vst/2 + m*(u*u + w*w)/2 +
                       g*(m_H*l*cos(st) + m*a*cos(st) + m*(l*cos(st) - b*cos(sw))));
    struct mode *behind = mode[1], *in_front = mode[2];

    /* M dv = l cos(st) push on the standing angle, nothing on the swinging one. */
    struct event *hit = model_event(model, "push", mode[0], behind,
                                    EQ(t - t_push), RISING);
    LET(S, sin(st - sw));
    LET(kick, l*cos(st)*push/(m*a*a + m_H*l*l + m*l*l*S*S));
    hit->v_plus[0] = EQ(vst + kick);
    hit->v_plus[1] = EQ(vsw + l*C*kick/b);
    event_balance(hit, "momentum of the swinging leg about the hip",
                  EQ(b*vsw_plus - l*C*vst_plus), EQ(b*vsw - l*C*vst));
    event_balance(hit, "momentum about the foot",
                  EQ((m*a*a + m_H*l*l + m*l*(l - b*C))*(vst_plus - vst) +
                     m*b*(b - l*C)*(vsw_plus - vsw)), EQ(l*cos(st)*push));

    model_event(model, "legs-pass", behind, in_front, EQ(st - sw - ahead), RISING);
    LET(moment, (m_H*l*l + m*a*l)*C*vst - m*a*b*vsw);
    LET(rate, moment/(m_H*l*l + m*a*a + m*l*l*S*S));
    for (int i = 0; i < 2; i++) {
        struct event *strike = model_event(model, i == 0 ? "strike" : "last-strike",
                                           in_front, behind, EQ(st + sw - 2*slope),
                                           RISING);
        strike->q_plus[0] = EQ(sw);
        strike->q_plus[1] = EQ(st);
        strike->v_plus[0] = EQ(rate);
        strike->v_plus[1] = EQ((l*C*rate - a*vst)/b);
        strike->s_plus[0] = EQ(rate);
        strike->s_plus[1] = EQ(count + 1);
        event_balance(strike, "momentum about the new foot",
                      EQ((m_H*l*l + m*a*a + m*l*(l - b*C))*vst_plus +
                         m*b*(b - l*C)*vsw_plus),
                      EQ((m_H*l*l + 2*m*a*l)*C*vst - m*a*b*(vst + vsw)));
        event_balance(strike, "momentum about the hip", EQ(b*vsw_plus - l*C*vst_plus),
                      EQ(-a*vst));
        event_balance(strike, "both feet on the slope", EQ(st_plus + sw_plus),
                      EQ(2*slope));
        event_balance(strike, "the legs change names", EQ(st_plus - sw_plus),
                      EQ(sw - st));
        event_balance(strike, "rate that is kept", EQ(late_plus), EQ(vst_plus));
        event_balance(strike, "strikes so far", EQ(count_plus - 1), EQ(count));
        if (i == 0)
            event_require(strike, EQ(steps - count - 1.5));
        else
            strike->terminal = true;
    }

    LET(far2, (st - st0)*(st - st0) + (sw - sw0)*(sw - sw0) + (vst - vst0)*(vst - vst0) +
              (vsw - vsw0)*(vsw - vsw0));
    model->w[0] = EQ(far2/(near*near) - push/fair);

    model->q0[0] = EQ(st0);
    model->q0[1] = EQ(2*slope - st0);
    model->v0[0] = EQ(vst0);
    model->v0[1] = EQ(vsw0);
    model->s0[0] = EQ(vst0);
    model->s0[1] = EQ(0);
    model->t_end = EQ(6);

    DRAW_LINE(0, 0, l*sin(st), l*cos(st));
    DRAW_LINE(l*sin(st), l*cos(st), l*(sin(st) - sin(sw)), l*(cos(st) - cos(sw)));
}

CASE(compass_gait_pushed,
    .name = "compass-gait-pushed",
    .title = "compass gait pushed at the hip: which push does it survive?",
    .source = "walker of Goswami, Thuilot, Espiau 1996",
    .declared = "the push, the feedback, the cost",
    .classes = "velocity-jump, position-jump, state-jump, time-dependent-guard, "
               "state-dependent-guard, parameter-dependent-guard, conditional, "
               "moving-end, unconstrained, walking",
    .record = record);
