/*
 * double_pendulum.c - the double pendulum, chaotic, with a wall: double-pendulum,
 * double-pendulum-angles. Two bobs on rods, one hung from the other; the lower one meets
 * the wall.
 *
 *     (0, 0) -- l1 -- (x1, y1) -- l2 -- (x2, y2)
 *
 *     wall   x2 = wall rising: an impulse on the lower bob across the wall, restitution
 *            e, both rods being joints
 *
 * The motion is chaotic: neighbours part exponentially, and impacts part them further.
 * This run ends while nearly all digits are left. Errors have grown by 3e3 at the second
 * impact, at 5.1 s, and by 1e16 after 46 s; a run that goes on as long is the subject of
 * ball-table-long.
 *
 * The angles of the second case are those of both rods against the vertical.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x1, y1, x2, y2);
    PARAMETERS(g, m1, m2, l1, l2, e, wall, a0, b0);
    MULTIPLIERS(pull1, pull2);
    COSTS(way);

    FIXED(g, 9.81, "m/s^2", "gravity");
    FIXED(m1, 1, "kg", "mass of the upper bob");
    NOMINAL(m2, 0.7, "kg", "mass of the lower bob");
    FIXED(l1, 1, "m", "length of the upper rod");
    NOMINAL(l2, 0.8, "m", "length of the lower rod");
    NOMINAL(e, 0.9, "1", "coefficient of restitution");
    NOMINAL(wall, 1.1, "m", "position of the wall");
    NOMINAL(a0, -1.9, "rad", "initial angle of the upper rod, at rest");
    NOMINAL(b0, -2.3, "rad", "initial angle of the lower rod, at rest");

    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ(m1);
    model->M[1][1] = EQ(m1);
    model->M[2][2] = EQ(m2);
    model->M[3][3] = EQ(m2);
    model->F[1] = EQ(-m1*g);
    model->F[3] = EQ(-m2*g);
    model->Phi[0] = EQ((x1*x1 + y1*y1 - l1*l1)/2);
    model->Phi[1] = EQ(((x2 - x1)*(x2 - x1) + (y2 - y1)*(y2 - y1) - l2*l2)/2);
    model->g[0] = EQ(vx2*vx2 + vy2*vy2);
    model->energy = EQ((m1*(vx1*vx1 + vy1*vy1) + m2*(vx2*vx2 + vy2*vy2))/2
                       + g*(m1*y1 + m2*y2));

    struct event *hit = model_event(model, "wall", swing, swing, EQ(x2 - wall), RISING);
    event_impulse(hit, EQ(x2), EQ(e));
    event_impulse_joints(hit);

    model->q0[0] = EQ(l1*sin(a0));
    model->q0[1] = EQ(-l1*cos(a0));
    model->q0[2] = EQ(l1*sin(a0) + l2*sin(b0));
    model->q0[3] = EQ(-l1*cos(a0) - l2*cos(b0));
    model->v0[0] = model->v0[1] = EQ(0);
    model->v0[2] = model->v0[3] = EQ(0);

    DRAW_LINE(0, 0, x1, y1);
    DRAW_LINE(x1, y1, x2, y2);
    DRAW_LINE(wall, -2, wall, 2);
    model->t_end = EQ(1.6);

    TWIN("double-pendulum-angles", a, b);
    EQUAL("x of the upper bob", x1, l1*sin(a));
    EQUAL("y of the upper bob", y1, -l1*cos(a));
    EQUAL("x of the lower bob", x2, l1*sin(a) + l2*sin(b));
    EQUAL("y of the lower bob", y2, -l1*cos(a) - l2*cos(b));
}

#define SOURCE "textbook; Shinbrot, Grebogi, Wisdom, Yorke, Chaos in a double " \
               "pendulum, Am. J. Phys. 60 (1992)"

CASE(double_pendulum,
    .name = "double-pendulum",
    .title = "a double pendulum against a wall, before chaos takes the digits",
    .source = SOURCE,
    .declared = "the wall, the start and all values",
    .classes = "impulse, velocity-jump, state-dependent-guard, "
               "parameter-dependent-guard, constrained",
    .record = record);

static void record_angles(struct model *model)
{
    COORDINATES(a, b);
    PARAMETERS(g, m1, m2, l1, l2, e, wall, a0, b0);
    COSTS(way);

    FIXED(g, 9.81, "m/s^2", "gravity");
    FIXED(m1, 1, "kg", "mass of the upper bob");
    NOMINAL(m2, 0.7, "kg", "mass of the lower bob");
    FIXED(l1, 1, "m", "length of the upper rod");
    NOMINAL(l2, 0.8, "m", "length of the lower rod");
    NOMINAL(e, 0.9, "1", "coefficient of restitution");
    NOMINAL(wall, 1.1, "m", "position of the wall");
    NOMINAL(a0, -1.9, "rad", "initial angle of the upper rod, at rest");
    NOMINAL(b0, -2.3, "rad", "initial angle of the lower rod, at rest");

    LET(c, m2*l1*l2*cos(a - b));
    LET(s, m2*l1*l2*sin(a - b));
    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ((m1 + m2)*l1*l1);
    model->M[0][1] = EQ(c);
    model->M[1][1] = EQ(m2*l2*l2);
    model->F[0] = EQ(-s*vb*vb - (m1 + m2)*g*l1*sin(a));
    model->F[1] = EQ(s*va*va - m2*g*l2*sin(b));
    LET(vx, l1*cos(a)*va + l2*cos(b)*vb);
    LET(vy, l1*sin(a)*va + l2*sin(b)*vb);
    model->g[0] = EQ(vx*vx + vy*vy);
    model->energy = EQ(m1*l1*l1*va*va/2 + m2*(vx*vx + vy*vy)/2
                       - m1*g*l1*cos(a) - m2*g*(l1*cos(a) + l2*cos(b)));

    /* The inverse of M times (A, B) = (l1 cos a, l2 cos b), the direction in which the
       wall pushes. */
    LET(A, l1*cos(a));
    LET(B, l2*cos(b));
    LET(det, (m1 + m2)*m2*l1*l1*l2*l2 - c*c);
    LET(da, (m2*l2*l2*A - c*B)/det);
    LET(db, ((m1 + m2)*l1*l1*B - c*A)/det);
    struct event *hit = model_event(model, "wall", swing, swing,
                                    EQ(l1*sin(a) + l2*sin(b) - wall), RISING);
    hit->v_plus[0] = EQ(va - (1 + e)*vx/(A*da + B*db)*da);
    hit->v_plus[1] = EQ(vb - (1 + e)*vx/(A*da + B*db)*db);

    model->q0[0] = EQ(a0);
    model->q0[1] = EQ(b0);
    model->v0[0] = model->v0[1] = EQ(0);
    model->t_end = EQ(1.6);

    TWIN("double-pendulum", x1, y1, x2, y2);
    EQUAL("x of the upper bob", l1*sin(a), x1);
    EQUAL("y of the upper bob", -l1*cos(a), y1);
    EQUAL("x of the lower bob", l1*sin(a) + l2*sin(b), x2);
    EQUAL("y of the lower bob", -l1*cos(a) - l2*cos(b), y2);
    DRAW_LINE(0, 0, l1*sin(a), -l1*cos(a));
    DRAW_LINE(l1*sin(a), -l1*cos(a), l1*sin(a) + l2*sin(b), -l1*cos(a) - l2*cos(b));
}

CASE(double_pendulum_angles,
    .name = "double-pendulum-angles",
    .title = "the double pendulum by its angles, the jump written out",
    .source = SOURCE,
    .declared = "the wall, the start and all values",
    .classes = "velocity-jump, state-dependent-guard, parameter-dependent-guard, "
               "unconstrained",
    .record = record_angles);
