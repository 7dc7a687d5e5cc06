/*
 * friction.c - joint friction (Brown, McPhee 2016) as generalised forces that depend on
 * the multipliers; see friction.h.
 */
#include "elements/friction.h"

static formula number(formula like, long value)
{
    return integer(like.tape, value);
}

static formula square(formula a)
{
    return is_zero(a) ? a : power(a, 2);
}

formula friction_force(const struct friction *friction, formula N, formula v)
{
    formula four = number(v, 4), u = quotient(v, friction->v_t);
    formula valley = add(quotient(square(u), four), quotient(number(v, 3), four));
    formula hill = quotient(mul(sub(friction->mu_s, friction->mu_d), u), square(valley));
    formula dynamic = mul(friction->mu_d, apply(OP_TANH, mul(four, u)));
    formula force = mul(N, add(dynamic, hill));
    if (is_zero(friction->sigma))
        return force;
    formula load = apply(OP_TANH, quotient(mul(four, N), friction->N_t));
    return add(force, mul(mul(friction->sigma, v), load));
}

/* Normal force N of a joint; with `axis`, without the force along it. */
static formula normal_force(const struct model *model, const struct joint *joint,
                            const struct friction *friction, const formula *axis)
{
    formula force[3], torque[3];
    joint_reaction(model, joint, force, torque);
    formula squares = vector_dot(force, force);
    if (axis)
        squares = sub(squares, square(vector_dot(force, axis)));
    if (!is_zero(friction->arm))
        squares = add(squares, quotient(vector_dot(torque, torque),
                                        square(friction->arm)));
    return apply(OP_SQRT, add(squares, square(friction->N_0)));
}

/* The angular velocity of b relative to a, components in space. */
static void relative_omega(const struct joint *joint, formula out[3])
{
    formula omega_a[3];
    body_omega(joint->a.body, omega_a);
    body_omega(joint->b.body, out);
    vector_difference(out, omega_a, out);
}

/* Applies a friction force to a rate. Returns the power that it takes, force times
   rate. */
static formula against(struct model *model, formula rate, formula force)
{
    model_force_on_rate(model, rate, negate(force));
    return mul(force, rate);
}

static formula torque_about(struct model *model, const struct joint *joint,
                            const struct friction *friction, formula N,
                            const formula axis[3])
{
    formula omega[3];
    relative_omega(joint, omega);
    formula rate = vector_dot(omega, axis);
    formula force = friction_force(friction, N, mul(friction->radius, rate));
    return against(model, rate, mul(friction->radius, force));
}

formula friction_revolute(struct model *model, const struct joint *joint,
                          const struct friction *friction)
{
    formula N = normal_force(model, joint, friction, NULL);
    return torque_about(model, joint, friction, N, joint->a.z);
}

formula friction_universal(struct model *model, const struct joint *joint,
                           const struct friction *friction)
{
    formula N = normal_force(model, joint, friction, NULL);
    formula power = torque_about(model, joint, friction, N, joint->a.z);
    return add(power, torque_about(model, joint, friction, N, joint->b.z));
}

/* The speed of the origin of b along z of a. */
static formula sliding(const struct model *model, const struct joint *joint)
{
    formula d[3];
    vector_difference(joint->b.at.r, joint->a.at.r, d);
    return model_rate(model, vector_dot(d, joint->a.z));
}

formula friction_prismatic(struct model *model, const struct joint *joint,
                           const struct friction *friction)
{
    formula N = normal_force(model, joint, friction, joint->a.z);
    formula slide = sliding(model, joint);
    return against(model, slide, friction_force(friction, N, slide));
}

/* The friction force over the speed sqrt(squares + v_0^2). */
static formula force_over_speed(const struct friction *friction, formula N,
                                formula squares)
{
    formula speed = apply(OP_SQRT, add(squares, square(friction->v_0)));
    return quotient(friction_force(friction, N, speed), speed);
}

formula friction_cylindrical(struct model *model, const struct joint *joint,
                             const struct friction *friction)
{
    formula N = normal_force(model, joint, friction, joint->a.z), omega[3];
    relative_omega(joint, omega);
    formula slide = sliding(model, joint), rate = vector_dot(omega, joint->a.z);
    formula turn = mul(friction->radius, rate);
    formula force = force_over_speed(friction, N, add(square(slide), square(turn)));
    formula power = against(model, slide, mul(force, slide));
    return add(power, against(model, rate, mul(friction->radius, mul(force, turn))));
}

formula friction_spherical(struct model *model, const struct joint *joint,
                           const struct friction *friction)
{
    formula N = normal_force(model, joint, friction, NULL), omega[3], power = {NULL, 0};
    relative_omega(joint, omega);
    formula area = square(friction->radius);
    formula force = force_over_speed(friction, N, mul(area, vector_dot(omega, omega)));
    for (int j = 0; j < 3; j++)
        power = add(power, against(model, omega[j], mul(mul(area, force), omega[j])));
    return power;
}
