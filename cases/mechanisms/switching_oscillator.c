/*
 * switching_oscillator.c - a switched force, an identity reset (switching-oscillator;
 * Corner, Sandu, Sandu 2019, Theorem 4): a mass on a spring follows d cos(w t) by a force
 * of constant size whose sign a controller chooses from position and velocity.
 *
 *     m x'' + c x' + k x = +f  (push)  or  -f  (pull)
 *     r = x + beta x' - d cos(w t):   push -> pull at r = 0 rising, pull -> push falling
 *
 * Nothing jumps but the acceleration: an identity reset across a corner of the vector
 * field, Corner et al. 2019, Theorem 4. The guard depends on t, q, v and parameters, so
 * no term of dt_e/drho is zero. Across the switch the rate of the guard changes by -2
 * beta f/m; f is so small that the rate keeps its sign, else the motion would slide.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(m, k, c, f, beta, d, w, x0, v0);
    COSTS(error, work);
    TIME(t);

    NOMINAL(m, 2, "kg", "mass");
    NOMINAL(k, 3, "N/m", "stiffness");
    NOMINAL(c, 0.3, "N s/m", "damping");
    NOMINAL(f, 1.5, "N", "size of the force");
    NOMINAL(beta, 0.3, "s", "weight of the velocity");
    NOMINAL(d, 1.2, "m", "amplitude of the path to be followed");
    NOMINAL(w, 2, "rad/s", "frequency of that path");
    FIXED(x0, 0, "m", "initial position");
    FIXED(v0, 0.5, "m/s", "initial velocity");

    LET(r, x + beta*vx - d*cos(w*t));
    struct mode *push = model_mode(model, "push");
    model->M[0][0] = EQ(m);
    model->F[0] = EQ(f - c*vx - k*x);
    model->g[0] = EQ(r*r);
    model->g[1] = EQ(f*vx);
    struct mode *pull = model_mode(model, "pull");
    model->M[0][0] = EQ(m);
    model->F[0] = EQ(-f - c*vx - k*x);
    model->g[0] = EQ(r*r);
    model->g[1] = EQ(-f*vx);

    model_event(model, "above", push, pull, EQ(r), RISING);
    model_event(model, "below", pull, push, EQ(r), FALLING);

    model->q0[0] = EQ(x0);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(10);
}

CASE(switching_oscillator,
    .name = "switching-oscillator",
    .title = "oscillator whose force changes sign on a moving line of the phase plane",
    .source = "Corner, Sandu, Sandu 2019, Theorem 4",
    .declared = "the mechanism and all its values",
    .classes = "force-change, identity-reset, time-dependent-guard, "
               "parameter-dependent-guard, state-dependent-guard, "
               "velocity-dependent-guard, unconstrained",
    .record = record);
