/*
 * clocked_oscillator.c - a sampled-data oscillator (clocked-oscillator), driven by pulses
 * of force f that begin every T seconds and last d T.
 *
 *     m x'' + c x' + k x = f  (on)  or  0  (off)
 *     on -> off at t = tick + d T          off -> on at t = tick + T:  tick+ = tick + T
 *
 * The clock is a latched value: the auxiliary state `tick` is the time at which the
 * present pulse began, constant but for the reset, and has derivatives of its own. Event
 * times are known: the j-th pulse begins at j T and ends at (j + d) T. Nothing but the
 * acceleration jumps; every arc is a damped oscillation, so all of it has a closed form.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(k, c, f, T, d, m, x0, v0);
    AUXILIARY(tick);
    COSTS(work, heat);
    TIME(t);

    NOMINAL(k, 4, "N/m", "stiffness");
    NOMINAL(c, 0.2, "N s/m", "damping");
    NOMINAL(f, 1.5, "N", "force of a pulse");
    NOMINAL(T, 1.7, "s", "time from pulse to pulse");
    NOMINAL(d, 0.4, "1", "part of that time in which the force acts");
    NOMINAL(m, 1, "kg", "mass");
    FIXED(x0, 0.1, "m", "initial position");
    FIXED(v0, 0, "m/s", "initial velocity");

    struct mode *on = model_mode(model, "on");
    model->M[0][0] = EQ(m);
    model->F[0] = EQ(f - c*vx - k*x);
    model->g[0] = EQ(f*vx);
    model->g[1] = EQ(c*vx*vx);
    struct mode *off = model_mode(model, "off");
    model->M[0][0] = EQ(m);
    model->F[0] = EQ(-c*vx - k*x);
    model->g[1] = EQ(c*vx*vx);

    model_event(model, "end", on, off, EQ(t - tick - d*T), RISING);
    struct event *begin = model_event(model, "begin", off, on, EQ(t - tick - T), RISING);
    begin->s_plus[0] = EQ(tick + T);

    /* Pulses give energy or take it, and the damper takes it. */
    model->energy = EQ(m*vx*vx/2 + k*x*x/2);
    on->power = EQ(f*vx - c*vx*vx);
    off->power = EQ(-c*vx*vx);
    event_balance(begin, "pulse begins now", EQ(tick_plus), EQ(t));

    model->q0[0] = EQ(x0);
    model->v0[0] = EQ(v0);
    model->s0[0] = EQ(0);
    model->t_end = EQ(8);
}

CASE(clocked_oscillator,
    .name = "clocked-oscillator",
    .title = "oscillator driven by pulses of a clock",
    .source = "Corner, Sandu, Sandu 2019, Theorem 4",
    .declared = "the mechanism and all its values",
    .classes = "force-change, identity-reset, state-jump, time-dependent-guard, "
               "state-dependent-guard, parameter-dependent-guard, unconstrained",
    .record = record);
