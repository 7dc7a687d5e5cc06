/*
 * chaplygin_sleigh.c - Chaplygin's sleigh (Chaplygin 1911; Neimark, Fufaev 1972), a
 * nonholonomic constraint that an event adds: chaplygin-sleigh, chaplygin-sleigh-centre.
 *
 * A body slides on ice; its knife edge is put down, and its nose meets a wall.
 *
 *     free    the body slides and turns; the blade is in the air
 *     edge    the point (x, y) of the blade moves along the blade only:
 *                 -sin(th) x' + cos(th) y' = 0
 *
 *     down    free -> edge  the centre of mass passes a line: the blade is put down, an
 *             inelastic impulse across it takes the velocity that it does not allow
 *     wall    edge -> edge  the nose meets the wall: an impulse across the wall with
 *             restitution e, the blade holding
 *
 * The row is not integrable: no coordinates fulfil it by themselves. The centre of mass
 * is a ahead of the blade, the nose b ahead. On the edge the speed u along the blade and
 * w = th' obey u' = a w^2, w' = -m a u w/(I + m a^2).
 *
 * The first case counts the point of the blade and leaves the jumps to the impulses. The
 * second counts the centre of mass, in which the mass matrix is diagonal and nothing
 * depends on velocities, and has the jumps written out.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x, y, th);
    PARAMETERS(m, I, a, b, e, line, wall, th0, vx0, vy0, w0);
    MULTIPLIERS(side);
    COSTS(turn, loss);

    NOMINAL(m, 2.5, "kg", "mass");
    NOMINAL(I, 0.4, "kg m^2", "inertia about the centre of mass");
    NOMINAL(a, 0.3, "m", "how far the centre of mass is ahead of the blade");
    NOMINAL(b, 0.7, "m", "how far the nose is ahead of the blade");
    NOMINAL(e, 0.8, "1", "coefficient of restitution at the wall");
    NOMINAL(line, 0.9, "m", "where the blade is put down");
    NOMINAL(wall, 2.4, "m", "position of the wall");
    NOMINAL(th0, 0.1, "rad", "initial angle");
    NOMINAL(vx0, 1.6, "m/s", "initial velocity of the centre of mass");
    NOMINAL(vy0, 0.3, "m/s", "initial velocity of the centre of mass");
    NOMINAL(w0, 0.9, "rad/s", "initial angular velocity");

    struct mode *free = model_mode(model, "free");
    struct mode *edge = NULL;
    for (int k = 0; k < 2; k++) {
        model->M[0][0] = EQ(m);
        model->M[1][1] = EQ(m);
        model->M[0][2] = EQ(-m*a*sin(th));
        model->M[1][2] = EQ(m*a*cos(th));
        model->M[2][2] = EQ(I + m*a*a);
        model->F[0] = EQ(m*a*vth*vth*cos(th));
        model->F[1] = EQ(m*a*vth*vth*sin(th));
        model->g[0] = EQ(vth*vth);
        if (k == 0)
            edge = model_mode(model, "edge");
    }
    model->Phi[0] = EQ(cos(th)*vy - sin(th)*vx);
    model->pen->velocity_level[0] = true;

    LET(cx, vx - a*sin(th)*vth);
    LET(cy, vy + a*cos(th)*vth);
    LET(moving, m*(cx*cx + cy*cy)/2 + I*vth*vth/2);
    model->energy = EQ(moving);

    struct event *down = model_event(model, "down", free, edge,
                                     EQ(x + a*cos(th) - line), RISING);
    event_impulse_joints(down);
    struct event *hit = model_event(model, "wall", edge, edge,
                                    EQ(x + b*cos(th) - wall), RISING);
    event_impulse(hit, EQ(x + b*cos(th)), EQ(e));
    event_impulse_joints(hit);
    LET(dx, vx_plus - a*sin(th)*vth_plus);
    LET(dy, vy_plus + a*cos(th)*vth_plus);
    down->cost[1] = EQ(moving - m*(dx*dx + dy*dy)/2 - I*vth_plus*vth_plus/2);
    hit->cost[1] = EQ(moving - m*(dx*dx + dy*dy)/2 - I*vth_plus*vth_plus/2);

    model->q0[0] = EQ(-a*cos(th0));
    model->q0[1] = EQ(-a*sin(th0));
    model->q0[2] = EQ(th0);
    model->v0[0] = EQ(vx0 + a*sin(th0)*w0);
    model->v0[1] = EQ(vy0 - a*cos(th0)*w0);
    model->v0[2] = EQ(w0);
    model->t_end = EQ(4);

    TWIN("chaplygin-sleigh-centre", X, Y, beta);
    EQUAL("x of the centre", x + a*cos(th), X);
    EQUAL("y of the centre", y + a*sin(th), Y);
    EQUAL("angle", th, beta);
    DRAW_LINE(x, y, x + b*cos(th), y + b*sin(th));
    DRAW_LINE(wall, -1, wall, 3);
}

CASE(chaplygin_sleigh,
    .name = "chaplygin-sleigh",
    .title = "a sleigh whose knife edge is put down, and whose nose meets a wall",
    .source = "Chaplygin, On the theory of motion of nonholonomic systems (1911); "
              "Neimark, Fufaev, Dynamics of Nonholonomic Systems (1972)",
    .declared = "the blade that is put down, the wall, all values",
    .classes = "nonholonomic, impulse, velocity-jump, constraint-change, "
               "state-dependent-guard, parameter-dependent-guard, constrained",
    .record = record);

static void record_centre(struct model *model)
{
    COORDINATES(X, Y, beta);
    PARAMETERS(m, I, a, b, e, line, wall, th0, vx0, vy0, w0);
    MULTIPLIERS(side);
    COSTS(turn, loss);

    NOMINAL(m, 2.5, "kg", "mass");
    NOMINAL(I, 0.4, "kg m^2", "inertia about the centre of mass");
    NOMINAL(a, 0.3, "m", "how far the centre of mass is ahead of the blade");
    NOMINAL(b, 0.7, "m", "how far the nose is ahead of the blade");
    NOMINAL(e, 0.8, "1", "coefficient of restitution at the wall");
    NOMINAL(line, 0.9, "m", "where the blade is put down");
    NOMINAL(wall, 2.4, "m", "position of the wall");
    NOMINAL(th0, 0.1, "rad", "initial angle");
    NOMINAL(vx0, 1.6, "m/s", "initial velocity of the centre of mass");
    NOMINAL(vy0, 0.3, "m/s", "initial velocity of the centre of mass");
    NOMINAL(w0, 0.9, "rad/s", "initial angular velocity");

    struct mode *free = model_mode(model, "free");
    struct mode *edge = NULL;
    for (int k = 0; k < 2; k++) {
        model->M[0][0] = EQ(m);
        model->M[1][1] = EQ(m);
        model->M[2][2] = EQ(I);
        model->g[0] = EQ(vbeta*vbeta);
        if (k == 0)
            edge = model_mode(model, "edge");
    }
    LET(s, sin(beta));
    LET(c, cos(beta));
    LET(drift, c*vY - s*vX - a*vbeta);
    model->Phi[0] = EQ(drift);
    model->pen->velocity_level[0] = true;

    /* The impulse across the blade acts at the distance a behind the centre of mass. */
    LET(across, m*I/(I + m*a*a)*drift);
    struct event *down = model_event(model, "down", free, edge, EQ(X - line), RISING);
    down->v_plus[0] = EQ(vX + across*s/m);
    down->v_plus[1] = EQ(vY - across*c/m);
    down->v_plus[2] = EQ(vbeta + across*a/I);
    down->cost[1] = EQ(across*drift/2);

    /* On the edge the velocities are u and vbeta, with the masses m and A; the nose
       moves towards the wall at c u - b s vbeta. */
    LET(A, I + m*a*a);
    LET(u, c*vX + s*vY);
    LET(near, c*u - b*s*vbeta);
    LET(J, (1 + e)*near/(c*c/m + b*b*s*s/A));
    LET(u_plus, u - J*c/m);
    LET(w_plus, vbeta + J*b*s/A);
    struct event *hit = model_event(model, "wall", edge, edge,
                                    EQ(X + (b - a)*c - wall), RISING);
    hit->v_plus[0] = EQ(c*u_plus - a*s*w_plus);
    hit->v_plus[1] = EQ(s*u_plus + a*c*w_plus);
    hit->v_plus[2] = EQ(w_plus);
    hit->cost[1] = EQ((1 - e)*near*J/2);

    model->q0[0] = EQ(0);
    model->q0[1] = EQ(0);
    model->q0[2] = EQ(th0);
    model->v0[0] = EQ(vx0);
    model->v0[1] = EQ(vy0);
    model->v0[2] = EQ(w0);
    model->t_end = EQ(4);

    TWIN("chaplygin-sleigh", x, y, th);
    EQUAL("x of the blade", X - a*cos(beta), x);
    EQUAL("y of the blade", Y - a*sin(beta), y);
    EQUAL("angle", beta, th);
    DRAW_LINE(X - a*c, Y - a*s, X + (b - a)*c, Y + (b - a)*s);
    DRAW_LINE(wall, -1, wall, 3);
}

CASE(chaplygin_sleigh_centre,
    .name = "chaplygin-sleigh-centre",
    .title = "the same by its centre of mass, the jumps of the velocities written out",
    .source = "Chaplygin, On the theory of motion of nonholonomic systems (1911); "
              "Neimark, Fufaev, Dynamics of Nonholonomic Systems (1972)",
    .declared = "the blade that is put down, the wall, all values",
    .classes = "nonholonomic, velocity-jump, constraint-change, state-dependent-guard, "
               "parameter-dependent-guard, constrained",
    .record = record_centre);
