/*
 * pendulum_friction.c - a pendulum with Brown-McPhee joint friction (pendulum-friction;
 * Brown, McPhee 2016, as Verulkar, Sandu, Dopico, Sandu use it) in its pin of radius r,
 * hitting a wall.
 *
 *     F_f = F_n [ mu_d tanh(4 v/v_t)
 *                 + (mu_s - mu_d) (v/v_t) / ((v/(2 v_t))^2 + 3/4)^2 ]
 *           + sigma_2 v tanh(4 F_n/F_nt)
 *
 * v = r omega is the sliding velocity, F_n = l tension the force of the joint: F depends
 * on the multiplier, and not linearly. The rod stays in tension (it hangs, and swings
 * less than a right angle), so F_n needs no absolute value: where it would vanish the
 * motion ends. The wall is that of pendulum-wall; its impulse is perpendicular to the rod
 * and gives the pin none, so there is no friction in an impact.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(mu_s, mu_d, v_t, l, m, g, e, r, sigma_2, F_nt, a, th0);
    MULTIPLIERS(tension);
    COSTS(loss, swing);

    NOMINAL(mu_s, 0.3, "1", "static friction");
    NOMINAL(mu_d, 0.2, "1", "dynamic friction");
    NOMINAL(v_t, 0.01, "m/s", "transition velocity");
    NOMINAL(l, 1, "m", "length");
    NOMINAL(m, 1, "kg", "mass of the bob");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(e, 0.8, "1", "coefficient of restitution");
    FIXED(r, 0.05, "m", "radius of the pin");
    FIXED(sigma_2, 40, "N s/m", "viscous friction");
    FIXED(F_nt, 40, "N", "load at which viscous friction is full");
    FIXED(a, 0.2, "rad", "angle of the wall, on the negative side");
    FIXED(th0, 1, "rad", "initial angle, at rest");

    LET(omega, (x*vy - y*vx)/(l*l));
    LET(v, r*omega);
    LET(F_n, tension*l);
    LET(valley, v*v/(4*v_t*v_t) + 0.75);
    LET(mu, mu_d*tanh(4*v/v_t) + (mu_s - mu_d)*(v/v_t)/(valley*valley));
    LET(F_f, F_n*mu + sigma_2*v*tanh(4*F_n/F_nt));
    LET(moment, r*F_f);

    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = EQ(m);
    model->M[1][1] = EQ(m);
    model->F[0] = EQ(moment*y/(l*l));
    model->F[1] = EQ(-moment*x/(l*l) - m*g);
    model->Phi[0] = EQ((x*x + y*y - l*l)/2);
    model->g[0] = EQ(moment*omega);
    model->g[1] = EQ(omega*omega);

    struct event *impact = model_event(model, "wall", swing, swing,
                                       EQ(x*cos(a) - y*sin(a)), FALLING);
    event_impulse(impact, EQ(x*cos(a) - y*sin(a)), EQ(e));
    event_impulse_joints(impact);
    struct event *unload = model_event(model, "unload", swing, swing, EQ(tension),
                                       FALLING);
    unload->terminal = true;

    /* The energy decreases by friction alone. The load of the pin is stated by the
       motion, not by the multiplier, and the peak of friction in its other form,
       16 z/(z^2 + 3)^2. */
    LET(load, m*(vx*vx + vy*vy - g*y)/l);
    LET(slides, r*(x*vy - y*vx)/(l*l));
    LET(z, slides/v_t);
    LET(peak, 16*z/((z*z + 3)*(z*z + 3)));
    LET(dry, load*(mu_d*tanh(4*z) + (mu_s - mu_d)*peak));
    model->energy = EQ(m*(vx*vx + vy*vy)/2 + m*g*y);
    swing->power = EQ(-dry*slides - sigma_2*tanh(4*load/F_nt)*slides*slides);
    /* At the wall the bob moves along the normal, with all of its velocity. */
    LET(reach, vx*cos(a) - vy*sin(a));
    event_balance(impact, "angular momentum", EQ(x*vy_plus - y*vx_plus),
                  EQ(e*(y*vx - x*vy)));
    event_balance(impact, "approach by separation",
                  EQ(-reach/(vx_plus*cos(a) - vy_plus*sin(a))), EQ(1/e));
    event_balance(impact, "energy lost",
                  EQ(m*(vx*vx + vy*vy - vx_plus*vx_plus - vy_plus*vy_plus)/2),
                  EQ(m*(1 - e*e)*reach*reach/2));

    model->q0[0] = EQ(l*sin(th0));
    model->q_guess[1] = EQ(-1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(2.5);

    DRAW_LINE(0, 0, x, y);
    DRAW_POINT(x, y);
}

CASE(pendulum_friction,
    .name = "pendulum-friction",
    .title = "pendulum with friction in its pin, hitting a wall",
    .source = "Brown, McPhee 2016, as Verulkar, Sandu, Dopico, Sandu use it",
    .declared = "radius of the pin, viscous term, nominal values and start; F_n is the "
                "force along the rod; friction does not act in impacts",
    .classes = "impulse, velocity-jump, state-dependent-guard, "
               "parameter-dependent-guard, constrained, friction",
    .record = record);
