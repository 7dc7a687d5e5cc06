/*
 * friction.h - multibody elements: friction in joints, by their reaction forces (Brown,
 * McPhee 2016).
 *
 * The normal force is that of the joint's reaction, as in Verulkar, Sandu, Dopico, Sandu,
 * (5):
 *
 *     F_f = N [ mu_d tanh(4 v/v_t) + (mu_s - mu_d) (v/v_t) / ((v/(2 v_t))^2 + 3/4)^2 ]
 *           + sigma v tanh(4 N/N_t)
 *     N = sqrt(|F|^2 + |T|^2/arm^2 + N_0^2)
 *
 * F and T are force and torque of the joint (of a prismatic joint across its axis, since
 * the driving force does not press), formulas of the multipliers: the generalised forces
 * of the model depend on them. N_0 rounds off the corner that |F| has when a joint is
 * unloaded, and v_0 the corner that a speed in more than one direction has at rest; both
 * must be positive to be of use, and small to do no harm.
 */
#ifndef SALTUS_FRICTION_H
#define SALTUS_FRICTION_H

#include "elements/joint.h"

/* Constants of a joint's friction; formulas of parameters. */
struct friction {
    formula mu_s, mu_d;         /* coefficients of static and dynamic friction */
    formula v_t;                /* transition velocity, m/s */
    formula sigma, N_t;         /* coefficient of viscous friction, N s/m, and the load
                                   at which it is full, N; unset: none */
    formula radius;             /* radius of the pin or ball, m: v = radius omega */
    formula arm;                /* arm of the couple that carries torques, m; unset:
                                   torques do not press */
    formula N_0, v_0;           /* rounding of N, in N, and of the speed, in m/s */
};

/* The friction force at load N and speed v: it is odd in v, and acts against v. */
formula friction_force(const struct friction *friction, formula N, formula v);

/* Adds friction to a revolute joint: a torque about z of frame a. Returns the power
   that it takes from the mechanism, W, as the functions that follow do. */
formula friction_revolute(struct model *model, const struct joint *joint,
                          const struct friction *friction);
/* Adds a force along z of frame a to a prismatic joint. */
formula friction_prismatic(struct model *model, const struct joint *joint,
                           const struct friction *friction);
/* Adds a torque about and a force along z of frame a to a cylindrical joint. */
formula friction_cylindrical(struct model *model, const struct joint *joint,
                             const struct friction *friction);
/* Adds a torque against the relative angular velocity to a spherical joint. */
formula friction_spherical(struct model *model, const struct joint *joint,
                           const struct friction *friction);
/* Adds torques about z of frame a and z of frame b to a universal joint. */
formula friction_universal(struct model *model, const struct joint *joint,
                           const struct friction *friction);

#endif
