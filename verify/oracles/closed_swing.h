/*
 * closed_swing.h - the free swing of a pendulum: elliptic integrals.
 *
 * th'' = -rate^2 sin th. With the amplitude phi of Jacobi,
 *
 *     sin(th/2) = k sin phi,     th' = 2 k rate cos phi,
 *     phi' = rate sqrt(1 - k^2 sin^2 phi)
 *
 * phi only grows, so turning points are no singularities. k < 1: the pendulum swings
 * back.
 */
#ifndef SALTUS_CLOSED_SWING_H
#define SALTUS_CLOSED_SWING_H

#include "oracles/ball.h"

struct swing {
    ball rate, k, phi, F;   /* phi, and the integral F(phi | k^2), at the start */
};

struct swing swing_from(ball rate, ball theta, ball omega);
ball swing_theta(const struct swing *swing, ball phi);
ball swing_omega(const struct swing *swing, ball phi);
/* The first phi after the start at which th passes `theta` upwards (+1) or downwards
   (-1). */
ball swing_reach(const struct swing *swing, ball theta, int direction);
/* Time from the start to phi. */
ball swing_time(const struct swing *swing, ball phi);
/* The phi of a time. */
ball swing_phi(const struct swing *swing, ball time);
/* Integrals from the start to phi: of th'^2 dt, and if pull is not NULL of (th'^2 +
   rate^2 cos th)^2 dt. */
void swing_integrals(const struct swing *swing, ball phi, ball *speed, ball *pull);

#endif
