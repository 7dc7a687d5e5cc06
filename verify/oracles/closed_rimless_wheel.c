/*
 * closed_rimless_wheel.c - an inverted pendulum over the top: elliptic integrals.
 *
 *     th'^2 = w^2 + 2 (g/l) (cos th_0 - cos th) = c^2 (1 - m sin^2(th/2))
 *     t = 2 F(th/2 | m) / c,    integral of th'^2 dt = 2 c E(th/2 | m)
 *
 * with c the speed at the top and m = -4 (g/l) / c^2. A strike multiplies the speed by
 * cos 2 alpha (McGeer 1990; Coleman 1998).
 */
#include "oracles/closed.h"

/* A stride at its start; c2 = c^2, F = F(theta/2 | m). */
struct stride {
    ball rate2, theta, omega, c2, m, F;
};

/* Largest step of Newton towards the angle of a time. */
static const double most = 0.1;

static ball speed(const struct stride *stride, ball theta)
{
    ball s2 = b_square(b_sin(b_over(theta, 2)));
    return b_sqrt(b_add(stride->c2, b_times(b_mul(stride->rate2, s2), 4)));
}

static struct stride stride_of(const struct closed_values *values,
                               const struct closed_state *from)
{
    ball rate2 = b_div(closed_value(values, "g"), closed_value(values, "l"));
    ball s2 = b_square(b_sin(b_over(from->q[0], 2)));
    ball c2 = b_sub(b_square(from->v[0]), b_times(b_mul(rate2, s2), 4));
    ball m = b_div(b_times(rate2, -4), c2);
    return (struct stride){rate2, from->q[0], from->v[0], c2, m,
                           b_elliptic_f(b_over(from->q[0], 2), m)};
}

static void start(const struct closed_values *values, struct closed_state *state)
{
    state->q[0] = b_sub(closed_value(values, "gamma"), closed_value(values, "alpha"));
    state->v[0] = closed_value(values, "w0");
}

/* The wheel must get over the top, or have been there. */
static bool over(const struct stride *stride)
{
    return b_positive(stride->omega) && b_positive(stride->c2);
}

static ball time_to(const struct stride *stride, ball theta)
{
    ball F = b_sub(b_elliptic_f(b_over(theta, 2), stride->m), stride->F);
    return b_div(b_times(F, 2), b_sqrt(stride->c2));
}

static void at_theta(const struct stride *stride, ball theta, struct closed_state *state)
{
    ball E = b_sub(b_elliptic_e(b_over(theta, 2), stride->m),
                   b_elliptic_e(b_over(stride->theta, 2), stride->m));
    state->q[0] = theta;
    state->v[0] = speed(stride, theta);
    state->z[0] = b_add(state->z[0], b_times(b_mul(b_sqrt(stride->c2), E), 2));
}

struct appointment {
    const struct stride *stride;
    ball time;
};

static ball time_left(const void *context, ball theta, ball *rate)
{
    const struct appointment *appointment = context;
    *rate = b_inv(speed(appointment->stride, theta));
    return b_sub(time_to(appointment->stride, theta), appointment->time);
}

static enum status flow(const struct closed_values *values,
                        const struct closed_state *from, ball t,
                        struct closed_state *state)
{
    struct stride stride = stride_of(values, from);
    const struct appointment appointment = {&stride, b_sub(t, from->t)};
    if (!over(&stride))
        return NOT_APPLICABLE;
    *state = *from;
    state->t = t;
    at_theta(&stride, b_root(time_left, &appointment, stride.theta, most), state);
    return OK;
}

static enum status leave(const struct closed_values *values,
                         const struct closed_state *from, int *event,
                         struct closed_state *before)
{
    struct stride stride = stride_of(values, from);
    if (!over(&stride))
        return NOT_APPLICABLE;
    ball theta = b_add(closed_value(values, "gamma"), closed_value(values, "alpha"));
    *event = 0;
    *before = *from;
    before->t = b_add(from->t, time_to(&stride, theta));
    at_theta(&stride, theta, before);
    return OK;
}

static void reset(const struct closed_values *values, int event,
                  struct closed_state *after)
{
    ball turn = b_times(closed_value(values, "alpha"), 2);
    (void)event;
    after->q[0] = b_sub(after->q[0], turn);
    after->v[0] = b_mul(after->v[0], b_cos(turn));
}

static void motion(const struct closed_values *values, const struct closed_state *state,
                   struct closed_rates *rates)
{
    ball rate2 = b_div(closed_value(values, "g"), closed_value(values, "l"));
    rates->a[0] = b_mul(rate2, b_sin(state->q[0]));
    rates->g[0] = b_square(state->v[0]);
}

static const struct closed_rules rules = {start, leave, flow, reset, motion, NULL};

extern const struct closed_form closed_rimless_wheel;
const struct closed_form closed_rimless_wheel = {
    .case_name = "rimless-wheel",
    .title = "stride times by quadrature of the energy integral (McGeer 1990)",
    .rules = &rules,
};
