/*
 * closed_swing.c - the free swing of a pendulum (closed_swing.h).
 */
#include "oracles/closed_swing.h"

/* Largest step of Newton towards the phi of a time: slowness changes by a third in such a
   step. */
static const double most = 0.3;

struct swing swing_from(ball rate, ball theta, ball omega)
{
    ball s = b_sin(b_over(theta, 2)), c = b_div(omega, b_times(rate, 2));
    ball k = b_sqrt(b_add(b_square(s), b_square(c)));
    ball phi = b_atan2(s, c);
    return (struct swing){rate, k, phi, b_elliptic_f(phi, b_square(k))};
}

ball swing_theta(const struct swing *swing, ball phi)
{
    return b_times(b_asin(b_mul(swing->k, b_sin(phi))), 2);
}

ball swing_omega(const struct swing *swing, ball phi)
{
    return b_times(b_product(swing->k, swing->rate, b_cos(phi)), 2);
}

/* The two phi are within a turn of each other (b_atan2, asin). */
ball swing_reach(const struct swing *swing, ball theta, int direction)
{
    ball phi = b_asin(b_div(b_sin(b_over(theta, 2)), swing->k));
    if (direction < 0)
        phi = b_sub(b_pi(), phi);
    return b_less(swing->phi, phi) ? phi : b_add(phi, b_times(b_pi(), 2));
}

/* dt/dphi */
static ball slowness(const struct swing *swing, ball phi)
{
    ball s = b_mul(swing->k, b_sin(phi));
    return b_inv(b_mul(swing->rate, b_sqrt(b_sub(b_int(1), b_square(s)))));
}

/* Integral from the start to phi: u = F, the time times the rate. */
static ball increase_f(const struct swing *swing, ball phi)
{
    return b_sub(b_elliptic_f(phi, b_square(swing->k)), swing->F);
}

ball swing_time(const struct swing *swing, ball phi)
{
    return b_div(increase_f(swing, phi), swing->rate);
}

static ball sn_cn_dn(const struct swing *swing, ball phi)
{
    ball sn = b_sin(phi), dn2 = b_sub(b_int(1), b_square(b_mul(swing->k, sn)));
    return b_product(sn, b_cos(phi), b_sqrt(dn2));
}

/* With m = k^2, b = 1 - 2 m, and C2, C4 the integrals of cn^2, cn^4 over u,

       m C2   = E - (1 - m) u
       3 m C4 = sn cn dn - 2 b C2 + (1 - m) u       (Byrd, Friedman 1971, 312.02, 312.04)

   since th'^2 = 4 m rate^2 cn^2, th'^2 + rate^2 cos th = rate^2 (6 m cn^2 + b). */
void swing_integrals(const struct swing *swing, ball phi, ball *speed, ball *pull)
{
    ball m = b_square(swing->k), one = b_int(1), b = b_sub(one, b_times(m, 2));
    ball rest = b_sub(one, m), u = increase_f(swing, phi);
    ball E = b_sub(b_elliptic_e(phi, m), b_elliptic_e(swing->phi, m));
    ball mC2 = b_sub(E, b_mul(rest, u));
    *speed = b_times(b_mul(swing->rate, mC2), 4);
    if (!pull)
        return;
    ball edges = b_sub(sn_cn_dn(swing, phi), sn_cn_dn(swing, swing->phi));
    ball mmC4 = b_over(b_sum(b_mul(m, edges), b_times(b_mul(b, mC2), -2),
                             b_product(m, rest, u)), 3);
    ball sum = b_sum(b_times(mmC4, 36), b_times(b_mul(b, mC2), 12),
                     b_mul(b_square(b), u));
    *pull = b_mul(b_power(swing->rate, 3), sum);
}

struct appointment {
    const struct swing *swing;
    ball time;
};

static ball time_left(const void *context, ball phi, ball *rate)
{
    const struct appointment *appointment = context;
    *rate = slowness(appointment->swing, phi);
    return b_sub(swing_time(appointment->swing, phi), appointment->time);
}

/* phi grows by pi while F grows by 2 K, and in between it is never far from that. */
ball swing_phi(const struct swing *swing, ball time)
{
    const struct appointment appointment = {swing, time};
    ball half_turn = b_elliptic_f(b_pi(), b_square(swing->k));
    ball phi = b_div(b_product(b_pi(), swing->rate, time), half_turn);
    return b_root(time_left, &appointment, b_add(swing->phi, phi), most);
}
