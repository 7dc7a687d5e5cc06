/*
 * closed_pendulum.c - pendulum-stop and pendulum-wall: free swings by elliptic integrals.
 *
 * Between impacts the energy is constant, so the pendulum returns to the stop with the
 * speed with which it left, and impact speeds are a geometric sequence of ratio e. The
 * state is carried in the angle; pendulum-wall shows it as x = l sin th, y = -l cos th.
 */
#include "oracles/closed.h"
#include "oracles/closed_swing.h"

/* A state in the angle: th and th' (in the angle, or on the circle of radius l). */
struct angle {
    ball theta, omega;
};

static struct angle angle_of(const struct closed_values *values,
                             const struct closed_state *state)
{
    if (values->model->n == 1)
        return (struct angle){state->q[0], state->v[0]};
    ball l = closed_value(values, "l");
    ball s = b_div(state->q[0], l), c = b_neg(b_div(state->q[1], l));
    ball along = b_add(b_mul(state->v[0], c), b_mul(state->v[1], s));
    return (struct angle){b_atan2(s, c), b_div(along, l)};
}

static void put_angle(const struct closed_values *values, struct angle angle,
                      struct closed_state *state)
{
    state->q[0] = angle.theta;
    state->v[0] = angle.omega;
    if (values->model->n == 1)
        return;
    ball l = closed_value(values, "l");
    ball s = b_mul(l, b_sin(angle.theta)), c = b_mul(l, b_cos(angle.theta));
    state->q[0] = s;
    state->q[1] = b_neg(c);
    state->v[0] = b_mul(c, angle.omega);
    state->v[1] = b_mul(s, angle.omega);
}

static ball length(const struct closed_values *values)
{
    return closed_value(values, values->model->n == 1 ? "L" : "l");
}

static struct swing swing_of(const struct closed_values *values,
                             const struct closed_state *from)
{
    struct angle angle = angle_of(values, from);
    ball rate = b_sqrt(b_div(closed_value(values, "g"), length(values)));
    return swing_from(rate, angle.theta, angle.omega);
}

static void start(const struct closed_values *values, struct closed_state *state)
{
    put_angle(values, (struct angle){closed_value(values, "th0"), b_int(0)}, state);
}

/* Sets the state at an amplitude. */
static void at_phi(const struct closed_values *values, const struct swing *swing,
                   ball phi, struct closed_state *state)
{
    put_angle(values, (struct angle){swing_theta(swing, phi), swing_omega(swing, phi)},
              state);
    bool circle = values->model->n == 2;
    ball speed, pull;
    swing_integrals(swing, phi, &speed, circle ? &pull : NULL);
    state->z[0] = b_add(state->z[0], speed);
    if (!circle)
        return;
    ball m = closed_value(values, "m");
    state->z[1] = b_add(state->z[1], b_mul(b_square(m), pull));
}

static enum status flow(const struct closed_values *values,
                        const struct closed_state *from, ball t,
                        struct closed_state *state)
{
    struct swing swing = swing_of(values, from);
    *state = *from;
    state->t = t;
    at_phi(values, &swing, swing_phi(&swing, b_sub(t, from->t)), state);
    return OK;
}

static enum status leave(const struct closed_values *values,
                         const struct closed_state *from, int *event,
                         struct closed_state *before)
{
    struct swing swing = swing_of(values, from);
    ball stop = b_neg(closed_value(values, "a"));
    ball height = b_sin(b_over(stop, 2));
    *before = *from;
    *event = -1;
    if (!b_less(swing.k, b_int(1)))
        return NOT_APPLICABLE;
    if (!b_less(b_square(height), b_square(swing.k)))
        return OK;
    *event = 0;
    ball phi = swing_reach(&swing, stop, -1);
    before->t = b_add(from->t, swing_time(&swing, phi));
    at_phi(values, &swing, phi, before);
    return OK;
}

static void reset(const struct closed_values *values, int event,
                  struct closed_state *after)
{
    struct angle angle = angle_of(values, after);
    (void)event;
    angle.omega = b_neg(b_mul(closed_value(values, "e"), angle.omega));
    put_angle(values, angle, after);
}

/* In the angle: L th'' = -g sin th. On the circle: m q'' + lambda q = -m g e_y, where
   q.q'' = -q'.q' gives lambda l^2 = m (q'.q' - g y). */
static void motion(const struct closed_values *values, const struct closed_state *state,
                   struct closed_rates *rates)
{
    ball g = closed_value(values, "g"), l = length(values);
    const ball *q = state->q, *v = state->v;
    if (values->model->n == 1) {
        rates->a[0] = b_neg(b_mul(b_div(g, l), b_sin(q[0])));
        rates->g[0] = b_square(v[0]);
        return;
    }
    ball l2 = b_square(l), square = b_add(b_square(v[0]), b_square(v[1]));
    ball pull = b_div(b_sub(square, b_mul(g, q[1])), l2);      /* lambda / m */
    rates->lambda = b_mul(closed_value(values, "m"), pull);
    rates->a[0] = b_neg(b_mul(pull, q[0]));
    rates->a[1] = b_neg(b_add(g, b_mul(pull, q[1])));
    rates->g[0] = b_div(square, l2);
    rates->g[1] = b_square(rates->lambda);
}

static const struct closed_rules rules = {start, leave, flow, reset, motion, NULL};

#define ON_THE_CIRCLE "free swing by elliptic integrals, on the circle (textbook)"

extern const struct closed_form closed_pendulum_stop, closed_pendulum_wall,
    closed_pendulum_wall_light;
const struct closed_form closed_pendulum_stop = {
    .case_name = "pendulum-stop",
    .title = "free swing by elliptic integrals; impact speeds w_1 e^n (textbook)",
    .rules = &rules,
};
const struct closed_form closed_pendulum_wall = {
    .case_name = "pendulum-wall", .title = ON_THE_CIRCLE, .rules = &rules,
};
const struct closed_form closed_pendulum_wall_light = {
    .case_name = "pendulum-wall-light", .title = ON_THE_CIRCLE, .rules = &rules,
};
