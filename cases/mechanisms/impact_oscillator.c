/*
 * impact_oscillator.c - the driven impact oscillator (impact-oscillator; Dankowicz; COCO
 * demo hspo), with the phase of the drive as a state.
 *
 *     m x'' + c x' + k x = A cos phase        phase' = w
 *
 *     impact   x = q_c rising:        x'+ = -e x'
 *     phase    phase = 2 pi rising:   phase+ = phase - 2 pi
 *     turning  x' = 0:                nothing jumps
 *
 * Between impacts the motion is a decaying oscillation and a steady one. The equations
 * are linear but for the sign of x - q_c, so lengths may be scaled together: from the
 * start (x0, v0), with X any of x, x', x'',
 *
 *     A X_A + q_c X_qc + x0 X_x0 + v0 X_v0 = X
 *
 * and times of events do not change. Areas of the phase plane shrink by exp(-c t/m) and
 * by e^2 at an impact; over a period of a periodic motion with one impact this is the
 * product of its multipliers, e^2 exp(-2 pi c/(m w)).
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(k, c, A, w, q_c, e, x0, v0, m);
    AUXILIARY(phase);
    COSTS(work, heat, loss);

    NOMINAL(k, 1, "N/m", "stiffness");
    NOMINAL(c, 0.1, "N s/m", "damping");
    NOMINAL(A, 1, "N", "amplitude of the drive");
    NOMINAL(w, 1, "rad/s", "frequency of the drive");
    NOMINAL(q_c, 1, "m", "place of the wall");
    NOMINAL(e, 0.8, "1", "coefficient of restitution");
    NOMINAL(x0, 0, "m", "initial position");
    NOMINAL(v0, -0.1, "m/s", "initial velocity");
    FIXED(m, 1, "kg", "mass");

    struct mode *smooth = model_mode(model, "smooth");
    LET(drive, A*cos(phase));
    model->M[0][0] = EQ(m);
    model->F[0] = EQ(drive - c*vx - k*x);
    model->f_s[0] = EQ(w);
    model->g[0] = EQ(drive*vx);
    model->g[1] = EQ(c*vx*vx);

    struct event *impact = model_event(model, "impact", smooth, smooth, EQ(x - q_c),
                                       RISING);
    impact->v_plus[0] = EQ(-e*vx);
    impact->cost[2] = EQ(m*vx*vx*(1 - e*e)/2);
    struct event *wrap = model_event(model, "phase", smooth, smooth, EQ(phase - 2*pi),
                                     RISING);
    wrap->s_plus[0] = EQ(phase - 2*pi);
    model_event(model, "turning", smooth, smooth, EQ(vx), EITHER);

    model->q0[0] = EQ(x0);
    model->v0[0] = EQ(v0);
    model->s0[0] = EQ(0);
    model->t_end = EQ(20);

    DRAW_POINT(x, 0);
    DRAW_LINE(q_c, -1, q_c, 1);
}

CASE(impact_oscillator,
    .name = "impact-oscillator",
    .title = "driven oscillator hitting a wall, the phase of the drive as a state",
    .source = "Dankowicz, multiple shooting notes, (1)-(8); data of the COCO demo hspo",
    .declared = "start near rest, off the periodic motion; costs",
    .classes = "velocity-jump, state-jump, state-dependent-guard, "
               "parameter-dependent-guard, velocity-dependent-guard, unconstrained",
    .record = record);
