/*
 * two_balls.c - two balls one above the other fall on the ground and hit each other:
 * two-balls, two-balls-close, two-balls-unequal.
 *
 *     m1 y1'' = -m1 g        m2 y2'' = -m2 g
 *
 *     ground   y1 = 0 falling:         an impulse on ball 1, restitution e_g
 *     contact  y2 - y1 = gap falling:  an impulse between the balls, restitution e_c
 *
 * y1 is the height of the lowest point of ball 1, gap its diameter. The light ball on top
 * is thrown higher than it came from. Arcs are parabolas in y1 and the difference is
 * linear in t: everything has a closed form. No two impacts are at the same time here;
 * newton-cradle is the case in which they are.
 */
#include "case.h"

enum balls { NORMAL, CLOSE, UNEQUAL };

#define VALUES(mass, other_mass, height) do { \
        NOMINAL(m1, mass, "kg", "mass of the lower ball"); \
        NOMINAL(m2, other_mass, "kg", "mass of the upper ball"); \
        NOMINAL(h2, height, "m", "initial height of the upper ball"); \
    } while (0)

static void fall(struct model *model, enum balls balls)
{
    COORDINATES(y1, y2);
    PARAMETERS(g, e_g, e_c, m1, m2, gap, h1, h2);
    COSTS(distance, heat);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(e_g, 0.9, "1", "coefficient of restitution on the ground");
    NOMINAL(e_c, 0.8, "1", "coefficient of restitution between the balls");
    NOMINAL(gap, 0.25, "m", "diameter of the lower ball");
    NOMINAL(h1, 1, "m", "initial height of the lower ball");
    if (balls == NORMAL)
        VALUES(3, 1, 1.75);
    else if (balls == CLOSE)
        VALUES(30, 1, 1.250000002);
    else
        VALUES(1e8, 1, 1.75);

    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(m1);
    model->M[1][1] = EQ(m2);
    model->F[0] = EQ(-m1*g);
    model->F[1] = EQ(-m2*g);
    model->g[0] = EQ(y2 - y1 - gap);
    model->energy = EQ(m1*vy1*vy1/2 + m2*vy2*vy2/2 + g*(m1*y1 + m2*y2));

    struct event *ground = model_event(model, "ground", flight, flight, EQ(y1), FALLING);
    event_impulse(ground, EQ(y1), EQ(e_g));
    ground->cost[1] = EQ(m1*vy1*vy1*(1 - e_g*e_g)/2);
    struct event *contact = model_event(model, "contact", flight, flight,
                                        EQ(y2 - y1 - gap), FALLING);
    event_impulse(contact, EQ(y2 - y1), EQ(e_c));
    LET(reduced, m1*m2/(m1 + m2));
    contact->cost[1] = EQ(reduced*(vy2 - vy1)*(vy2 - vy1)*(1 - e_c*e_c)/2);

    model->q0[0] = EQ(h1);
    model->q0[1] = EQ(h2);
    model->v0[0] = EQ(0);
    model->v0[1] = EQ(0);
    model->t_end = EQ(1.5);

    DRAW_POINT(0, y1);
    DRAW_POINT(0, y2);
}

static void record(struct model *model) { fall(model, NORMAL); }
static void record_close(struct model *model) { fall(model, CLOSE); }
static void record_unequal(struct model *model) { fall(model, UNEQUAL); }

CASE(two_balls,
    .name = "two-balls",
    .title = "two balls one above the other, bouncing",
    .source = "textbook",
    .declared = "nominal values and start",
    .classes = "impulse, velocity-jump, state-dependent-guard, "
               "parameter-dependent-guard, unconstrained",
    .record = record);

CASE(two_balls_close,
    .name = "two-balls-close",
    .title = "the upper ball meets the lower one 0.25 ns after it bounced",
    .source = "textbook",
    .declared = "nominal values and start",
    .classes = "torture, impulse, velocity-jump, state-dependent-guard, "
               "parameter-dependent-guard, unconstrained",
    .record = record_close);

CASE(two_balls_unequal,
    .name = "two-balls-unequal",
    .title = "the lower ball has 1e8 times the mass of the upper one",
    .source = "textbook",
    .declared = "nominal values and start",
    .classes = "torture, impulse, velocity-jump, state-dependent-guard, "
               "parameter-dependent-guard, unconstrained",
    .record = record_unequal);
