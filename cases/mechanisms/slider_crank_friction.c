/*
 * slider_crank_friction.c - the spatial slider-crank with Brown-McPhee friction in every
 * joint (slider-crank-friction; Verulkar, Sandu, Dopico, Sandu; Brown, McPhee 2016).
 *
 * The normal force of a joint is that of its reaction (elements/friction.h): the forces
 * depend on the multipliers, not linearly. The crank comes to rest before it is down. The
 * cost `loss` is the energy that friction takes.
 */
#include "case.h"
#include "elements/friction.h"
#include "slider_crank.h"

/* Adds friction to all joints. Returns the power that it takes. */
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

/* --- energy and power, a second time ------------------------------------------------ */

/* |r'|^2 */
static formula squared_rate(const struct model *model, const formula r[3])
{
    formula v[3];
    vector_rate(model, r, v);
    return vector_dot(v, v);
}

/* Half the sum of axis x its rate, over the axes of the body. */
static void angular_velocity(const struct model *model, const struct body *body,
                             formula out[3])
{
    formula two = integer(model->tape, 2);
    for (int i = 0; i < 3; i++)
        out[i] = (formula){NULL, 0};
    for (int k = 0; k < 3; k++) {
        formula rate[3];
        const formula axis[3] = {body->A[0][k], body->A[1][k], body->A[2][k]};
        vector_rate(model, axis, rate);
        vector_cross(axis, rate, rate);
        for (int i = 0; i < 3; i++)
            out[i] = add(out[i], quotient(rate[i], two));
    }
}

/* The crank turns about its pivot, the slider does not turn. The kinetic energy of the
   rod is that of its centre, of its ends against each other, and of its turning about
   itself (Koenig). */
static formula energy(const struct model *model, const struct slider_crank *s,
                      const struct slider_crank_data *data)
{
    const formula *tip = s->ball.a.at.r, *pin = s->cross.a.at.r, *m = data->m;
    const formula *slider = s->slider.centre.r;
    formula two = integer(model->tape, 2), four = integer(model->tape, 4);
    formula along[3], crank_ends[3], rod_ends[3], omega[3];
    vector_difference(pin, tip, along);
    angular_velocity(model, &s->rod, omega);
    for (int i = 0; i < 3; i++) {
        crank_ends[i] = add(data->pivot[i], tip[i]);
        rod_ends[i] = add(tip[i], pin[i]);
    }
    formula spin = quotient(vector_dot(omega, along), data->L_rod);
    formula about_pivot = add(data->J[0][0],
                              quotient(mul(m[0], power(data->L_crank, 2)), four));
    const formula twice_T[] = {
        mul(about_pivot, quotient(squared_rate(model, tip), power(data->L_crank, 2))),
        mul(m[1], quotient(squared_rate(model, rod_ends), four)),
        mul(data->J[1][1], quotient(squared_rate(model, along), power(data->L_rod, 2))),
        mul(data->J[1][0], power(spin, 2)),
        mul(m[2], squared_rate(model, slider)),
    };
    const formula weight[] = {
        mul(m[0], quotient(vector_dot(data->g, crank_ends), two)),
        mul(m[1], quotient(vector_dot(data->g, rod_ends), two)),
        mul(m[2], vector_dot(data->g, slider)),
    };
    return sub(quotient(sum(twice_T, 5), two), sum(weight, 3));
}

/* The force that presses a joint: its reaction, and for its torque that of a couple at
   the arm. With `sliding` the force along x does not press. */
static formula pressing(const struct model *model, const struct joint *joint,
                        const struct friction *friction, bool sliding)
{
    formula force[3], torque[3];
    joint_reaction(model, joint, force, torque);
    for (int i = 0; i < 3; i++)
        torque[i] = quotient(torque[i], friction->arm);
    if (sliding)
        force[0] = (formula){NULL, 0};
    formula squares = add(vector_dot(force, force), vector_dot(torque, torque));
    return apply(OP_SQRT, add(squares, power(friction->N_0, 2)));
}

static formula taken(const struct friction *friction, formula N, formula slip)
{
    return mul(friction_force(friction, N, slip), slip);
}

/* Forces of friction times the speeds at which surfaces slip: of the pin of the crank,
   of the ball, of both pins of the cross on a slider that does not turn, and of the
   slider. */
static formula power_of_friction(const struct model *model, const struct slider_crank *s,
                                 const struct friction *friction)
{
    formula crank[3], rod[3], ball[3], slider[3];
    angular_velocity(model, &s->crank, crank);
    angular_velocity(model, &s->rod, rod);
    vector_difference(rod, crank, ball);
    vector_rate(model, s->slider.centre.r, slider);
    formula radius = friction->radius;
    formula squared_slip = mul(power(radius, 2), vector_dot(ball, ball));
    formula slip = apply(OP_SQRT, add(squared_slip, power(friction->v_0, 2)));
    formula N_ball = pressing(model, &s->ball, friction, false);
    formula N_cross = pressing(model, &s->cross, friction, false);
    formula on_ball = friction_force(friction, N_ball, slip);
    const formula joint[] = {
        taken(friction, pressing(model, &s->pivot, friction, false),
              mul(radius, crank[0])),
        quotient(mul(on_ball, squared_slip), slip),
        taken(friction, N_cross, mul(radius, vector_dot(rod, s->cross.a.z))),
        taken(friction, N_cross, mul(radius, rod[0])),
        taken(friction, pressing(model, &s->guide, friction, true), slider[0]),
    };
    return negate(sum(joint, 5));
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
    model->energy = energy(model, &mechanism, &data);
    model->pen->power = power_of_friction(model, &mechanism, &friction);
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
