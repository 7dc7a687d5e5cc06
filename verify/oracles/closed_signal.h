/*
 * closed_signal.h - motions of linear equations: sums of exponentials.
 *
 *     f(s) = sum over k of c_k exp(mu_k s)
 *
 * An oscillation is two exponentials of conjugate mu_k. Coefficients are analytic in the
 * parameters, so derivatives by complex step hold, though imaginary parts of all sizes
 * cancel on the way.
 */
#ifndef SALTUS_CLOSED_SIGNAL_H
#define SALTUS_CLOSED_SIGNAL_H

#include "oracles/ball.h"

enum { SIGNAL_TERMS = 8 };

struct signal {
    int terms;
    ball mu[SIGNAL_TERMS], c[SIGNAL_TERMS];
};

struct signal signal_constant(ball c);
struct signal signal_exponential(ball mu, ball c);
/* A cos(phase + w s) */
struct signal signal_cosine(ball A, ball phase, ball w);
struct signal signal_sum(const struct signal *f, const struct signal *g);
struct signal signal_times(const struct signal *f, ball factor);
struct signal signal_rate(const struct signal *f);
ball signal_at(const struct signal *f, ball s);
/* Integral of f g from 0 to s. */
ball signal_integral(const struct signal *f, const struct signal *g, ball s);

/* m x'' + c x' + k x = force, a constant or an oscillation, from x(0), x'(0); damped less
   than critically (not a number otherwise). */
struct oscillator {
    ball m, c, k;
};
struct signal oscillator_motion(const struct oscillator *o, const struct signal *force,
                                ball x, ball v);

/* f(s), and f'(s) in *rate: for b_first_root; the context is a pair of signals. */
struct signal_pair {
    struct signal f, rate;
};
struct signal_pair signal_with_rate(const struct signal *f);
ball signal_motion(const void *pair, ball s, ball *rate);

#endif
