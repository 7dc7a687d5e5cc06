/*
 * crane_winch.c - a crane with a rope of variable length, a constraint that depends on
 * auxiliary states: crane-winch, crane-winch-polar.
 *
 * A winch lets a load on a rope out of a trolley, until the drum meets a stop and springs
 * back.
 *
 *     (X, 0) the trolley, (x, y) the load, phi the angle of the drum, s the rope let out
 *     Phi = ((x - X)^2 + y^2 - s^2)/2        s' = R phi' - c y'
 *
 *     stop   lower -> off  phi = end rising: the drum springs back with restitution e;
 *            the rope, a joint, gives load and trolley the impulse along it; the motor is
 *            switched off, and a brake slows the drum
 *
 * The length is a state whose rate depends on velocities, so that d Phid/dv is not Phi_q:
 * the drum moves the rope, and a second winch lets out c times the fall of the load. Worm
 * gears keep the force of the rope from both. The drum is still at the start, so that its
 * torque speeds it up against its friction.
 *
 * The second case counts the angle th of the rope. The rate of the length is integrable
 * there: r (1 - c cos th) = l + R phi - c l cos th0. The force of the rope acts along the
 * rope alone, so its equations are those of the load along and across it.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(X, phi, x, y);
    AUXILIARY(s);
    PARAMETERS(g, M, m, J, T, d, k, b, R, c, l, e, end, th0);
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
    NOMINAL(c, 0.3, "1", "what the second winch lets out of the fall of the load");
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
        model->f_s[0] = EQ(R*vphi - c*vy);
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
    EQUAL("x of the load", x,
          rail + (l + R*drum - c*l*cos(th0))/(1 - c*cos(th))*sin(th));
    EQUAL("y of the load", y, -(l + R*drum - c*l*cos(th0))/(1 - c*cos(th))*cos(th));
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
    PARAMETERS(g, M, m, J, T, d, k, b, R, c, l, e, end, th0);
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
    NOMINAL(c, 0.3, "1", "what the second winch lets out of the fall of the load");
    NOMINAL(l, 1, "m", "length of the rope at the start");
    NOMINAL(e, 0.4, "1", "coefficient of restitution of the stop");
    NOMINAL(end, 6, "rad", "where the stop of the drum is");
    NOMINAL(th0, 0.6, "rad", "angle of the rope at the start, at rest");

    /* r, its derivatives, and the part of its second rate without accelerations. */
    LET(D, 1 - c*cos(th));
    LET(r, (l + R*drum - c*l*cos(th0))/D);
    LET(r_drum, R/D);
    LET(r_th, -r*c*sin(th)/D);
    LET(r_thth, r*(2*c*c*sin(th)*sin(th)/D - c*cos(th))/D);
    LET(vr, r_drum*vdrum + r_th*vth);
    LET(bend, r_thth*vth*vth - 2*r_drum*c*sin(th)/D*vdrum*vth);
    LET(driven, T - d*vdrum);
    LET(braked, -(d + k)*vdrum);

    /* Across the rope  r th'' + 2 r' th' = -g sin th - X'' cos th;  along it the pull is
       P = m (g cos th + r th'^2 - r'' - X'' sin th), and M X'' = P sin th - b X'. With
       th'' from the first, the trolley has the mass M + m felt. */
    LET(across, -g*sin(th) - 2*vr*vth);
    LET(along, g*cos(th) + r*vth*vth - bend - r_th*across/r);
    LET(felt, sin(th)*sin(th) - r_th*cos(th)*sin(th)/r);
    LET(push_driven, m*sin(th)*(along - r_drum*driven/J) - b*vrail);
    LET(push_braked, m*sin(th)*(along - r_drum*braked/J) - b*vrail);
    struct mode *lower = model_mode(model, "lower");
    struct mode *off = NULL;
    for (int i = 0; i < 2; i++) {
        model->M[0][0] = EQ(M + m*felt);
        model->M[1][1] = EQ(J);
        model->M[2][2] = EQ(r*(M + m*felt));
        model->F[0] = i == 0 ? EQ(push_driven) : EQ(push_braked);
        model->F[1] = i == 0 ? EQ(driven) : EQ(braked);
        model->F[2] = i == 0 ? EQ(across*(M + m*felt) - cos(th)*push_driven)
                             : EQ(across*(M + m*felt) - cos(th)*push_braked);
        model->g[0] = EQ(r*r*sin(th)*sin(th));
        if (i == 0)
            off = model_mode(model, "off");
    }

    LET(kick, (1 + e)*r_drum*vdrum/(1/m + felt/M));
    LET(rail_after, vrail + kick*sin(th)/M);
    LET(th_after, vth - kick*sin(th)*cos(th)/(M*r));
    LET(vr_after, -e*r_drum*vdrum + r_th*th_after);
    struct event *stop = model_event(model, "stop", lower, off, EQ(drum - end), RISING);
    stop->v_plus[0] = EQ(rail_after);
    stop->v_plus[1] = EQ(-e*vdrum);
    stop->v_plus[2] = EQ(th_after);
    stop->cost[1] = EQ(sin(th)*r*(th_after - vth) - cos(th)*(vr_after - vr));

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
    EQUAL("x of the load", rail + r*sin(th), x);
    EQUAL("y of the load", -r*cos(th), y);
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
