/*
 * closed_switching_oscillator.c - a damped oscillator under a force of constant size.
 *
 *     m x'' + c x' + k x = +f (push) or -f (pull)
 *
 * Arcs are decaying oscillations about +-f/k. The guard r = x + beta x' - d cos(w t) is a
 * sum of exponentials, too, and so is the integral of r^2.
 */
#include "oracles/closed.h"
#include "oracles/closed_signal.h"

enum { PUSH, PULL };                /* modes, and the events that end them */

static void start(const struct closed_values *values, struct closed_state *state)
{
    state->q[0] = closed_value(values, "x0");
    state->v[0] = closed_value(values, "v0");
}

static ball force_of(const struct closed_values *values, const struct closed_state *state)
{
    ball f = closed_value(values, "f");
    return state->mode == PUSH ? f : b_neg(f);
}

static struct signal motion_of(const struct closed_values *values,
                               const struct closed_state *from)
{
    const struct oscillator oscillator = {closed_value(values, "m"),
                                          closed_value(values, "c"),
                                          closed_value(values, "k")};
    struct signal force = signal_constant(force_of(values, from));
    return oscillator_motion(&oscillator, &force, from->q[0], from->v[0]);
}

static struct signal guard_of(const struct closed_values *values,
                              const struct closed_state *from, const struct signal *x)
{
    ball w = closed_value(values, "w");
    struct signal path = signal_cosine(b_neg(closed_value(values, "d")),
                                       b_mul(w, from->t), w);
    struct signal v = signal_rate(x);
    struct signal ahead = signal_times(&v, closed_value(values, "beta"));
    for (int k = 0; k < x->terms; k++)      /* the same exponentials */
        ahead.c[k] = b_add(ahead.c[k], x->c[k]);
    return signal_sum(&ahead, &path);
}

static enum status flow(const struct closed_values *values,
                        const struct closed_state *from, ball t,
                        struct closed_state *state)
{
    struct signal x = motion_of(values, from), v = signal_rate(&x);
    struct signal r = guard_of(values, from, &x);
    ball s = b_sub(t, from->t);
    *state = *from;
    state->t = t;
    state->q[0] = signal_at(&x, s);
    state->v[0] = signal_at(&v, s);
    state->z[0] = b_add(from->z[0], signal_integral(&r, &r, s));
    ball way = b_sub(state->q[0], from->q[0]);
    state->z[1] = b_add(from->z[1], b_mul(force_of(values, from), way));
    return OK;
}

static enum status leave(const struct closed_values *values,
                         const struct closed_state *from, int *event,
                         struct closed_state *before)
{
    struct signal x = motion_of(values, from), r = guard_of(values, from, &x);
    struct signal_pair guard = signal_with_rate(&r);
    int direction = from->mode == PUSH ? 1 : -1;
    ball s = closed_zero(values, from, signal_motion, &guard, direction, NULL);
    *event = s ? from->mode : -1;
    return s ? flow(values, from, b_add(from->t, s), before) : OK;
}

static void reset(const struct closed_values *values, int event,
                  struct closed_state *after)
{
    (void)values;
    after->mode = event == PUSH ? PULL : PUSH;
}

static void motion(const struct closed_values *values, const struct closed_state *state,
                   struct closed_rates *rates)
{
    ball x = state->q[0], v = state->v[0], force = force_of(values, state);
    ball back = b_add(b_mul(closed_value(values, "c"), v),
                      b_mul(closed_value(values, "k"), x));
    ball path = b_cos(b_mul(closed_value(values, "w"), state->t));
    ball r = b_sum(x, b_mul(closed_value(values, "beta"), v),
                   b_neg(b_mul(closed_value(values, "d"), path)));
    rates->a[0] = b_div(b_sub(force, back), closed_value(values, "m"));
    rates->g[0] = b_square(r);
    rates->g[1] = b_mul(force, v);
}

static const struct closed_rules rules = {start, leave, flow, reset, motion, NULL};

extern const struct closed_form closed_switching_oscillator;
const struct closed_form closed_switching_oscillator = {
    .case_name = "switching-oscillator",
    .title = "decaying oscillations; zeros of the guard enclosed by balls (textbook)",
    .rules = &rules,
};
