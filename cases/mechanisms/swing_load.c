/*
 * swing_load.c - an inelastic collision whose mass matrix depends on a latched state:
 * swing-load, swing-load-angle.
 *
 * A bob on a rope meets a slide at rest, which is from then on pushed along its
 * horizontal rail, and is part of the mass matrix through a latched state, not through a
 * mode.
 *
 *     M = [m + taken  0; 0  m],  taken' = 0;  at x = x_take: taken+ = load and
 *     M+ v+ - M- v- + Phi_q' J = 0, Phi_q v+ = 0 (Corner et al. 2019 (82))
 *
 * M after the event is that with taken+; with the state before, it would give v+ = v-.
 * The twin is the same swing in its angle, with two modes and the jump of v written out.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x, y);
    AUXILIARY(taken);
    PARAMETERS(g, l, m, load, x_take, th0);
    COSTS(speed);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1.2, "m", "length of the rope");
    NOMINAL(m, 2, "kg", "mass of the bob");
    NOMINAL(load, 0.7, "kg", "mass of the slide");
    NOMINAL(x_take, 0.3, "m", "where the slide is met");
    NOMINAL(th0, 0.9, "rad", "initial angle, at rest");

    struct mode *light = model_mode(model, "light");
    struct mode *heavy = NULL;
    for (int k = 0; k < 2; k++) {
        model->M[0][0] = EQ(m + taken);
        model->M[1][1] = EQ(m);
        model->F[1] = EQ(-m*g);
        model->Phi[0] = EQ((x*x + y*y - l*l)/2);
        model->g[0] = EQ(vx*vx + vy*vy);
        if (k == 0)
            heavy = model_mode(model, "heavy");
    }
    model->energy = EQ(((m + taken)*vx*vx + m*vy*vy)/2 + m*g*y);

    struct event *take = model_event(model, "take", light, heavy, EQ(x - x_take),
                                     FALLING);
    event_impulse_joints(take);
    take->s_plus[0] = EQ(load);

    model->q0[0] = EQ(l*sin(th0));
    model->q_guess[1] = EQ(-l);
    model->v0[0] = EQ(0);
    model->s0[0] = EQ(0*m);
    model->t_end = EQ(1.5);

    TWIN("swing-load-angle", th);
    EQUAL("x of the bob", x, l*sin(th));
    EQUAL("y of the bob", y, -l*cos(th));
    DRAW_LINE(0, 0, x, y);
}

CASE(swing_load,
    .name = "swing-load",
    .title = "bob on a rope that pushes a slide: a mass that is latched",
    .source = "textbook; inelastic collision",
    .declared = "nominal values; the slide was at rest and stays with the bob",
    .classes = "impulse, velocity-jump, position-jump, state-dependent-guard, "
               "parameter-dependent-guard, constrained",
    .record = record);

static void record_angle(struct model *model)
{
    COORDINATES(th);
    PARAMETERS(g, l, m, load, x_take, th0);
    COSTS(speed);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1.2, "m", "length of the rope");
    NOMINAL(m, 2, "kg", "mass of the bob");
    NOMINAL(load, 0.7, "kg", "mass of the slide");
    NOMINAL(x_take, 0.3, "m", "where the slide is met");
    NOMINAL(th0, 0.9, "rad", "initial angle, at rest");

    struct mode *light = model_mode(model, "light");
    model->M[0][0] = EQ(m*l*l);
    model->F[0] = EQ(-m*g*l*sin(th));
    model->g[0] = EQ(l*l*vth*vth);
    struct mode *heavy = model_mode(model, "heavy");
    model->M[0][0] = EQ((m + load*cos(th)*cos(th))*l*l);
    model->F[0] = EQ(-m*g*l*sin(th) + load*l*l*cos(th)*sin(th)*vth*vth);
    model->g[0] = EQ(l*l*vth*vth);

    struct event *take = model_event(model, "take", light, heavy,
                                     EQ(l*sin(th) - x_take), FALLING);
    take->v_plus[0] = EQ(m/(m + load*cos(th)*cos(th))*vth);

    model->q0[0] = EQ(th0);
    model->v0[0] = EQ(0);
    model->t_end = EQ(1.5);

    TWIN("swing-load", x, y);
    EQUAL("sine of the angle", sin(th), x/l);
    EQUAL("cosine of the angle", cos(th), -y/l);
    DRAW_LINE(0, 0, l*sin(th), -l*cos(th));
}

CASE(swing_load_angle,
    .name = "swing-load-angle",
    .title = "the same in its angle, the jump of the velocity written out",
    .source = "textbook; inelastic collision",
    .declared = "nominal values; the slide was at rest and stays with the bob",
    .classes = "velocity-jump, mass-change, force-change, state-dependent-guard, "
               "parameter-dependent-guard, unconstrained",
    .record = record_angle);
