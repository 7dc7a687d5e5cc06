/*
 * two_link_driven.c - inverse dynamics of a fully constrained arm (Mukharlyamov, Deressa
 * 2014, example 1), its tip led along a horizontal line at constant speed:
 * two-link-driven, two-link-driven-singular.
 *
 *     l sin q1 + (l/2) sin(q1 + q2) = l/2        l cos q1 + (l/2) cos(q1 + q2) = x0 - v t
 *
 * Uniform links of length l and mass 2 m, l/2 and m; q2 is relative. Two coordinates, two
 * constraints: no freedom is left, the motion is inverse kinematics and the dynamics only
 * gives the multipliers. M and F follow from the energies; the printed M has I2 = 0.208
 * for 1/48 kg m^2, the printed Q is not that of gravity along -y. The start has q1 = 80
 * degrees, which is the printed 1.396263; x0 is printed as 0.295953. v is not printed,
 * 0.6 gives the printed velocities to 5 digits.
 *
 * At t = x0/v the arm is folded, q1 = pi/2, q2 = pi, and Phi_q has rank 1. By the law of
 * cosines the tip at (X, l/2), X = x0 - v t, has cos q2 = X^2/l^2 - 1, or
 *
 *     sin((q2 - pi)/2) = +-X/(sqrt(2) l)
 *
 * Two motions, one of each sign, cross there, both analytic in X and l. A motion goes on
 * smoothly when q2 - pi changes its sign with X, and this motion is meant. To swing back,
 * from one to the other, its velocity would have to jump. All derivatives exist: x0 and v
 * move the time of the passage only, l scales it, for the height of the line is l - l/2,
 * the least distance that the tip can have, whatever l is. (A height of its own would
 * leave no motion, or one that keeps away from the fold, and no derivative. It is no
 * parameter.)
 *
 * The multipliers stay finite. Mirrored in the vertical, X -> -X, q1 -> pi - q1, q2 -> 2
 * pi - q2, the motion is itself backwards in time, so a, F, F - M a and det
 * Phi_q = +-(l^2/2) sin q2 are odd in X; in lambda = Phi_q'^-1 (F - M a) the factor X
 * cancels, and lambda1 is even, lambda2 odd, both analytic. two-link-driven ends before
 * the passage, two-link-driven-singular goes through.
 */
#include "case.h"

#define PAPER "Mukharlyamov, Deressa 2014, example 1"
#define NEARLY "chosen 'to set the initial velocity of the velocity constraint close " \
    "to zero': no v gives both"

enum where { BEFORE, BEYOND };

static void record_until(struct model *model, enum where end)
{
    COORDINATES(q1, q2);
    PARAMETERS(l, m, v, x0, g);
    MULTIPLIERS(lambda1, lambda2);
    COSTS(turn, effort);
    TIME(t);

    NOMINAL(l, 1, "m", "length of link 1");
    NOMINAL(m, 1, "kg", "mass of link 2");
    NOMINAL(v, 0.6, "m/s", "speed of the tip, towards -x");
    NOMINAL(x0, cos(80*pi/180) + sqrt(1 - pow(1 - 2*sin(80*pi/180), 2))/2, "m",
            "initial place of the tip");
    FIXED(g, 9.81, "m/s^2", "gravity");

    struct mode *led = model_mode(model, "led");
    LET(I1, m*l*l/6);
    LET(I2, m*l*l/48);
    LET(C1, cos(q1));
    LET(C2, cos(q2));
    LET(S2, sin(q2));
    LET(C12, cos(q1 + q2));
    model->M[0][0] = EQ(m*l*l*(0.5 + 1 + C2/2 + 0.0625) + I1 + I2);
    model->M[0][1] = EQ(m*l*l*(C2/4 + 0.0625) + I2);
    model->M[1][1] = EQ(m*l*l/16 + I2);
    model->F[0] = EQ(m*l*l/4*S2*vq2*(2*vq1 + vq2) - 2*m*g*l*C1 - m*g*l/4*C12);
    model->F[1] = EQ(-m*l*l/4*S2*vq1*vq1 - m*g*l/4*C12);
    LET(x, l*C1 + l/2*C12);
    LET(y, l*sin(q1) + l/2*sin(q1 + q2));
    model->Phi[0] = EQ(y - l/2);
    model->Phi[1] = EQ(x + v*t - x0);

    model->g[0] = EQ(vq1*vq1 + vq2*vq2);
    model->g[1] = EQ(lambda1*lambda1 + lambda2*lambda2);

    /* The energy is that of bars between points, by the velocities of elbow and tip. A
       force -lambda2 along the line leads the tip with the velocity -v. */
    LET(vx_elbow, -l*sin(q1)*vq1);
    LET(vy_elbow, l*C1*vq1);
    LET(vx_tip, vx_elbow - l/2*sin(q1 + q2)*(vq1 + vq2));
    LET(vy_tip, vy_elbow + l/2*C12*(vq1 + vq2));
    LET(elbow_elbow, vx_elbow*vx_elbow + vy_elbow*vy_elbow);
    LET(elbow_tip, vx_elbow*vx_tip + vy_elbow*vy_tip);
    LET(tip_tip, vx_tip*vx_tip + vy_tip*vy_tip);
    LET(y_elbow, l*sin(q1));
    model->energy = EQ(2*m*(elbow_elbow/6 + g*y_elbow/2)
                       + m*((elbow_elbow + elbow_tip + tip_tip)/6 + g*(y_elbow + y)/2));
    led->power = EQ(lambda2*v);

    model->q_guess[0] = EQ(1.4);
    model->q_guess[1] = EQ(3.56);
    model->t_end = end == BEFORE ? EQ(0.3) : EQ(1);

    DRAW_LINE(0, 0, l*cos(q1), l*sin(q1));
    DRAW_LINE(l*cos(q1), l*sin(q1), x, y);
    PUBLISHED("start.q.q1", "1.396263", PAPER);
    PUBLISHED("start.q.q2", "3.563268", PAPER);
    DISPUTED("start.v.q1", "0.358620", PAPER, NEARLY);
    DISPUTED("start.v.q2", "-0.867745", PAPER, NEARLY);
}

static void record(struct model *model)
{
    record_until(model, BEFORE);
}

static void record_singular(struct model *model)
{
    record_until(model, BEYOND);
}

CASE(two_link_driven,
    .name = "two-link-driven",
    .title = "two-link arm, its tip led along a line: no freedom is left",
    .source = "Mukharlyamov, Deressa 2014, example 1",
    .declared = "M and F from the energies; v = 0.6; x0 from q1 = 80 degrees; t_end",
    .classes = "constrained, driven",
    .record = record);

CASE(two_link_driven_singular,
    .name = "two-link-driven-singular",
    .title = "two-link arm led through the folded position, where Phi_q loses rank",
    .source = "Mukharlyamov, Deressa 2014, example 1",
    .declared = "M and F from the energies; v = 0.6; x0 from q1 = 80 degrees; t_end",
    .classes = "constrained, singular, driven",
    .record = record_singular);
