/*
 * rotor_feeler.c - bad scaling (rotor-feeler, rotor-feeler-metres): a feeler for
 * micrometres beside a heavy rotor.
 *
 *     phi the rotor, in rad; y a follower on its eccentric and u the tip of the feeler,
 *     in micrometres:  y = h sin phi
 *
 *     J phi'' = T - d phi'     mf y'' = -p/um - kf y     mu u'' = -k (u - u0) - c u'
 *
 *     hit   u = y falling: an impulse between tip and follower, restitution e, the
 *           eccentric being a joint
 *
 * The first case has the numbers of a workshop: um is a micrometre in metres, energies
 * are joules. One entry of the mass matrix is 120, another 5e-15; angles reach 10,
 * heights 40, speeds 20 and 1000. Impacts change the rotor in its sixteenth digit.
 *
 * The second case has metres, no follower, and the jump written out.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(phi, y, u);
    PARAMETERS(J, T, d, w0, h, mf, p, kf, mu, k, c, u0, e, um);
    MULTIPLIERS(push);
    COSTS(heat, gap);

    NOMINAL(J, 120, "kg m^2", "inertia of the rotor");
    NOMINAL(T, 900, "N m", "torque");
    NOMINAL(d, 15, "N m s", "friction of the rotor");
    NOMINAL(w0, 18, "rad/s", "speed of the rotor at the start");
    NOMINAL(h, 40, "um", "eccentricity");
    FIXED(mf, 0.03, "kg", "mass of the follower");
    FIXED(p, 0.2, "N", "force that closes the follower");
    FIXED(kf, 500, "N/m", "stiffness behind the follower");
    NOMINAL(mu, 0.005, "kg", "mass of the feeler");
    NOMINAL(k, 20, "N/m", "stiffness of the feeler");
    NOMINAL(c, 0.02, "N s/m", "damping of the feeler");
    NOMINAL(u0, 30, "um", "where the tip of the feeler rests");
    NOMINAL(e, 0.6, "1", "coefficient of restitution");
    FIXED(um, 1e-6, "m/um", "a micrometre");

    struct mode *turning = model_mode(model, "turning");
    model->M[0][0] = EQ(J);
    model->M[1][1] = EQ(mf*um*um);
    model->M[2][2] = EQ(mu*um*um);
    model->F[0] = EQ(T - d*vphi);
    model->F[1] = EQ(-p*um - kf*um*um*y);
    model->F[2] = EQ(-um*um*(k*(u - u0) + c*vu));
    model->Phi[0] = EQ(y - h*sin(phi));
    model->g[0] = EQ(d*vphi*vphi);
    model->g[1] = EQ(u - y);

    struct event *hit = model_event(model, "hit", turning, turning, EQ(u - y), FALLING);
    event_impulse(hit, EQ(u - y), EQ(e));
    event_impulse_joints(hit);

    model->q0[0] = EQ(0);
    model->q0[1] = EQ(0);
    model->q0[2] = EQ(u0);
    model->v0[0] = EQ(w0);
    model->v0[1] = EQ(h*w0);
    model->v0[2] = EQ(0);
    model->t_end = EQ(0.5);

    TWIN("rotor-feeler-metres", turn, tip);
    EQUAL("angle of the rotor", phi, turn);
    EQUAL("height of the follower", y, h*sin(turn));
    EQUAL("height of the tip", u, tip/um);
    DRAW_LINE(-10, y, 10, y);
    DRAW_LINE(0, u, 30, u0);
    DRAW_LINE(0, 0, h*cos(phi), h*sin(phi));
}

CASE(rotor_feeler,
    .name = "rotor-feeler",
    .title = "a feeler hit by micrometres, beside a rotor of 120 kg m^2",
    .source = "this file",
    .declared = "the model and all its values",
    .classes = "impulse, velocity-jump, state-dependent-guard, constrained",
    .record = record);

static void record_metres(struct model *model)
{
    COORDINATES(turn, tip);
    PARAMETERS(J, T, d, w0, h, mf, p, kf, mu, k, c, u0, e, um);
    COSTS(heat, gap);

    NOMINAL(J, 120, "kg m^2", "inertia of the rotor");
    NOMINAL(T, 900, "N m", "torque");
    NOMINAL(d, 15, "N m s", "friction of the rotor");
    NOMINAL(w0, 18, "rad/s", "speed of the rotor at the start");
    NOMINAL(h, 40, "um", "eccentricity");
    FIXED(mf, 0.03, "kg", "mass of the follower");
    FIXED(p, 0.2, "N", "force that closes the follower");
    FIXED(kf, 500, "N/m", "stiffness behind the follower");
    NOMINAL(mu, 0.005, "kg", "mass of the feeler");
    NOMINAL(k, 20, "N/m", "stiffness of the feeler");
    NOMINAL(c, 0.02, "N s/m", "damping of the feeler");
    NOMINAL(u0, 30, "um", "where the tip of the feeler rests");
    NOMINAL(e, 0.6, "1", "coefficient of restitution");
    FIXED(um, 1e-6, "m/um", "a micrometre");

    /* The follower, as (r sin, arm turn'), contributes to the inertia of the rotor. */
    LET(r, h*um);
    LET(arm, r*cos(turn));
    LET(inertia, J + mf*arm*arm);
    struct mode *turning = model_mode(model, "turning");
    model->M[0][0] = EQ(inertia);
    model->M[1][1] = EQ(mu);
    model->F[0] = EQ(T - d*vturn + mf*arm*r*sin(turn)*vturn*vturn
                     - (p + kf*r*sin(turn))*arm);
    model->F[1] = EQ(-k*(tip - um*u0) - c*vtip);
    model->g[0] = EQ(d*vturn*vturn);
    model->g[1] = EQ(tip/um - h*sin(turn));

    LET(blow, (1 + e)*(arm*vturn - vtip)/(1/mu + arm*arm/inertia));
    struct event *hit = model_event(model, "hit", turning, turning,
                                    EQ(tip - r*sin(turn)), FALLING);
    hit->v_plus[0] = EQ(vturn - blow*arm/inertia);
    hit->v_plus[1] = EQ(vtip + blow/mu);

    model->q0[0] = EQ(0);
    model->q0[1] = EQ(um*u0);
    model->v0[0] = EQ(w0);
    model->v0[1] = EQ(0);
    model->t_end = EQ(0.5);

    TWIN("rotor-feeler", phi, y, u);
    EQUAL("angle of the rotor", turn, phi);
    EQUAL("height of the follower", h*sin(turn), y);
    EQUAL("height of the tip", tip/um, u);
    DRAW_LINE(0, 0, 40*cos(turn), 40*sin(turn));
    DRAW_LINE(-10, h*sin(turn), 10, h*sin(turn));
    DRAW_LINE(0, tip/um, 30, u0);
}

CASE(rotor_feeler_metres,
    .name = "rotor-feeler-metres",
    .title = "the same in metres and without the follower, the jump written out",
    .source = "this file",
    .declared = "the model and all its values",
    .classes = "velocity-jump, state-dependent-guard, parameter-dependent-guard, "
               "unconstrained",
    .record = record_metres);
