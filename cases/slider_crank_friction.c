/*
 * slider-crank-friction: slider-crank-spatial with friction of Brown and McPhee (2016) in
 * every joint, as Verulkar, Sandu, Dopico and Sandu study it.
 *
 * The normal force of a joint is that of its reaction (elements/friction.h): the forces
 * depend on the multipliers, not linearly. The crank comes to rest before it is down. The
 * cost `loss` is the energy that friction takes.
 */
#include "case.h"
#include "elements/friction.h"
#include "slider_crank.h"

/* Friction in all joints; the power it takes. */
static formula rub(struct model *model, const struct slider_crank *s,
                   const struct friction *friction)
{
    const formula power[4] = {
        friction_revolute(model, &s->pivot, friction),
        friction_spherical(model, &s->ball, friction),
        friction_universal(model, &s->cross, friction),
        friction_prismatic(model, &s->guide, friction),
    };
    return sum(power, 4);
}

static void record(struct model *model)
{
    PARAMETERS(L_crank, mu_s, mu_d, m_slider, omega0, v_t, radius, arm, N_0, v_0, g,
               L_rod, m_crank, m_rod, y_pivot, z_pivot);
    COSTS(path, loss);
    NOMINAL(L_crank, 0.08, "m", "length of the crank");
    NOMINAL(mu_s, 0.3, "1", "static friction");
    NOMINAL(mu_d, 0.2, "1", "dynamic friction");
    NOMINAL(m_slider, 2, "kg", "mass of the slider");
    FIXED(omega0, 6, "rad/s", "speed of the crank at the start");
    FIXED(v_t, 0.01, "m/s", "transition velocity");
    FIXED(radius, 0.01, "m", "radius of the pins and of the ball");
    FIXED(arm, 0.1, "m", "of the couples that carry torques");
    FIXED(N_0, 0.01, "N", "load at which an unloaded joint is rounded off");
    FIXED(v_0, 1e-4, "m/s", "speed at which a ball at rest is rounded off");
    FIXED(g, 9.81, "m/s^2", "gravity");
    FIXED(L_rod, 0.3, "m", "length of the rod");
    FIXED(m_crank, 0.12, "kg", "mass of the crank");
    FIXED(m_rod, 0.5, "kg", "mass of the rod");
    FIXED(y_pivot, 0.1, "m", "pivot of the crank");
    FIXED(z_pivot, 0.12, "m", "pivot of the crank");

    static const char *const suffix[3] = {"_crank", "_rod", "_slider"};
    const struct slider_crank_data data = {
        .L_crank = EQ(L_crank),
        .L_rod = EQ(L_rod),
        .m = {EQ(m_crank), EQ(m_rod), EQ(m_slider)},
        .J = {{EQ(1e-4), EQ(1e-4), EQ(1e-5)},
              {EQ(4e-4), EQ(4e-3), EQ(4e-3)},
              {EQ(1e-4), EQ(1e-4), EQ(1e-4)}},
        .pivot = {EQ(0), EQ(y_pivot), EQ(z_pivot)},
        .g = {EQ(0), EQ(0), EQ(-g)},
    };
    const struct friction friction = {
        .mu_s = EQ(mu_s), .mu_d = EQ(mu_d), .v_t = EQ(v_t), .radius = EQ(radius),
        .arm = EQ(arm), .N_0 = EQ(N_0), .v_0 = EQ(v_0)};
    struct slider_crank mechanism;
    slider_crank(model, &data, body_euler, suffix, &mechanism);
    model->g[0] = mechanism.slider.centre.r[0];
    model->g[1] = rub(model, &mechanism, &friction);
    model->energy = (formula){NULL, 0};
    int e1 = model_coordinate_index(model, "e1_crank");
    model->q0[e1] = EQ(0);
    model->v0[e1] = EQ(omega0/2);
    model->t_end = EQ(0.2);
}

CASE(slider_crank_friction,
    .name = "slider-crank-friction",
    .title = "crank, rod and slider in space with friction in every joint",
    .source = "Verulkar, Sandu, Dopico, Sandu; Brown, McPhee 2016; Haug 1989, "
              "section 12.2",
    .declared = "radius of pins and ball, arm of couples, v_t; what rounds off unloaded "
                "joints; no viscous term; as slider-crank-spatial",
    .classes = "constrained, spatial, friction",
    .record = record);
