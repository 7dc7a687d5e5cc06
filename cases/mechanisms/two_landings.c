/*
 * two_landings.c - simultaneous events that commute (two-landings): two balls land at one
 * time, far from each other.
 *
 *     m1 y1'' = -m1 g        m2 y2'' = -m2 g
 *
 *     first    y1 = 0 falling:  an impulse on ball 1, restitution e1
 *     second   y2 = 0 falling:  an impulse on ball 2, restitution e2
 *
 * Ball 1 falls from h1, ball 2 is thrown up from h2 with u; with these values both are on
 * the ground at t = 1. A neighbouring start has one landing before the other, which one
 * depends on the direction. But the balls do not act on each other: both orders lead to
 * one state, and all derivatives exist. In newton-cradle, where the bodies meet, they do
 * not.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(y1, y2);
    PARAMETERS(g, e1, e2, m1, m2, h1, h2, u);
    COSTS(distance, heat);

    NOMINAL(g, 2, "m/s^2", "gravity");
    NOMINAL(e1, 0.75, "1", "coefficient of restitution of ball 1");
    NOMINAL(e2, 0.5, "1", "coefficient of restitution of ball 2");
    NOMINAL(m1, 3, "kg", "mass of ball 1");
    NOMINAL(m2, 1, "kg", "mass of ball 2");
    NOMINAL(h1, 1, "m", "initial height of ball 1");
    NOMINAL(h2, 0.5, "m", "initial height of ball 2");
    NOMINAL(u, 0.5, "m/s", "initial speed of ball 2, upwards");

    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(m1);
    model->M[1][1] = EQ(m2);
    model->F[0] = EQ(-m1*g);
    model->F[1] = EQ(-m2*g);
    model->g[0] = EQ(y1 - y2);
    model->energy = EQ(m1*vy1*vy1/2 + m2*vy2*vy2/2 + g*(m1*y1 + m2*y2));

    struct event *first = model_event(model, "first", flight, flight, EQ(y1), FALLING);
    event_impulse(first, EQ(y1), EQ(e1));
    first->cost[1] = EQ(m1*vy1*vy1*(1 - e1*e1)/2);
    struct event *second = model_event(model, "second", flight, flight, EQ(y2), FALLING);
    event_impulse(second, EQ(y2), EQ(e2));
    second->cost[1] = EQ(m2*vy2*vy2*(1 - e2*e2)/2);

    /* A ball rises to e^2 of the height that would give it the speed of its landing. */
    event_balance(first, "approach by separation", EQ(-vy1/vy1_plus), EQ(1/e1));
    event_balance(first, "height", EQ(vy1_plus*vy1_plus/(2*g)), EQ(e1*e1*vy1*vy1/(2*g)));
    event_balance(second, "approach by separation", EQ(-vy2/vy2_plus), EQ(1/e2));
    event_balance(second, "height", EQ(vy2_plus*vy2_plus/(2*g)), EQ(e2*e2*vy2*vy2/(2*g)));

    model->q0[0] = EQ(h1);
    model->q0[1] = EQ(h2);
    model->v0[0] = EQ(0);
    model->v0[1] = EQ(u);
    model->t_end = EQ(2);

    DRAW_POINT(0, y1);
    DRAW_POINT(1, y2);
}

CASE(two_landings,
    .name = "two-landings",
    .title = "two balls land at the same time: the derivative exists",
    .source = "textbook",
    .declared = "nominal values and start",
    .classes = "impulse, velocity-jump, state-dependent-guard, "
               "unconstrained",
    .record = record);
