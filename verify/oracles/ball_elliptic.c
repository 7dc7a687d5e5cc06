/*
 * ball_elliptic.c - incomplete elliptic integrals along the whole real axis (ball.h).
 *
 * Arb has them by Carlson's forms, which have a branch point where cos phi = 0, the
 * turning point of a pendulum. There the integral from phi to pi/2 is another one of the
 * same kind (Legendre; DLMF 19.11.7-8 with phi + psi up to the quarter period):
 *
 *     F(phi) + F(psi) = K,   E(phi) + E(psi) = E + m sin phi sin psi,
 *     sqrt(1 - m) tan phi tan psi = 1     for 0 < phi < pi/2; F and E are odd
 */
#include <math.h>

#include <acb_elliptic.h>

#include "oracles/ball_workspace.h"

static ball f_small(ball phi, ball m)
{
    acb_ptr x = ball_new();
    acb_elliptic_f(x, phi, m, 0, ball_workspace.bits);
    return x;
}

static ball e_small(ball phi, ball m)
{
    acb_ptr x = ball_new();
    acb_elliptic_e_inc(x, phi, m, 0, ball_workspace.bits);
    return x;
}

static ball complete_k(ball m)
{
    acb_ptr x = ball_new();
    acb_elliptic_k(x, m, ball_workspace.bits);
    return x;
}

static ball complete_e(ball m)
{
    acb_ptr x = ball_new();
    acb_elliptic_e(x, m, ball_workspace.bits);
    return x;
}

/* phi = half_turns pi + rest, the rest within a quarter turn. */
static long half_turns(ball phi)
{
    double turns = round(b_double_of(phi) / M_PI);
    return fabs(turns) < 1e9 ? (long)turns : 0;
}

/* The psi of a rest that is nearer to pi/2 (or -pi/2) than to 0, as positive as the rest
   is; *quarter: the sign of both. False where the rest is near 0. */
static bool conjugate(ball rest, ball m, ball *psi, int *quarter)
{
    if (fabs(b_double_of(rest)) < M_PI / 4)
        return false;
    *quarter = b_sign(rest);
    ball slope = b_mul(b_sqrt(b_sub(b_int(1), m)), b_sin(rest));
    *psi = b_atan(b_div(b_cos(rest), slope));
    return true;
}

ball b_elliptic_f(ball phi, ball m)
{
    long n = half_turns(phi);
    int quarter;
    ball rest = b_sub(phi, b_times(b_pi(), n)), psi;
    if (!conjugate(rest, m, &psi, &quarter))
        return b_add(b_times(complete_k(m), 2 * n), f_small(rest, m));
    return b_sub(b_times(complete_k(m), 2 * n + quarter), f_small(psi, m));
}

ball b_elliptic_e(ball phi, ball m)
{
    long n = half_turns(phi);
    int quarter;
    ball rest = b_sub(phi, b_times(b_pi(), n)), psi;
    if (!conjugate(rest, m, &psi, &quarter))
        return b_add(b_times(complete_e(m), 2 * n), e_small(rest, m));
    ball product = b_product(m, b_sin(rest), b_sin(psi));
    return b_sum(b_times(complete_e(m), 2 * n + quarter), b_neg(e_small(psi, m)),
                 b_times(product, quarter));
}
