/*
 * grazing.c - grazing, and conditions of events near it: near-grazing-3, -6, -9, grazing,
 * grazing-missed. A ball is thrown up against a ceiling that is nearly where it would
 * turn by itself.
 *
 *     y'' = -g      ceiling  y = h - overlap rising:  y'+ = -e y'
 *                   floor    y = 0 falling:           y'+ = -e y'
 *
 * The nominal ball would rise to h = y0 + v0^2/(2 g) = 5. It meets the ceiling with the
 * speed w = sqrt(2 g overlap), and dt_e/dh = 1/w: near-grazing-N has w = 10^-N m/s.
 * Rounding errors of y and v0 move the event by 1/w of their size, and its derivatives by
 * 1/w^2. At w = 1e-9 the overlap is 6e-20 m: no double tells the ceiling from the turning
 * point.
 *
 * In grazing the ball touches: a higher ball hits and a lower one does not, there is no
 * derivative. In grazing-missed it does not touch, and an event is missing from the
 * sequence.
 */
#include "case.h"

#define OVERLAP(value) \
    FIXED(overlap, value, "m", "how much further than the ceiling the ball would rise")

enum how { MISSED, TOUCHED, AT_1E_3, AT_1E_6, AT_1E_9 };

static void throw_up(struct model *model, enum how how)
{
    COORDINATES(y);
    PARAMETERS(g, e, h, v0, overlap);
    COSTS(height);

    NOMINAL(g, 8, "m/s^2", "gravity");
    NOMINAL(e, 0.5, "1", "coefficient of restitution");
    NOMINAL(h, 5, "m", "height of the ceiling, but for the overlap");
    NOMINAL(v0, 8, "m/s", "initial velocity, at y = 1");
    if (how == AT_1E_3)
        OVERLAP(6.25e-8);
    else if (how == AT_1E_6)
        OVERLAP(6.25e-14);
    else if (how == AT_1E_9)
        OVERLAP(6.25e-20);
    else if (how == TOUCHED)
        OVERLAP(0);
    else
        OVERLAP(-1e-9);

    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-g);
    model->g[0] = EQ(y);
    model->energy = EQ(vy*vy/2 + g*y);

    struct event *ceiling = model_event(model, "ceiling", flight, flight,
                                        EQ(y - h + overlap), RISING);
    ceiling->v_plus[0] = EQ(-e*vy);
    struct event *floor = model_event(model, "floor", flight, flight, EQ(y), FALLING);
    floor->v_plus[0] = EQ(-e*vy);

    model->q0[0] = EQ(1);
    model->v0[0] = EQ(v0);
    model->t_end = EQ(2.5);

    DRAW_POINT(0, y);
}

static void record_3(struct model *model) { throw_up(model, AT_1E_3); }
static void record_6(struct model *model) { throw_up(model, AT_1E_6); }
static void record_9(struct model *model) { throw_up(model, AT_1E_9); }
static void record_touched(struct model *model) { throw_up(model, TOUCHED); }
static void record_missed(struct model *model) { throw_up(model, MISSED); }

#define KIND "velocity-jump, state-dependent-guard, parameter-dependent-guard, " \
             "unconstrained"

CASE(grazing,
    .name = "grazing",
    .title = "a ball touches the ceiling without hitting it: there is no derivative",
    .source = "textbook",
    .declared = "nominal values",
    .classes = "torture, refused, " KIND,
    .record = record_touched);

CASE(grazing_missed,
    .name = "grazing-missed",
    .title = "a ball turns a nanometre below the ceiling",
    .source = "textbook",
    .declared = "nominal values",
    .classes = "torture, " KIND,
    .record = record_missed);

CASE(near_grazing_3,
    .name = "near-grazing-3",
    .title = "a ball hits the ceiling at 1e-3 m/s",
    .source = "textbook",
    .declared = "nominal values",
    .classes = "torture, " KIND,
    .record = record_3);

CASE(near_grazing_6,
    .name = "near-grazing-6",
    .title = "a ball hits the ceiling at 1e-6 m/s",
    .source = "textbook",
    .declared = "nominal values",
    .classes = "torture, " KIND,
    .record = record_6);

CASE(near_grazing_9,
    .name = "near-grazing-9",
    .title = "a ball hits the ceiling at 1e-9 m/s: more than double can tell",
    .source = "textbook",
    .declared = "nominal values",
    .classes = "torture, " KIND,
    .record = record_9);
