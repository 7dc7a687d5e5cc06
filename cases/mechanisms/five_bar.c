/*
 * five_bar.c - the five-bar mechanism of Corner, Sandu, Sandu 2019, section 7: five-bar,
 * five-bar-nine, five-bar-redundant.
 *
 *     A --- 1 --- 2 --- 3 --- B     A = (-1/2, 0), B = (1/2, 0) fixed; uniform bars
 *
 * Natural coordinates of the points 1, 2, 3; constraints (98): squared bar lengths. When
 * point 2 falls on the ground its vertical velocity is reversed (times e), its horizontal
 * velocity kept, and the other velocities follow from the velocity constraints; this rule
 * does not conserve energy. Only a figure of the paper shows where the springs attach:
 * five-bar has them on 1-B and 2-B, five-bar-nine on 3-A and 2-B; in the symmetric
 * configuration 1 = (-1.5,-1), 2 = (0,-2), 3 = (1.5,-1) both are then unstretched.
 *
 * five-bar-redundant is five-bar with two constraints stated once more: bar 12, and bars
 * 3B and A1 together, with a factor that is a parameter. It moves as five-bar does. Its
 * multipliers have minimum norm; they and the cost `pull` differ from five-bar's, and the
 * distribution of the forces among them has a derivative by that parameter.
 */
#include "case.h"

enum attachment { SPRING_1B, SPRING_3A };

static void record_with(struct model *model, enum attachment first_spring, bool redundant)
{
    COORDINATES(x1, y1, x2, y2, x3, y3);
    PARAMETERS(L01, L02, y_ground, e, L_A1, k1,
               k2, L_12, L_23, L_3B, g, m1, m2, m3, m4);
    MULTIPLIERS(lambda1, lambda2, lambda3, lambda4, lambda5, lambda6);
    COSTS(fall, jerk, pull, path);

    NOMINAL(L01, sqrt(5), "m", "natural length of spring 1");
    NOMINAL(L02, sqrt(4.25), "m", "natural length of spring 2");
    NOMINAL(y_ground, -2.35, "m", "height of the ground");
    NOMINAL(e, 1, "1", "ratio of vertical velocities of point 2 at an impact");
    NOMINAL(L_A1, sqrt(2), "m", "length of bar A1");
    NOMINAL(k1, 100, "N/m", "stiffness of spring 1");
    FIXED(k2, 100, "N/m", "stiffness of spring 2");
    FIXED(L_12, sqrt(13)/2, "m", "length of bar 12");
    FIXED(L_23, sqrt(13)/2, "m", "length of bar 23");
    FIXED(L_3B, sqrt(2), "m", "length of bar 3B");
    FIXED(g, 9.81, "m/s^2", "gravity");
    FIXED(m1, 1, "kg", "mass of bar A1");
    FIXED(m2, 1.5, "kg", "mass of bar 12");
    FIXED(m3, 1.5, "kg", "mass of bar 23");
    FIXED(m4, 1, "kg", "mass of bar 3B");

    /* A uniform bar of mass m between two points has the mass block m/6 [2 1; 1 2] in
       each direction, and half its weight at each end. */
    struct mode *motion = model_mode(model, "motion");
    for (int k = 0; k < 2; k++) {
        model->M[k][k] = EQ((m1 + m2)/3);
        model->M[k][2 + k] = EQ(m2/6);
        model->M[2 + k][2 + k] = EQ((m2 + m3)/3);
        model->M[2 + k][4 + k] = EQ(m3/6);
        model->M[4 + k][4 + k] = EQ((m3 + m4)/3);
    }

    /* Springs: the force on the moving end is -k (1 - L0/length) times the vector to
       this end. */
    LET(dx2, x2 - 0.5);
    LET(stretch2, k2*(1 - L02/sqrt(dx2*dx2 + y2*y2)));
    model->F[2] = EQ(-stretch2*dx2);
    model->F[3] = EQ(-(m2 + m3)*g/2 - stretch2*y2);
    LET(dx1, x1 - 0.5);
    LET(dx3, x3 + 0.5);
    LET(length1B, sqrt(dx1*dx1 + y1*y1));
    LET(length3A, sqrt(dx3*dx3 + y3*y3));
    LET(stretch1B, k1*(1 - L01/length1B));
    LET(stretch3A, k1*(1 - L01/length3A));
    model->F[1] = EQ(-(m1 + m2)*g/2);
    model->F[5] = EQ(-(m3 + m4)*g/2);
    if (first_spring == SPRING_1B) {
        model->F[0] = EQ(-stretch1B*dx1);
        model->F[1] = EQ(-(m1 + m2)*g/2 - stretch1B*y1);
    } else {
        model->F[4] = EQ(-stretch3A*dx3);
        model->F[5] = EQ(-(m3 + m4)*g/2 - stretch3A*y3);
    }

    LET(bar_A1, (x1 + 0.5)*(x1 + 0.5) + y1*y1 - L_A1*L_A1);
    LET(bar_12, (x2 - x1)*(x2 - x1) + (y2 - y1)*(y2 - y1) - L_12*L_12);
    LET(bar_23, (x3 - x2)*(x3 - x2) + (y3 - y2)*(y3 - y2) - L_23*L_23);
    LET(bar_3B, (x3 - 0.5)*(x3 - 0.5) + y3*y3 - L_3B*L_3B);
    model->Phi[0] = EQ(bar_A1);
    model->Phi[1] = EQ(bar_12);
    model->Phi[2] = EQ(bar_23);
    model->Phi[3] = EQ(bar_3B);
    if (redundant) {
        model->Phi[4] = EQ(bar_12);
        model->Phi[5] = EQ(L_A1*bar_3B + bar_A1);
    }

    model->g[0] = EQ(vy2);
    model->g[1] = EQ(ay2);
    model->g[2] = EQ(lambda1*lambda1);
    model->g[3] = EQ(x2*x2 + (y2 + 2)*(y2 + 2));

    /* Energy bar by bar: a uniform bar has the kinetic energy m/6 (v_i^2 + v_i v_j +
       v_j^2) and its weight at its middle. */
    LET(T1, m1*(vx1*vx1 + vy1*vy1)/6);
    LET(T2, m2*(vx1*vx1 + vy1*vy1 + vx1*vx2 + vy1*vy2 + vx2*vx2 + vy2*vy2)/6);
    LET(T3, m3*(vx2*vx2 + vy2*vy2 + vx2*vx3 + vy2*vy3 + vx3*vx3 + vy3*vy3)/6);
    LET(T4, m4*(vx3*vx3 + vy3*vy3)/6);
    LET(weight, g*(m1*y1 + m2*(y1 + y2) + m3*(y2 + y3) + m4*y3)/2);
    LET(r2, sqrt(dx2*dx2 + y2*y2) - L02);
    LET(r1, length1B - L01);
    LET(r3, length3A - L01);
    if (first_spring == SPRING_1B)
        model->energy = EQ(T1 + T2 + T3 + T4 + weight + k2*r2*r2/2 + k1*r1*r1/2);
    else
        model->energy = EQ(T1 + T2 + T3 + T4 + weight + k2*r2*r2/2 + k1*r3*r3/2);

    struct event *impact = model_event(model, "ground", motion, motion,
                                       EQ(y2 - y_ground), FALLING);
    impact->v_plus[2] = EQ(vx2);
    impact->v_plus[3] = EQ(-e*vy2);
    event_constrain_velocity(impact);

    event_balance(impact, "vertical approach by separation", EQ(-vy2/vy2_plus), EQ(1/e));
    event_balance(impact, "horizontal velocity of point 2", EQ(vx2_plus), EQ(vx2));
    event_balance(impact, "bar A1 keeps its length", EQ((x1 + 0.5)*vx1_plus),
                  EQ(-y1*vy1_plus));
    event_balance(impact, "bar 12 keeps its length", EQ((x2 - x1)*(vx2_plus - vx1_plus)),
                  EQ(-(y2 - y1)*(vy2_plus - vy1_plus)));
    event_balance(impact, "bar 23 keeps its length", EQ((x3 - x2)*(vx3_plus - vx2_plus)),
                  EQ(-(y3 - y2)*(vy3_plus - vy2_plus)));
    event_balance(impact, "bar 3B keeps its length", EQ((x3 - 0.5)*vx3_plus),
                  EQ(-y3*vy3_plus));

    /* The start is at rest, points 1 and 3 on the outer branch. */
    model->q0[2] = EQ(0.53029);
    model->q0[3] = EQ(-2.10283);
    model->q_guess[0] = EQ(-1.5);
    model->q_guess[1] = EQ(-1);
    model->q_guess[4] = EQ(1.5);
    model->q_guess[5] = EQ(-1);
    model->v0[2] = EQ(0);
    model->v0[3] = EQ(0);
    model->t_end = EQ(5);

    DRAW_LINE(-0.5, 0, x1, y1);
    DRAW_LINE(x1, y1, x2, y2);
    DRAW_LINE(x2, y2, x3, y3);
    DRAW_LINE(x3, y3, 0.5, 0);
}

static void record(struct model *model)
{
    record_with(model, SPRING_1B, false);
}

static void record_nine(struct model *model)
{
    record_with(model, SPRING_3A, false);
}

static void record_redundant(struct model *model)
{
    record_with(model, SPRING_1B, true);
}

CASE(five_bar,
    .name = "five-bar",
    .title = "five-bar mechanism bouncing on the ground, springs on 1-B and 2-B",
    .source = "Corner, Sandu, Sandu 2019, section 7 and (98)",
    .declared = "spring attachment; start at rest; bar lengths as roots of the printed "
                "decimals (the second LA1 = LB3 is read as L21 = L32)",
    .classes = "velocity-jump, state-dependent-guard, parameter-dependent-guard, "
               "constrained",
    .record = record);

CASE(five_bar_nine,
    .name = "five-bar-nine",
    .title = "five-bar mechanism, springs on 3-A and 2-B: nine impacts in five seconds",
    .source = "Corner, Sandu, Sandu 2019, section 7 and (98)",
    .declared = "spring attachment; start at rest; bar lengths as roots of the printed "
                "decimals (the second LA1 = LB3 is read as L21 = L32)",
    .classes = "velocity-jump, state-dependent-guard, parameter-dependent-guard, "
               "constrained",
    .record = record_nine);

CASE(five_bar_redundant,
    .name = "five-bar-redundant",
    .title = "five-bar mechanism with two constraints stated twice",
    .source = "Corner, Sandu, Sandu 2019, section 7 and (98)",
    .declared = "as five-bar; constraints 5 and 6 depend on 1, 2 and 4; multipliers of "
                "minimum norm",
    .classes = "velocity-jump, state-dependent-guard, parameter-dependent-guard, "
               "constrained, redundant",
    .record = record_redundant);
