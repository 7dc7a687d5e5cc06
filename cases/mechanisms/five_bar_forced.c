/*
 * five_bar_forced.c - the five-bar mechanism shaken at its ground (five-bar-forced;
 * geometry of Corner, Sandu, Sandu 2019, section 7): a constrained mechanism with a
 * periodic motion through impacts.
 *
 *     A --- 1 --- 2 --- 3 --- B     A = (-1/2, 0) fixed, B = (1/2 + b cos phase, 0);
 *                                   uniform bars, springs on 1-B and 2-B, a damper on
 *                                   point 2
 *
 *     phase' = w                the phase of the drive is a state
 *     phase   phase = 2 pi:     phase+ = phase - 2 pi
 *     ground  y2 = y_g falling: an impulse through all bars, restitution e
 *
 * The constraint of bar 3B depends on a state, so that B has a velocity vB in it, and an
 * acceleration aB in the inertia of that bar: its kinetic energy is that of a uniform bar
 * of mass m between two points, m/6 (v3^2 + v3 vB + vB^2).
 *
 * The start, with B farthest from A, is within a few thousandths of a periodic motion,
 * which has the period 2 pi/w, whatever the other parameters are, and one impact in it
 * (saltus orbit five-bar-forced). It is stable: of its multipliers the one in the
 * direction of the motion is 1, the largest of the others has the magnitude 0.600.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x1, y1, x2, y2, x3, y3);
    AUXILIARY(phase);
    PARAMETERS(b, w, c, e, y_g, L01, L02, L_A1, L_12, L_23, L_3B, k, g, m1, m2,
               x2_0, y2_0, vx2_0, vy2_0);
    MULTIPLIERS(lambda1, lambda2, lambda3, lambda4);
    COSTS(way, pull, heat);

    NOMINAL(b, 0.15, "m", "amplitude of B");
    NOMINAL(w, 4, "rad/s", "frequency of B");
    NOMINAL(c, 2, "N s/m", "damping of point 2");
    NOMINAL(e, 0.6, "1", "coefficient of restitution of the ground");
    NOMINAL(y_g, -2.35, "m", "height of the ground");
    NOMINAL(L01, sqrt(5), "m", "natural length of the spring 1-B");
    NOMINAL(L02, sqrt(4.25), "m", "natural length of the spring 2-B");
    NOMINAL(L_A1, sqrt(2), "m", "length of bar A1");
    FIXED(L_12, sqrt(13)/2, "m", "length of bar 12");
    FIXED(L_23, sqrt(13)/2, "m", "length of bar 23");
    FIXED(L_3B, sqrt(2), "m", "length of bar 3B");
    FIXED(k, 100, "N/m", "stiffness of both springs");
    FIXED(g, 9.81, "m/s^2", "gravity");
    FIXED(m1, 1, "kg", "mass of bars A1 and 3B");
    FIXED(m2, 1.5, "kg", "mass of bars 12 and 23");
    NOMINAL(x2_0, -0.116, "m", "initial place of point 2");
    NOMINAL(y2_0, -2.146, "m", "initial place of point 2");
    FIXED(vx2_0, 1.02, "m/s", "initial velocity of point 2");
    FIXED(vy2_0, 0.71, "m/s", "initial velocity of point 2");

    LET(xB, 0.5 + b*cos(phase));
    LET(vB, -b*w*sin(phase));
    LET(aB, -b*w*w*cos(phase));
    LET(dx1, x1 - xB);
    LET(dx2, x2 - xB);
    LET(dx3, x3 - xB);
    LET(xA, x1 + 0.5);
    LET(length1, sqrt(dx1*dx1 + y1*y1));
    LET(length2, sqrt(dx2*dx2 + y2*y2));
    LET(pull1, k*(1 - L01/length1));
    LET(pull2, k*(1 - L02/length2));

    struct mode *motion = model_mode(model, "motion");
    for (int d = 0; d < 2; d++) {
        model->M[d][d] = EQ((m1 + m2)/3);
        model->M[d][2 + d] = EQ(m2/6);
        model->M[2 + d][2 + d] = EQ(2*m2/3);
        model->M[2 + d][4 + d] = EQ(m2/6);
        model->M[4 + d][4 + d] = EQ((m1 + m2)/3);
    }
    model->F[0] = EQ(-pull1*dx1);
    model->F[1] = EQ(-pull1*y1 - (m1 + m2)*g/2);
    model->F[2] = EQ(-pull2*dx2 - c*vx2);
    model->F[3] = EQ(-pull2*y2 - m2*g - c*vy2);
    model->F[4] = EQ(-m1*aB/6);
    model->F[5] = EQ(-(m1 + m2)*g/2);
    model->f_s[0] = EQ(w);

    model->Phi[0] = EQ(xA*xA + y1*y1 - L_A1*L_A1);
    model->Phi[1] = EQ((x2 - x1)*(x2 - x1) + (y2 - y1)*(y2 - y1) - L_12*L_12);
    model->Phi[2] = EQ((x3 - x2)*(x3 - x2) + (y3 - y2)*(y3 - y2) - L_23*L_23);
    model->Phi[3] = EQ(dx3*dx3 + y3*y3 - L_3B*L_3B);

    model->g[0] = EQ(vx2*vx2 + vy2*vy2);
    model->g[1] = EQ(lambda1*lambda1);

    struct event *wrap = model_event(model, "phase", motion, motion, EQ(phase - 2*pi),
                                     RISING);
    wrap->s_plus[0] = EQ(phase - 2*pi);
    event_balance(wrap, "mean of the phases", EQ((phase + phase_plus)/2), EQ(pi));
    struct event *impact = model_event(model, "ground", motion, motion, EQ(y2 - y_g),
                                       FALLING);
    event_impulse(impact, EQ(y2 - y_g), EQ(e));
    event_impulse_joints(impact);
    impact->cost[2] = EQ(vy2*vy2);

    /* The energy is that of bars between points and of springs. Work is done by the
       damper, and at B by the bearing, by the springs and by the inertia of bar 3B. */
    LET(v11, vx1*vx1 + vy1*vy1);
    LET(v12, vx1*vx2 + vy1*vy2);
    LET(v22, vx2*vx2 + vy2*vy2);
    LET(v23, vx2*vx3 + vy2*vy3);
    LET(v33, vx3*vx3 + vy3*vy3);
    LET(kinetic, m1*(v11 + v33)/6 + m2*(v11 + v12 + v22 + v22 + v23 + v33)/6);
    LET(weights, g*(m1*(y1 + y3)/2 + m2*((y1 + y2)/2 + (y2 + y3)/2)));
    model->energy = EQ(kinetic + m1*(vx3*vB + vB*vB)/6 + weights
                       + k*(length1 - L01)*(length1 - L01)/2
                       + k*(length2 - L02)*(length2 - L02)/2);
    motion->power = EQ(-c*v22 - 2*lambda4*dx3*vB - (pull1*dx1 + pull2*dx2)*vB
                       + m1*(ax3*vB + 2*aB*vB)/6);

    event_balance(impact, "approach by separation", EQ(-vy2/vy2_plus), EQ(1/e));
    event_balance(impact, "bar A1 keeps its length", EQ(xA*vx1_plus), EQ(-y1*vy1_plus));
    event_balance(impact, "bar 12 keeps its length",
                  EQ((x2 - x1)*(vx2_plus - vx1_plus)),
                  EQ(-(y2 - y1)*(vy2_plus - vy1_plus)));
    event_balance(impact, "bar 23 keeps its length",
                  EQ((x3 - x2)*(vx3_plus - vx2_plus)),
                  EQ(-(y3 - y2)*(vy3_plus - vy2_plus)));
    event_balance(impact, "bar 3B keeps its length", EQ(dx3*(vx3_plus - vB)),
                  EQ(-y3*vy3_plus));

    /* The impulse of the ground does its work at the mean of the velocities of point 2
       before and after, the one of the bearing at vB. That one is along bar 3B, and with
       that of bar 23 makes the change (px, py) of the momentum of point 3. */
    LET(jx1, vx1_plus - vx1);
    LET(jy1, vy1_plus - vy1);
    LET(jx2, vx2_plus - vx2);
    LET(jy2, vy2_plus - vy2);
    LET(jx3, vx3_plus - vx3);
    LET(jy3, vy3_plus - vy3);
    LET(j11, jx1*jx1 + jy1*jy1);
    LET(j12, jx1*jx2 + jy1*jy2);
    LET(j22, jx2*jx2 + jy2*jy2);
    LET(j23, jx2*jx3 + jy2*jy3);
    LET(j33, jx3*jx3 + jy3*jy3);
    LET(of_jumps, m1*(j11 + j33)/6 + m2*(j11 + j12 + j22 + j22 + j23 + j33)/6);
    LET(p11, vx1_plus*vx1_plus + vy1_plus*vy1_plus);
    LET(p12, vx1_plus*vx2_plus + vy1_plus*vy2_plus);
    LET(p22, vx2_plus*vx2_plus + vy2_plus*vy2_plus);
    LET(p23, vx2_plus*vx3_plus + vy2_plus*vy3_plus);
    LET(p33, vx3_plus*vx3_plus + vy3_plus*vy3_plus);
    LET(after, m1*(p11 + p33)/6 + m2*(p11 + p12 + p22 + p22 + p23 + p33)/6);
    LET(px, m2*jx2/6 + (m1 + m2)*jx3/3);
    LET(py, m2*jy2/6 + (m1 + m2)*jy3/3);
    LET(bearing, dx3*(px*(y3 - y2) - py*(x3 - x2))/(dx3*(y3 - y2) - y3*(x3 - x2)));
    event_balance(impact, "work of the ground and of B", EQ(after - kinetic),
                  EQ(of_jumps*(vy2_plus + vy2)/jy2 + bearing*vB));

    /* Points 1 and 3 start on the outer branch. */
    model->q0[2] = EQ(x2_0);
    model->q0[3] = EQ(y2_0);
    model->q_guess[0] = EQ(-1.5);
    model->q_guess[1] = EQ(-1);
    model->q_guess[4] = EQ(1.5);
    model->q_guess[5] = EQ(-1);
    model->v0[2] = EQ(vx2_0);
    model->v0[3] = EQ(vy2_0);
    model->s0[0] = EQ(0);
    model->t_end = EQ(3.5);

    DRAW_LINE(-0.5, 0, x1, y1);
    DRAW_LINE(x1, y1, x2, y2);
    DRAW_LINE(x2, y2, x3, y3);
    DRAW_LINE(x3, y3, xB, 0);
}

CASE(five_bar_forced,
    .name = "five-bar-forced",
    .title = "five-bar mechanism shaken at its ground, hitting it once a period",
    .source = "geometry of Corner, Sandu, Sandu 2019, section 7",
    .declared = "the drive, the damper and the ground; a start near the periodic motion",
    .classes = "velocity-jump, impulse, state-jump, state-dependent-guard, "
               "parameter-dependent-guard, constrained",
    .record = record);
