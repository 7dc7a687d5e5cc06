/*
 * closed_signal.c - sums of exponentials, and the linear oscillator (closed_signal.h).
 */
#include "oracles/closed_signal.h"

#include "base/memory.h"

struct signal signal_exponential(ball mu, ball c)
{
    return (struct signal){.terms = 1, .mu = {mu}, .c = {c}};
}

struct signal signal_constant(ball c)
{
    return signal_exponential(b_int(0), c);
}

static ball imaginary_unit(void)
{
    return b_complex(b_int(0), b_int(1));
}

struct signal signal_cosine(ball A, ball phase, ball w)
{
    ball i = imaginary_unit(), half = b_over(A, 2), turn = b_mul(i, phase);
    return (struct signal){
        .terms = 2,
        .mu = {b_mul(i, w), b_neg(b_mul(i, w))},
        .c = {b_mul(half, b_exp(turn)), b_mul(half, b_exp(b_neg(turn)))},
    };
}

struct signal signal_sum(const struct signal *f, const struct signal *g)
{
    struct signal sum = *f;
    if (f->terms + g->terms > SIGNAL_TERMS)
        slip("a signal of more than %d terms", SIGNAL_TERMS);
    for (int k = 0; k < g->terms; k++, sum.terms++) {
        sum.mu[sum.terms] = g->mu[k];
        sum.c[sum.terms] = g->c[k];
    }
    return sum;
}

struct signal signal_times(const struct signal *f, ball factor)
{
    struct signal product = *f;
    for (int k = 0; k < f->terms; k++)
        product.c[k] = b_mul(f->c[k], factor);
    return product;
}

struct signal signal_rate(const struct signal *f)
{
    struct signal rate = *f;
    for (int k = 0; k < f->terms; k++)
        rate.c[k] = b_mul(f->c[k], f->mu[k]);
    return rate;
}

ball signal_at(const struct signal *f, ball s)
{
    ball sum = b_int(0);
    for (int k = 0; k < f->terms; k++)
        sum = b_add(sum, b_mul(f->c[k], b_exp(b_mul(f->mu[k], s))));
    return sum;
}

/* Integral of exp(mu s); mu = 0 exactly for a constant, and for an oscillation without
   damping times its conjugate. */
static ball area(ball mu, ball s)
{
    if (acb_is_zero(mu))
        return s;
    return b_div(b_sub(b_exp(b_mul(mu, s)), b_int(1)), mu);
}

ball signal_integral(const struct signal *f, const struct signal *g, ball s)
{
    ball sum = b_int(0);
    for (int i = 0; i < f->terms; i++)
        for (int k = 0; k < g->terms; k++) {
            ball c = b_mul(f->c[i], g->c[k]);
            sum = b_add(sum, b_mul(c, area(b_add(f->mu[i], g->mu[k]), s)));
        }
    return sum;
}

/* --- the oscillator ----------------------------------------------------------------- */

/* The answer to exp(mu s) is exp(mu s) / (m mu^2 + c mu + k). */
static struct signal steady(const struct oscillator *o, const struct signal *force)
{
    struct signal x = *force;
    for (int k = 0; k < x.terms; k++) {
        ball mu = x.mu[k];
        ball impedance = b_sum(b_mul(o->m, b_square(mu)), b_mul(o->c, mu), o->k);
        x.c[k] = b_div(x.c[k], impedance);
    }
    return x;
}

struct signal oscillator_motion(const struct oscillator *o, const struct signal *force,
                                ball x, ball v)
{
    ball zero = b_int(0), twice_m = b_times(o->m, 2);
    ball below = b_sub(b_times(b_mul(o->m, o->k), 4), b_square(o->c));
    ball turn = b_mul(imaginary_unit(), b_div(b_sqrt(below), twice_m));
    ball decay = b_neg(b_div(o->c, twice_m));
    ball p = b_add(decay, turn), p2 = b_sub(decay, turn);
    struct signal far = steady(o, force), rate = signal_rate(&far);
    ball a = b_sub(x, signal_at(&far, zero)), b = b_sub(v, signal_at(&rate, zero));
    struct signal first = signal_exponential(
        p, b_div(b_sub(b, b_mul(p2, a)), b_times(turn, 2)));
    struct signal second = signal_exponential(
        p2, b_div(b_sub(b_mul(p, a), b), b_times(turn, 2)));
    struct signal free = signal_sum(&first, &second);
    return signal_sum(&far, &free);
}

struct signal_pair signal_with_rate(const struct signal *f)
{
    return (struct signal_pair){*f, signal_rate(f)};
}

ball signal_motion(const void *pair, ball s, ball *rate)
{
    const struct signal_pair *motion = pair;
    *rate = signal_at(&motion->rate, s);
    return signal_at(&motion->f, s);
}
