/*
 * straight_flight.c - a guard whose Taylor series ends before the motion's
 * (straight-flight): a particle flies straight at a disk.
 *
 *     x'' = 0,  y'' = 0      sqrt(x^2 + y^2) = R falling:  reflected at the circle
 *
 * The motion is of first degree in t, and so known for all times; but the guard, the
 * distance to the disk, has singular points in complex t, at the distance of closest
 * approach from the real axis. Its series at the start ends there, before the disk is
 * hit.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(R, e, x0, b, v, T);

    NOMINAL(R, 0.5, "m", "radius of the disk");
    NOMINAL(e, 0.8, "1", "coefficient of restitution");
    NOMINAL(x0, -10, "m", "initial position, along the flight");
    NOMINAL(b, 0.25, "m", "initial position, across it");
    NOMINAL(v, 2, "m/s", "speed");
    FIXED(T, 12, "s", "end of the run");

    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->energy = EQ((vx*vx + vy*vy)/2);

    LET(rate, (x*vx + y*vy)/(R*R));
    struct event *hit = model_event(model, "hit", flight, flight, EQ(sqrt(x*x + y*y) - R),
                                    FALLING);
    hit->v_plus[0] = EQ(vx - (1 + e)*rate*x);
    hit->v_plus[1] = EQ(vy - (1 + e)*rate*y);

    /* The disk is smooth, so that nothing turns the particle about its centre. */
    LET(inwards, -(x*vx + y*vy)/R);
    event_balance(hit, "angular momentum", EQ(x*vy_plus - y*vx_plus), EQ(x*vy - y*vx));
    event_balance(hit, "approach by separation",
                  EQ(inwards*R/(x*vx_plus + y*vy_plus)), EQ(1/e));
    event_balance(hit, "energy lost",
                  EQ((vx*vx + vy*vy - vx_plus*vx_plus - vy_plus*vy_plus)/2),
                  EQ((1 - e*e)*inwards*inwards/2));

    model->q0[0] = EQ(x0);
    model->q0[1] = EQ(b);
    model->v0[0] = EQ(v);
    model->v0[1] = EQ(0);
    model->t_end = EQ(T);

    DRAW_POINT(x, y);
}

CASE(straight_flight,
    .name = "straight-flight",
    .title = "a particle flies straight at a disk and is thrown back",
    .source = "textbook",
    .declared = "all its values",
    .classes = "velocity-jump, state-dependent-guard, parameter-dependent-guard, "
               "unconstrained",
    .record = record);
