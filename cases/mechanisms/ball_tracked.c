/*
 * ball_tracked.c - a thrown body tracked by a camera (ball-tracked): restitution and
 * friction of its impacts by least squares.
 *
 *     x'' = 0, y'' = -g       y = 0 falling:  vy+ = -e vy,  vx+ = vx - mu (1 + e) |vy|
 *
 * The body slides forwards through every impact (Coulomb). The cost is the sum of squared
 * distances from ten recorded places, by the variance of a reading: an event at the time
 * of each adds its term, so nothing is interpolated. The record is numbers: the motion at
 * e = 0.8, mu = 0.12, u0 = 4 m/s, h0 = 1 m with normal noise of 5 mm (seed 28), in whole
 * millimetres. A fit begins at the nominal values, which are a guess; impacts pass
 * through recorded times on the way from there.
 */
#include "case.h"

/* The camera has seen the body at this time and place. */
#define SEEN(k, time, place_x, place_y) do { \
        struct event *seen = model_event(model, "seen-" #k, flight, flight, \
                                         EQ(t - time), RISING); \
        seen->cost[0] = EQ(((x - place_x)*(x - place_x) + \
                            (y - place_y)*(y - place_y))/(sigma*sigma)); \
    } while (0)

static void record(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(e, mu, u0, h0, g, sigma);
    COSTS(misfit);
    TIME(t);

    NOMINAL(e, 0.72, "1", "coefficient of restitution");
    NOMINAL(mu, 0.1, "1", "coefficient of friction");
    NOMINAL(u0, 3.9, "m/s", "initial speed, forwards");
    NOMINAL(h0, 1, "m", "initial height");
    FIXED(g, 9.81, "m/s^2", "gravity");
    FIXED(sigma, 0.005, "m", "standard deviation of a reading");

    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1);
    model->M[1][1] = EQ(1);
    model->F[1] = EQ(-g);
    model->energy = EQ((vx*vx + vy*vy)/2 + g*y);

    struct event *impact = model_event(model, "impact", flight, flight, EQ(y), FALLING);
    impact->v_plus[0] = EQ(vx + mu*(1 + e)*vy);
    impact->v_plus[1] = EQ(-e*vy);
    event_balance(impact, "approach by separation", EQ(-vy/vy_plus), EQ(1/e));
    event_balance(impact, "friction by normal impulse", EQ((vx - vx_plus)/(vy_plus - vy)),
                  EQ(mu));

    SEEN(1, 0.10, 0.402, 0.953);
    SEEN(2, 0.34, 1.357, 0.431);
    SEEN(3, 0.58, 2.201, 0.378);
    SEEN(4, 0.82, 2.924, 0.641);
    SEEN(5, 1.06, 3.650, 0.346);
    SEEN(6, 1.30, 4.294, 0.282);
    SEEN(7, 1.54, 4.842, 0.381);
    SEEN(8, 1.78, 5.380, 0.068);
    SEEN(9, 2.02, 5.762, 0.269);
    SEEN(10, 2.26, 6.152, 0.081);

    model->q0[0] = EQ(0);
    model->q0[1] = EQ(h0);
    model->v0[0] = EQ(u0);
    model->v0[1] = EQ(0);
    model->t_end = EQ(2.4);

    DRAW_POINT(x, y);
}

CASE(ball_tracked,
    .name = "ball-tracked",
    .title = "a thrown body tracked by a camera: which restitution and friction?",
    .source = "textbook; Coulomb friction at an impact as in Whittaker 1904",
    .declared = "the record, of this model with noise; all values",
    .classes = "velocity-jump, identity-reset, state-dependent-guard, "
               "time-dependent-guard, unconstrained",
    .record = record);
