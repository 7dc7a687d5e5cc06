/*
 * crane-winch, crane-winch-polar: a load on a rope that a winch lets out of a trolley,
 * until the drum meets a stop and springs back.
 *
 *     (X, 0) the trolley, (x, y) the load, phi the angle of the drum, s the rope let out
 *     Phi = ((x - X)^2 + y^2 - s^2)/2        s' = R phi'
 *
 *     stop   lower -> off  phi = end rising: the drum springs back with restitution e;
 *            the rope, a joint, gives load and trolley the impulse along it; the motor is
 *            switched off, and a brake slows the drum
 *
 * The length is a state whose rate depends on velocities, so that d Phid/dv is not Phi_q:
 * the drum moves the rope, and a worm gear keeps the force of the rope from the drum. The
 * drum is still at the start, so that its torque speeds it up against its friction.
 *
 * The second case counts the angle of the rope and knows no length but l + R phi.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(X, phi, x, y);
    AUXILIARY(s);
    PARAMETERS(g, M, m, J, T, d, k, b, R, l, e, end, th0);
    MULTIPLIERS(pull);
    COSTS(swing, jerk);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(M, 3, "kg", "mass of the trolley");
    NOMINAL(m, 2, "kg", "mass of the load");
    NOMINAL(J, 0.05, "kg m^2", "inertia of the drum");
    NOMINAL(T, 1.5, "N m", "torque of the motor, behind the worm gear");
    NOMINAL(d, 0.2, "N m s", "friction of the drum");
    NOMINAL(k, 0.1, "N m s", "what the brake adds to it");
    NOMINAL(b, 0.6, "N s/m", "friction of the trolley");
    NOMINAL(R, 0.1, "m", "radius of the drum");
    NOMINAL(l, 1, "m", "length of the rope at the start");
    NOMINAL(e, 0.4, "1", "coefficient of restitution of the stop");
    NOMINAL(end, 6, "rad", "where the stop of the drum is");
    NOMINAL(th0, 0.6, "rad", "angle of the rope at the start, at rest");

    struct mode *lower = model_mode(model, "lower");
    struct mode *off = NULL;
    for (int i = 0; i < 2; i++) {
        model->M[0][0] = EQ(M);
        model->M[1][1] = EQ(J);
        model->M[2][2] = EQ(m);
        model->M[3][3] = EQ(m);
        model->F[0] = EQ(-b*vX);
        model->F[1] = i == 0 ? EQ(T - d*vphi) : EQ(-(d + k)*vphi);
        model->F[3] = EQ(-m*g);
        model->Phi[0] = EQ(((x - X)*(x - X) + y*y - s*s)/2);
        model->f_s[0] = EQ(R*vphi);
        model->g[0] = EQ((x - X)*(x - X));
        if (i == 0)
            off = model_mode(model, "off");
    }

    struct event *stop = model_event(model, "stop", lower, off, EQ(phi - end), RISING);
    event_impulse(stop, EQ(phi), EQ(e));
    event_impulse_joints(stop);
    stop->cost[1] = EQ(vy_plus - vy);

    model->q0[0] = EQ(0);
    model->q0[1] = EQ(0);
    model->q0[2] = EQ(l*sin(th0));
    model->q_guess[3] = EQ(-l);
    model->v0[0] = EQ(0);
    model->v0[1] = EQ(0);
    model->v0[2] = EQ(0);
    model->s0[0] = EQ(l);
    model->t_end = EQ(2);

    TWIN("crane-winch-polar", rail, drum, th);
    EQUAL("place of the trolley", X, rail);
    EQUAL("angle of the drum", phi, drum);
    EQUAL("x of the load", x, rail + (l + R*drum)*sin(th));
    EQUAL("y of the load", y, -(l + R*drum)*cos(th));
    DRAW_LINE(X, 0, x, y);
    DRAW_LINE(X, 0, X + R*cos(phi), R*sin(phi));
    DRAW_POINT(x, y);
}

CASE(crane_winch,
    .name = "crane-winch",
    .title = "a crane lets its load down until the drum of the winch meets a stop",
    .source = "this file; the crane of textbooks with a rope of variable length",
    .declared = "the model and all its values; the drum does not feel the rope",
    .classes = "impulse, velocity-jump, force-change, state-dependent-guard, "
               "parameter-dependent-guard, constrained",
    .record = record);

static void record_polar(struct model *model)
{
    COORDINATES(rail, drum, th);
    PARAMETERS(g, M, m, J, T, d, k, b, R, l, e, end, th0);
    COSTS(swing, jerk);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(M, 3, "kg", "mass of the trolley");
    NOMINAL(m, 2, "kg", "mass of the load");
    NOMINAL(J, 0.05, "kg m^2", "inertia of the drum");
    NOMINAL(T, 1.5, "N m", "torque of the motor, behind the worm gear");
    NOMINAL(d, 0.2, "N m s", "friction of the drum");
    NOMINAL(k, 0.1, "N m s", "what the brake adds to it");
    NOMINAL(b, 0.6, "N s/m", "friction of the trolley");
    NOMINAL(R, 0.1, "m", "radius of the drum");
    NOMINAL(l, 1, "m", "length of the rope at the start");
    NOMINAL(e, 0.4, "1", "coefficient of restitution of the stop");
    NOMINAL(end, 6, "rad", "where the stop of the drum is");
    NOMINAL(th0, 0.6, "rad", "angle of the rope at the start, at rest");

    /* The length r of the rope is led: its second rate stands among the forces. */
    LET(r, l + R*drum);
    LET(vr, R*vdrum);
    LET(driven, T - d*vdrum);
    LET(braked, -(d + k)*vdrum);
    LET(rest, 2*vr*vth*cos(th) - r*vth*vth*sin(th));
    struct mode *lower = model_mode(model, "lower");
    struct mode *off = NULL;
    for (int i = 0; i < 2; i++) {
        model->M[0][0] = EQ(M + m);
        model->M[0][2] = EQ(m*r*cos(th));
        model->M[1][1] = EQ(J);
        model->M[2][2] = EQ(m*r*r);
        model->F[0] = i == 0 ? EQ(-b*vrail - m*(R*driven/J*sin(th) + rest))
                             : EQ(-b*vrail - m*(R*braked/J*sin(th) + rest));
        model->F[1] = i == 0 ? EQ(driven) : EQ(braked);
        model->F[2] = EQ(-m*r*(2*vr*vth + g*sin(th)));
        model->g[0] = EQ(r*r*sin(th)*sin(th));
        if (i == 0)
            off = model_mode(model, "off");
    }

    LET(kick, (1 + e)*vr/(1/m + sin(th)*sin(th)/M));
    struct event *stop = model_event(model, "stop", lower, off, EQ(drum - end), RISING);
    stop->v_plus[0] = EQ(vrail + kick*sin(th)/M);
    stop->v_plus[1] = EQ(-e*vdrum);
    stop->v_plus[2] = EQ(vth - kick*sin(th)*cos(th)/(M*r));
    stop->cost[1] = EQ(kick*cos(th)/m);

    model->q0[0] = EQ(0);
    model->q0[1] = EQ(0);
    model->q0[2] = EQ(th0);
    model->v0[0] = EQ(0);
    model->v0[1] = EQ(0);
    model->v0[2] = EQ(0);
    model->t_end = EQ(2);

    TWIN("crane-winch", X, phi, x, y);
    EQUAL("place of the trolley", rail, X);
    EQUAL("angle of the drum", drum, phi);
    EQUAL("x of the load", rail + (l + R*drum)*sin(th), x);
    EQUAL("y of the load", -(l + R*drum)*cos(th), y);
    DRAW_LINE(rail, 0, rail + r*sin(th), -r*cos(th));
}

CASE(crane_winch_polar,
    .name = "crane-winch-polar",
    .title = "the same by the angle of the rope, its length being led by the drum",
    .source = "this file; the crane of textbooks with a rope of variable length",
    .declared = "the model and all its values; the drum does not feel the rope",
    .classes = "velocity-jump, force-change, state-dependent-guard, "
               "parameter-dependent-guard, unconstrained",
    .record = record_polar);
