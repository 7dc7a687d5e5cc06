/*
 * trolley.c - a mass ratio of 1e8 (trolley-heavy): a pendulum hung from a heavy trolley,
 * against a stop on the trolley.
 *
 *     M x'' = (X - x) lambda     m X'' = -(X - x) lambda     m Y'' = -m g - Y lambda
 *
 *     stop  X - x = -a falling: an impulse between bob and trolley, restitution e, the
 *           rod being a joint
 *
 * The trolley, at x, moves by 1e-8 of the way of the bob, at (X, Y). The ratios are hard:
 * of inertias in one matrix, of forces and penalties to the masses that they move, and of
 * impulses on both sides of the stop. Momentum along x stays zero. The swing begins with
 * |Y| > |X|: else the coordinate that ode computes from the others is x.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x, X, Y);
    PARAMETERS(g, l, e, a, d0, m, M);
    MULTIPLIERS(tension);
    COSTS(swing);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1, "m", "length of the rod");
    NOMINAL(e, 0.8, "1", "coefficient of restitution");
    NOMINAL(a, 0.2, "m", "where the stop is, behind the trolley");
    NOMINAL(d0, 0.6, "m", "how far the bob is ahead at the start, at rest");
    NOMINAL(m, 1, "kg", "mass of the bob");
    FIXED(M, 1e8, "kg", "mass of the trolley");

    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ(M);
    model->M[1][1] = EQ(m);
    model->M[2][2] = EQ(m);
    model->F[2] = EQ(-m*g);
    model->Phi[0] = EQ(((X - x)*(X - x) + Y*Y - l*l)/2);
    model->g[0] = EQ((vX*vX + vY*vY)/(l*l));
    model->energy = EQ((M*vx*vx + m*(vX*vX + vY*vY))/2 + m*g*Y);

    struct event *stop = model_event(model, "stop", swing, swing, EQ(X - x + a), FALLING);
    event_impulse(stop, EQ(X - x), EQ(e));
    event_impulse_joints(stop);

    /* An impulse between bob and trolley meets their reduced mass along x, and in
       addition the mass of the bob, as far as the rod makes it rise. */
    LET(nears, vx - vX);
    LET(rise, (X - x)/Y);
    LET(kinetic, (M*vx*vx + m*(vX*vX + vY*vY))/2);
    LET(kinetic_plus, (M*vx_plus*vx_plus + m*(vX_plus*vX_plus + vY_plus*vY_plus))/2);
    event_balance(stop, "momentum exchanged", EQ(M*(vx_plus - vx)),
                  EQ(m*(vX - vX_plus)));
    event_balance(stop, "approach by separation", EQ(nears/(vX_plus - vx_plus)),
                  EQ(1/e));
    event_balance(stop, "energy lost", EQ(kinetic - kinetic_plus),
                  EQ((1 - e*e)*(m*M/(m + M) + m*rise*rise)*nears*nears/2));
    event_balance(stop, "length of the rod", EQ((x - X)*(vX_plus - vx_plus)),
                  EQ(Y*vY_plus));

    model->q0[0] = EQ(0);
    model->q0[1] = EQ(d0);
    model->q_guess[2] = EQ(-1);
    model->v0[0] = EQ(0);
    model->v0[1] = EQ(0);
    model->t_end = EQ(3);

    DRAW_LINE(x, 0, X, Y);
    DRAW_POINT(X, Y);
}

CASE(trolley_heavy,
    .name = "trolley-heavy",
    .title = "pendulum on a trolley of 1e8 times its mass, against a stop on it",
    .source = "textbook",
    .declared = "the model and all its values",
    .classes = "torture, impulse, velocity-jump, state-dependent-guard, "
               "parameter-dependent-guard, constrained",
    .record = record);
