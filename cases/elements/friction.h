/*
 * friction.h - friction in joints, from what the joints transmit.
 *
 * Brown, McPhee 2016, with the normal force of the joint's reaction as Verulkar, Sandu,
 * Dopico, Sandu take it, (5):
 *
 *     F_f = N [ mu_d tanh(4 v/v_t) + (mu_s - mu_d) (v/v_t) / ((v/(2 v_t))^2 + 3/4)^2 ]
 *           + sigma v tanh(4 N/N_t)
 *     N = sqrt(|F|^2 + |T|^2/arm^2 + N_0^2)
 *
 * F and T are force and torque of the joint (of a prismatic joint across its axis, the
 * driving force does not press), formulas of the multipliers: the generalised forces of
 * the model depend on them. N_0 rounds off the corner that |F| has where a joint is
 * unloaded, and v_0 the one that a speed in more than one direction has where it stands
 * still; both must be positive to be of use, and small to do no harm.
 */
#ifndef SALTUS_FRICTION_H
#define SALTUS_FRICTION_H

#include "base/api.h"
#include "elements/joint.h"

SALTUS_API_BEGIN

struct friction {
    formula mu_s, mu_d;         /* static and dynamic coefficient */
    formula v_t;                /* transition velocity, m/s */
    formula sigma, N_t;         /* viscous, N s/m, and the load at which it is full, N;
                                   unset: none */
    formula radius;             /* of the pin or ball, m: v = radius omega */
    formula arm;                /* of the couple that carries torques, m; unset: they do
                                   not press */
    formula N_0, v_0;           /* N, m/s */
};

/* The friction force at load N and speed v: odd in v, against which it acts. */
formula friction_force(const struct friction *friction, formula N, formula v);

/* Adds friction to a joint: a torque about z of frame a (revolute), a force along it
   (prismatic), both (cylindrical), a torque against the relative angular velocity
   (spherical), torques about z of frame a and z of frame b (universal). Returns the power
   it takes from the mechanism, W. */
formula friction_revolute(struct model *model, const struct joint *joint,
                          const struct friction *friction);
formula friction_prismatic(struct model *model, const struct joint *joint,
                           const struct friction *friction);
formula friction_cylindrical(struct model *model, const struct joint *joint,
                             const struct friction *friction);
formula friction_spherical(struct model *model, const struct joint *joint,
                           const struct friction *friction);
formula friction_universal(struct model *model, const struct joint *joint,
                           const struct friction *friction);

SALTUS_API_END

#endif
