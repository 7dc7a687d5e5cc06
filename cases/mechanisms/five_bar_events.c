/*
 * five_bar_events.c - the five-bar mechanism with an event of every kind:
 * five-bar-events, five-bar-events-redundant (geometry of Corner, Sandu, Sandu 2019,
 * section 7).
 *
 *     A --- 1 --- 2 --- 3 --- B     A = (-1/2, 0), B = (1/2, 0) fixed; uniform bars,
 *                                   springs on 1-B and 2-B, a load on point 2
 *
 *     idle     -- switch-on -->  driven    t = t_on: a motor turns bar A1 (identity
 *                                          reset, forces change; the guard is a time and
 *                                          a parameter)
 *     driven   -- drop ------->  light     point 2 passes x_drop: the load is let go
 *                                          with the velocity it has (masses change,
 *                                          Corner et al. 2019, Theorem 4)
 *     light    -- brake ------>  braked    point 2 falls faster than v_brake: a damper
 *                                          (a guard that depends on the velocity)
 *     braked   -- catch ------>  caught    point 2 is farther than l from C: a rope
 *                                          goes taut, an inelastic impulse through all
 *                                          bars (Corner et al. 2019 (82)); one freedom
 *                                          is left
 *     driven   -- ground ----->  driven    y2 = y_g + b sin(w t): an impulse with
 *                                          restitution e from a ground that moves
 *
 * five-bar-events-redundant is the same motion with two constraints stated once more, as
 * in five-bar-redundant: impulses, like multipliers, are those of minimum norm.
 */
#include "case.h"

static void record_with(struct model *model, bool redundant)
{
    COORDINATES(x1, y1, x2, y2, x3, y3);
    PARAMETERS(t_on, torque, x_drop, load, v_brake, c, l, y_g, b, w, e, L_A1,
               L_12, L_23, L_3B, L01, L02, k, g, m1, m2, x_c, y_c, x2_0, y2_0);
    MULTIPLIERS(lambda1);
    COSTS(way, pull, heat);
    TIME(t);

    NOMINAL(t_on, 0.35, "s", "time at which the motor is switched on");
    NOMINAL(torque, 12, "N m", "of the motor on bar A1");
    NOMINAL(x_drop, 0.3, "m", "where the load is dropped");
    NOMINAL(load, 0.8, "kg", "load on point 2");
    NOMINAL(v_brake, -0.6, "m/s", "vertical velocity of point 2 that sets the brake");
    NOMINAL(c, 1.5, "N s/m", "damping of point 2 by the brake");
    NOMINAL(l, 1.35, "m", "length of the rope from C to point 2");
    NOMINAL(y_g, -2.5, "m", "mean height of the ground");
    NOMINAL(b, 0.05, "m", "amplitude of the ground");
    NOMINAL(w, 9, "rad/s", "frequency of the ground");
    NOMINAL(e, 0.7, "1", "coefficient of restitution of the ground");
    NOMINAL(L_A1, sqrt(2), "m", "length of bar A1");
    FIXED(L_12, sqrt(13)/2, "m", "length of bar 12");
    FIXED(L_23, sqrt(13)/2, "m", "length of bar 23");
    FIXED(L_3B, sqrt(2), "m", "length of bar 3B");
    FIXED(L01, sqrt(5), "m", "natural length of the spring 1-B");
    FIXED(L02, sqrt(4.25), "m", "natural length of the spring 2-B");
    FIXED(k, 100, "N/m", "stiffness of both springs");
    FIXED(g, 9.81, "m/s^2", "gravity");
    FIXED(m1, 1, "kg", "mass of bars A1 and 3B");
    FIXED(m2, 1.5, "kg", "mass of bars 12 and 23");
    FIXED(x_c, 0.4, "m", "place of C");
    FIXED(y_c, -1, "m", "place of C");
    FIXED(x2_0, 0.1, "m", "initial place of point 2");
    FIXED(y2_0, -2.1, "m", "initial place of point 2");

    LET(dx1, x1 - 0.5);
    LET(dx2, x2 - 0.5);
    LET(length1, sqrt(dx1*dx1 + y1*y1));
    LET(length2, sqrt(dx2*dx2 + y2*y2));
    LET(pull1, k*(1 - L01/length1));
    LET(pull2, k*(1 - L02/length2));
    LET(xA, x1 + 0.5);
    LET(turn, torque/(xA*xA + y1*y1));
    LET(bar_A1, xA*xA + y1*y1 - L_A1*L_A1);
    LET(bar_12, (x2 - x1)*(x2 - x1) + (y2 - y1)*(y2 - y1) - L_12*L_12);
    LET(bar_23, (x3 - x2)*(x3 - x2) + (y3 - y2)*(y3 - y2) - L_23*L_23);
    LET(bar_3B, (x3 - 0.5)*(x3 - 0.5) + y3*y3 - L_3B*L_3B);
    LET(rope, (x2 - x_c)*(x2 - x_c) + (y2 - y_c)*(y2 - y_c) - l*l);
    LET(ground, y2 - y_g - b*sin(w*t));

    enum { IDLE, DRIVEN, LIGHT, BRAKED, CAUGHT, MODES };
    static const char *const name[MODES] = {"idle", "driven", "light", "braked",
                                            "caught"};
    struct mode *mode[MODES];
    for (int i = 0; i < MODES; i++) {
        mode[i] = model_mode(model, name[i]);
        for (int d = 0; d < 2; d++) {
            model->M[d][d] = EQ((m1 + m2)/3);
            model->M[d][2 + d] = EQ(m2/6);
            model->M[2 + d][2 + d] = i < LIGHT ? EQ(2*m2/3 + load) : EQ(2*m2/3);
            model->M[2 + d][4 + d] = EQ(m2/6);
            model->M[4 + d][4 + d] = EQ((m1 + m2)/3);
        }
        model->F[0] = i == IDLE ? EQ(-pull1*dx1) : EQ(-pull1*dx1 - turn*y1);
        model->F[1] = i == IDLE ? EQ(-pull1*y1 - (m1 + m2)*g/2)
                                : EQ(-pull1*y1 - (m1 + m2)*g/2 + turn*xA);
        model->F[2] = i < BRAKED ? EQ(-pull2*dx2) : EQ(-pull2*dx2 - c*vx2);
        model->F[3] = i < LIGHT    ? EQ(-pull2*y2 - (m2 + load)*g)
                      : i < BRAKED ? EQ(-pull2*y2 - m2*g)
                                   : EQ(-pull2*y2 - m2*g - c*vy2);
        model->F[5] = EQ(-(m1 + m2)*g/2);

        model->Phi[0] = EQ(bar_A1);
        model->Phi[1] = EQ(bar_12);
        model->Phi[2] = EQ(bar_23);
        model->Phi[3] = EQ(bar_3B);
        int rows = 4;
        if (redundant) {
            model->Phi[rows++] = EQ(bar_12);
            model->Phi[rows++] = EQ(L_A1*bar_3B + bar_A1);
        }
        if (i == CAUGHT)
            model->Phi[rows] = EQ(rope);

        model->g[0] = EQ(vx2*vx2 + vy2*vy2);
        model->g[1] = EQ(lambda1*lambda1);
    }

    model_event(model, "switch-on", mode[IDLE], mode[DRIVEN], EQ(t - t_on), RISING);
    model_event(model, "drop", mode[DRIVEN], mode[LIGHT], EQ(x2 - x_drop), RISING);
    model_event(model, "brake", mode[LIGHT], mode[BRAKED], EQ(vy2 - v_brake), FALLING);
    struct event *catch = model_event(model, "catch", mode[BRAKED], mode[CAUGHT],
                                      EQ(rope), RISING);
    event_impulse_joints(catch);
    struct event *impact = model_event(model, "ground", mode[DRIVEN], mode[DRIVEN],
                                       EQ(ground), FALLING);
    event_impulse(impact, EQ(ground), EQ(e));
    event_impulse_joints(impact);
    impact->cost[2] = EQ(vy2*vy2);

    /* The energy is that of bars between points and of springs. The load is a body
       outside, which holds point 2 back by its weight and inertia. */
    LET(v11, vx1*vx1 + vy1*vy1);
    LET(v12, vx1*vx2 + vy1*vy2);
    LET(v22, vx2*vx2 + vy2*vy2);
    LET(v23, vx2*vx3 + vy2*vy3);
    LET(v33, vx3*vx3 + vy3*vy3);
    LET(kinetic, m1*(v11 + v33)/6 + m2*(v11 + v12 + v22 + v22 + v23 + v33)/6);
    LET(weights, g*(m1*(y1 + y3)/2 + m2*((y1 + y2)/2 + (y2 + y3)/2)));
    model->energy = EQ(kinetic + weights + k*(length1 - L01)*(length1 - L01)/2
                       + k*(length2 - L02)*(length2 - L02)/2);
    LET(motor, torque*(xA*vy1 - y1*vx1)/(L_A1*L_A1));
    LET(held, -load*(ax2*vx2 + (ay2 + g)*vy2));
    mode[IDLE]->power = EQ(held);
    mode[DRIVEN]->power = EQ(motor + held);
    mode[LIGHT]->power = EQ(motor);
    mode[BRAKED]->power = EQ(motor - c*v22);
    mode[CAUGHT]->power = EQ(motor - c*v22);

    struct event *const impulsive[] = {catch, impact};
    for (int i = 0; i < 2; i++) {
        event_balance(impulsive[i], "bar A1 keeps its length", EQ(xA*vx1_plus),
                      EQ(-y1*vy1_plus));
        event_balance(impulsive[i], "bar 12 keeps its length",
                      EQ((x2 - x1)*(vx2_plus - vx1_plus)),
                      EQ(-(y2 - y1)*(vy2_plus - vy1_plus)));
        event_balance(impulsive[i], "bar 23 keeps its length",
                      EQ((x3 - x2)*(vx3_plus - vx2_plus)),
                      EQ(-(y3 - y2)*(vy3_plus - vy2_plus)));
        event_balance(impulsive[i], "bar 3B keeps its length", EQ((x3 - 0.5)*vx3_plus),
                      EQ(-y3*vy3_plus));
    }

    /* An inelastic catch takes the kinetic energy that the jumps of the velocities, as if
       they were velocities, would have (Carnot). The impulse of the ground does its work
       at the mean of the velocities of point 2 before and after. */
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
    LET(vy_g, b*w*cos(w*t));
    event_balance(catch, "rope taut", EQ((x2 - x_c)*vx2_plus), EQ(-(y2 - y_c)*vy2_plus));
    event_balance(catch, "energy of the lost velocities", EQ(kinetic - after),
                  EQ(of_jumps));
    event_balance(impact, "approach by separation", EQ(-(vy2 - vy_g)/(vy2_plus - vy_g)),
                  EQ(1/e));
    event_balance(impact, "work of the ground",
                  EQ(after - kinetic + load*(p22 - v22)/2),
                  EQ((of_jumps + load*j22/2)*(vy2_plus + vy2)/jy2));

    /* The start is at rest, points 1 and 3 on the outer branch. */
    model->q0[2] = EQ(x2_0);
    model->q0[3] = EQ(y2_0);
    model->q_guess[0] = EQ(-1.5);
    model->q_guess[1] = EQ(-1);
    model->q_guess[4] = EQ(1.5);
    model->q_guess[5] = EQ(-1);
    model->v0[2] = EQ(0);
    model->v0[3] = EQ(0);
    model->t_end = EQ(2);

    DRAW_LINE(-0.5, 0, x1, y1);
    DRAW_LINE(x1, y1, x2, y2);
    DRAW_LINE(x2, y2, x3, y3);
    DRAW_LINE(x3, y3, 0.5, 0);
}

static void record(struct model *model)
{
    record_with(model, false);
}

static void record_redundant(struct model *model)
{
    record_with(model, true);
}

CASE(five_bar_events,
    .name = "five-bar-events",
    .title = "five-bar mechanism with an event of every kind",
    .source = "geometry of Corner, Sandu, Sandu 2019, section 7",
    .declared = "the events, and all values but those of the bars and springs",
    .classes = "velocity-jump, impulse, force-change, mass-change, constraint-change, "
               "identity-reset, time-dependent-guard, parameter-dependent-guard, "
               "state-dependent-guard, velocity-dependent-guard, constrained",
    .record = record);

CASE(five_bar_events_redundant,
    .name = "five-bar-events-redundant",
    .title = "five-bar mechanism with two constraints stated twice, all kinds of events",
    .source = "geometry of Corner, Sandu, Sandu 2019, section 7",
    .declared = "as five-bar-events; constraints 5 and 6 depend on 1, 2 and 4; "
                "multipliers and impulses of minimum norm",
    .classes = "velocity-jump, impulse, force-change, mass-change, constraint-change, "
               "identity-reset, time-dependent-guard, parameter-dependent-guard, "
               "state-dependent-guard, velocity-dependent-guard, constrained, redundant",
    .record = record_redundant);
