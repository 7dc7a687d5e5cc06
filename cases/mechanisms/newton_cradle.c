/*
 * newton_cradle.c - Newton's cradle (newton-cradle), simultaneous impacts to be refused:
 * three pendulums side by side; the outer two, let go from one height, hit the one in the
 * middle at one time.
 *
 *     l th_i'' = -g sin th_i
 *     left   th2 - th1 = 0 falling,  right  th3 - th2 = 0 falling:
 *     an impulse between the two, restitution e
 *
 * Which of the two impacts comes first decides what happens: with e < 1 the velocities
 * after both are other ones for left-right than for right-left, and a neighbouring start
 * has the one or the other order. So the motion ends here, there is no derivative, and a
 * solver must say so: the refusal, at a quarter of the period, is the result.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(th1, th2, th3);
    PARAMETERS(g, l, e, th0, m);
    COSTS(swing);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(l, 1, "m", "length");
    NOMINAL(e, 0.9, "1", "coefficient of restitution");
    NOMINAL(th0, 0.5, "rad", "initial angle of the outer two, outwards");
    FIXED(m, 1, "kg", "mass of each");

    struct mode *swing = model_mode(model, "swing");
    for (int i = 0; i < 3; i++)
        model->M[i][i] = EQ(m*l*l);
    model->F[0] = EQ(-m*g*l*sin(th1));
    model->F[1] = EQ(-m*g*l*sin(th2));
    model->F[2] = EQ(-m*g*l*sin(th3));
    model->g[0] = EQ(vth1*vth1 + vth2*vth2 + vth3*vth3);
    model->energy = EQ(m*l*l*(vth1*vth1 + vth2*vth2 + vth3*vth3)/2
                       - m*g*l*(cos(th1) + cos(th2) + cos(th3)));

    struct event *left = model_event(model, "left", swing, swing, EQ(th2 - th1), FALLING);
    event_impulse(left, EQ(th2 - th1), EQ(e));
    struct event *right = model_event(model, "right", swing, swing, EQ(th3 - th2),
                                      FALLING);
    event_impulse(right, EQ(th3 - th2), EQ(e));

    model->q0[0] = EQ(-th0);
    model->q0[1] = EQ(0);
    model->q0[2] = EQ(th0);
    for (int i = 0; i < 3; i++)
        model->v0[i] = EQ(0);
    model->t_end = EQ(2);

    DRAW_LINE(-l/4, 0, l*(sin(th1) - 0.25), -l*cos(th1));
    DRAW_LINE(0, 0, l*sin(th2), -l*cos(th2));
    DRAW_LINE(l/4, 0, l*(sin(th3) + 0.25), -l*cos(th3));
}

CASE(newton_cradle,
    .name = "newton-cradle",
    .title = "two pendulums hit a third at the same time: there is no derivative",
    .source = "textbook",
    .declared = "nominal values; touching pendulums hang at the same angle",
    .classes = "refused, simultaneous, impulse, velocity-jump, state-dependent-guard, "
               "unconstrained",
    .record = record);
