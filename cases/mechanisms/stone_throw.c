/*
 * stone_throw.c - a terminal event and terminal costs (stone-throw): a stone thrown from
 * the top of a slope, through air that resists it, until it lands on the slope.
 *
 *     m x'' = -c |v| x'     m y'' = -c |v| y' - m g
 *
 * The end of the run is the event: t_F moves with every parameter, and so do the terminal
 * costs, one of which has the time in it. |v| is never zero: the stone is thrown
 * forwards.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(m, c, g, slope, speed, angle, t_throw);
    TIME(t);
    COSTS(pace, blow, heat);

    NOMINAL(m, 0.2, "kg", "mass of the stone");
    NOMINAL(c, 0.004, "kg/m", "resistance of the air");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(slope, 0.3, "1", "descent of the slope");
    NOMINAL(speed, 15, "m/s", "speed of the throw");
    NOMINAL(angle, 0.8, "rad", "its direction above the horizontal");
    NOMINAL(t_throw, 0.25, "s", "time of the throw");

    LET(v, sqrt(vx*vx + vy*vy));
    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(m);
    model->M[1][1] = EQ(m);
    model->F[0] = EQ(-c*v*vx);
    model->F[1] = EQ(-c*v*vy - m*g);
    model->g[2] = EQ(c*v*v*v);

    struct event *landing = model_event(model, "landing", flight, flight, EQ(y + slope*x),
                                        FALLING);
    landing->terminal = true;
    model->w[0] = EQ(x/(t - t_throw));              /* mean speed over ground */
    model->w[1] = EQ(m*(vx*vx + vy*vy)/2);

    /* The air takes the drag c |v|^2 times the speed. */
    model->energy = EQ(m*(vx*vx + vy*vy)/2 + m*g*y);
    flight->power = EQ(-c*(vx*vx + vy*vy)*sqrt(vx*vx + vy*vy));

    model->q0[1] = EQ(2);                           /* height of the thrower */
    model->v0[0] = EQ(speed*cos(angle));
    model->v0[1] = EQ(speed*sin(angle));
    model->t0 = EQ(t_throw);
    model->t_end = EQ(10);

    DRAW_POINT(x, y);
}

CASE(stone_throw,
    .name = "stone-throw",
    .title = "stone thrown down a slope: the run ends where it lands",
    .source = "textbook",
    .declared = "all its values; a start and an end that move with the parameters",
    .classes = "identity-reset, state-dependent-guard, parameter-dependent-guard, "
               "moving-end, unconstrained",
    .record = record);
