/*
 * hung_spring.c - a weight hung on a hardening viscoelastic spring, kicked out of its
 * equilibrium against a stop (hung-spring).
 *
 *     m x'' = m g - k x - k3 x^3 - k1 (x - z)       z' = (x - z)/T       (x downwards)
 *
 *     start    k x + k3 x^3 + k1 (x - z) = m g,   x - z = 0,   m x'^2/2 = W upwards
 *     stop     x = -s falling:  x'+ = -e x'
 *
 * The spring is a standard linear solid (Zener) with a cubic term. The state at the start
 * follows from rows of the case alone: where the weight hangs is the root of a cubic, the
 * dashpot has come to rest, and the kick is told by its work.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(k, k3, k1, T, W, e, s, m, g);
    AUXILIARY(z);
    COSTS(bounce, heat);

    NOMINAL(k, 40, "N/m", "stiffness");
    NOMINAL(k3, 900, "N/m^3", "cubic stiffness");
    NOMINAL(k1, 12, "N/m", "stiffness in series with the dashpot");
    NOMINAL(T, 0.6, "s", "time of relaxation");
    NOMINAL(W, 8, "J", "work of the kick");
    NOMINAL(e, 0.7, "1", "coefficient of restitution of the stop");
    NOMINAL(s, 0.1, "m", "height of the stop above the unstretched spring");
    NOMINAL(m, 1, "kg", "mass");
    FIXED(g, 9.81, "m/s^2", "gravity");

    struct mode *hang = model_mode(model, "hang");
    model->M[0][0] = EQ(m);
    model->F[0] = EQ(m*g - k*x - k3*x*x*x - k1*(x - z));
    model->f_s[0] = EQ((x - z)/T);
    model->g[0] = EQ(x*x);
    model->g[1] = EQ(k1*(x - z)*(x - z)/T);
    model->energy = EQ(m*vx*vx/2 - m*g*x + k*x*x/2 + k3*x*x*x*x/4 +
                       k1*(x - z)*(x - z)/2);
    hang->power = EQ(-k1*(x - z)*(x - z)/T);

    struct event *stop = model_event(model, "stop", hang, hang, EQ(x + s), FALLING);
    stop->v_plus[0] = EQ(-e*vx);
    event_balance(stop, "approach by separation", EQ(-vx/vx_plus), EQ(1/e));

    model_start_row(model, EQ(k*x + k3*x*x*x + k1*(x - z) - m*g));
    model_start_row(model, EQ(x - z));
    model_start_row(model, EQ(m*vx*vx/2 - W));
    model->q_guess[0] = EQ(0.2);
    model->v_guess[0] = EQ(-2);
    model->s_guess[0] = EQ(0.2);
    model->t_end = EQ(3);

    DRAW_LINE(0, 0, 0, -x);
    DRAW_POINT(0, -x);
}

CASE(hung_spring,
    .name = "hung-spring",
    .title = "a weight kicked out of its equilibrium on a spring, against a stop",
    .source = "textbook; start rows as in Pan, Ding, Wang 2004 (2)",
    .declared = "all values",
    .classes = "velocity-jump, state-dependent-guard, parameter-dependent-guard, "
               "unconstrained, start-rows",
    .record = record);
