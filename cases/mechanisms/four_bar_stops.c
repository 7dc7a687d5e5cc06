/*
 * four_bar_stops.c - simultaneous impacts to be refused (four-bar-stops): the
 * parallelogram of four-bar-events falls on two stops at once.
 *
 *     left   y1 = h1 falling,  right  y2 = h2 falling: an impulse with restitution e1, e2
 *
 * Both stops have the same height. Which is hit first decides with which of the two
 * coefficients the mechanism bounces, and a neighbouring height has the one or the other
 * order: there is no derivative, and the refusal is the result. It comes before the
 * cranks are horizontal, where the mechanism is singular.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x1, y1, x2, y2);
    PARAMETERS(L, C, h1, h2, e1, e2, spin, load, m_bar, g);
    COSTS(way);

    NOMINAL(L, 1, "m", "length of the cranks");
    NOMINAL(h1, 0.5, "m", "height of the stop below point 1");
    NOMINAL(h2, 0.5, "m", "height of the stop below point 2");
    NOMINAL(e1, 0.5, "1", "coefficient of restitution of the stop below point 1");
    NOMINAL(e2, 0.75, "1", "coefficient of restitution of the stop below point 2");
    NOMINAL(spin, 1, "rad/s", "initial rate of the cranks, clockwise, upright");
    FIXED(load, 0.5, "kg", "load on point 2");
    FIXED(C, 1, "m", "length of the coupler, and distance of the pivots");
    FIXED(m_bar, 1, "kg", "mass of each bar");
    FIXED(g, 9.81, "m/s^2", "gravity");

    struct mode *swing = model_mode(model, "swing");
    for (int d = 0; d < 2; d++) {
        model->M[d][d] = EQ(2*m_bar/3);
        model->M[d][2 + d] = EQ(m_bar/6);
        model->M[2 + d][2 + d] = EQ(2*m_bar/3 + load);
    }
    model->F[1] = EQ(-m_bar*g);
    model->F[3] = EQ(-(m_bar + load)*g);
    model->Phi[0] = EQ(x1*x1 + y1*y1 - L*L);
    model->Phi[1] = EQ((x2 - x1)*(x2 - x1) + (y2 - y1)*(y2 - y1) - C*C);
    model->Phi[2] = EQ((x2 - C)*(x2 - C) + y2*y2 - L*L);
    model->g[0] = EQ(vx1*vx1 + vy1*vy1);

    struct event *left = model_event(model, "left", swing, swing, EQ(y1 - h1), FALLING);
    event_impulse(left, EQ(y1 - h1), EQ(e1));
    event_impulse_joints(left);
    struct event *right = model_event(model, "right", swing, swing, EQ(y2 - h2), FALLING);
    event_impulse(right, EQ(y2 - h2), EQ(e2));
    event_impulse_joints(right);

    model->q0[0] = EQ(0);
    model->q_guess[1] = EQ(1);
    model->q_guess[2] = EQ(1);
    model->q_guess[3] = EQ(1);
    model->v0[0] = EQ(spin*L);
    model->t_end = EQ(1);

    DRAW_LINE(0, 0, x1, y1);
    DRAW_LINE(x1, y1, x2, y2);
    DRAW_LINE(x2, y2, C, 0);
}

CASE(four_bar_stops,
    .name = "four-bar-stops",
    .title = "parallelogram that falls on two stops at once: there is no derivative",
    .source = "geometry of IFToMM benchmark A02, one cell",
    .declared = "the stops, start and values",
    .classes = "refused, simultaneous, impulse, velocity-jump, state-dependent-guard, "
               "parameter-dependent-guard, constrained, singular",
    .record = record);
