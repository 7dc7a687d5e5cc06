/*
 * closed_slack_rope.c - parabolas and swings of a mass on a rope.
 *
 * slack    |q|^2 - l^2 is a quartic in the time of flight. After a release it has
 *          a triple root 0 (q.q = l^2, q.v = 0, v.v + q.a = 0), so the flight
 *          lasts 4 v_y/g.
 * tighten  v+ = v - q (q.v)/l^2: the impulse along the rope takes the radial velocity.
 * taut     energy E = v^2/2 + g y; the tension m (v^2 - g y)/l^2 is zero at y = 2E/(3g).
 *          Times by elliptic integrals (closed_swing.h).
 */
#include "oracles/closed.h"
#include "oracles/closed_swing.h"

enum { SLACK, TAUT };               /* modes, and the events that end them */

static void start(const struct closed_values *values, struct closed_state *state)
{
    state->mode = SLACK;
    state->q[0] = closed_value(values, "x0");
    state->q[1] = closed_value(values, "y0");
    state->v[0] = closed_value(values, "vx0");
    state->v[1] = closed_value(values, "vy0");
}

static ball inner(const ball *a, const ball *b)
{
    return b_add(b_mul(a[0], b[0]), b_mul(a[1], b[1]));
}

/* --- slack -------------------------------------------------------------------------- */

static void fly(ball g, ball s, struct closed_state *state)
{
    ball *q = state->q, *v = state->v, gs = b_mul(g, s);
    ball square = b_sum(inner(v, v), b_neg(b_mul(gs, v[1])), b_over(b_square(gs), 3));
    state->t = b_add(state->t, s);
    state->z[0] = b_add(state->z[0], b_mul(s, square));
    q[0] = b_add(q[0], b_mul(v[0], s));
    q[1] = b_add(q[1], b_mul(s, b_sub(v[1], b_over(gs, 2))));
    v[1] = b_sub(v[1], gs);
}

struct launch {
    const struct closed_values *values;
    const struct closed_state *from;
};

/* (|q|^2 - l^2)/2 after a time of flight, and its rate. */
static ball stretch(const void *context, ball s, ball *rate)
{
    const struct launch *launch = context;
    struct closed_state state = *launch->from;
    ball l = closed_value(launch->values, "l");
    fly(closed_value(launch->values, "g"), s, &state);
    *rate = inner(state.q, state.v);
    return b_over(b_sub(inner(state.q, state.q), b_square(l)), 2);
}

/* The time of a flight; NULL: longer than the run. */
static ball flight(const struct closed_values *values, const struct closed_state *from)
{
    const struct launch launch = {values, from};
    ball left = b_sub(values->t_end, from->t);
    if (from->event >= 0)
        return b_div(b_times(from->v[1], 4), closed_value(values, "g"));
    return b_first_root(stretch, &launch, 0, b_double_of(left) + 1, 1);
}

/* --- taut --------------------------------------------------------------------------- */

static struct swing swing_of(const struct closed_values *values,
                             const struct closed_state *from)
{
    ball l = closed_value(values, "l");
    ball s = b_div(from->q[0], l), c = b_neg(b_div(from->q[1], l));
    ball along = b_add(b_mul(from->v[0], c), b_mul(from->v[1], s));
    return swing_from(b_sqrt(b_div(closed_value(values, "g"), l)), b_atan2(s, c),
                      b_div(along, l));
}

static void at_phi(const struct closed_values *values, const struct swing *swing,
                   ball phi, struct closed_state *state)
{
    ball l = closed_value(values, "l");
    ball theta = swing_theta(swing, phi), omega = swing_omega(swing, phi);
    ball s = b_mul(l, b_sin(theta)), c = b_mul(l, b_cos(theta));
    state->q[0] = s;
    state->q[1] = b_neg(c);
    state->v[0] = b_mul(c, omega);
    state->v[1] = b_mul(s, omega);
    ball speed;
    swing_integrals(swing, phi, &speed, NULL);
    state->z[0] = b_add(state->z[0], b_mul(b_square(l), speed));
}

/* The zero of the tension: -cos th = 2E/(3 g l), on the side that the mass swings to. */
static bool release(const struct closed_values *values, const struct closed_state *from,
                    const struct swing *swing, ball *phi)
{
    ball gl = b_mul(closed_value(values, "g"), closed_value(values, "l"));
    ball potential = b_mul(closed_value(values, "g"), from->q[1]);
    ball energy = b_add(b_over(inner(from->v, from->v), 2), potential);
    ball height = b_over(b_div(b_times(energy, 2), gl), 3);
    if (!b_positive(height) || !b_less(height, b_int(1)))
        return false;
    ball theta = b_acos(b_neg(height));
    ball up = swing_reach(swing, theta, 1), down = swing_reach(swing, b_neg(theta), -1);
    *phi = b_less(up, down) ? up : down;
    return true;
}

/* --- the rules ---------------------------------------------------------------------- */

static enum status flow(const struct closed_values *values,
                        const struct closed_state *from, ball t,
                        struct closed_state *state)
{
    ball s = b_sub(t, from->t);
    *state = *from;
    if (from->mode == SLACK) {
        fly(closed_value(values, "g"), s, state);
    } else {
        struct swing swing = swing_of(values, from);
        at_phi(values, &swing, swing_phi(&swing, s), state);
    }
    state->t = t;
    return OK;
}

static enum status tighten(const struct closed_values *values,
                           const struct closed_state *from, int *event,
                           struct closed_state *before)
{
    ball s = flight(values, from);
    *event = s ? SLACK : -1;
    if (s)
        fly(closed_value(values, "g"), s, before);
    return OK;
}

static enum status leave(const struct closed_values *values,
                         const struct closed_state *from, int *event,
                         struct closed_state *before)
{
    *before = *from;
    if (from->mode == SLACK)
        return tighten(values, from, event, before);
    struct swing swing = swing_of(values, from);
    ball phi;
    *event = -1;
    if (!b_less(swing.k, b_int(1)))
        return NOT_APPLICABLE;
    if (!release(values, from, &swing, &phi))
        return OK;
    *event = TAUT;
    before->t = b_add(before->t, swing_time(&swing, phi));
    at_phi(values, &swing, phi, before);
    return OK;
}

static void reset(const struct closed_values *values, int event,
                  struct closed_state *after)
{
    after->mode = event == SLACK ? TAUT : SLACK;
    if (event != SLACK)
        return;
    ball l = closed_value(values, "l");
    ball radial = b_div(inner(after->q, after->v), b_square(l));
    for (int i = 0; i < 2; i++)
        after->v[i] = b_sub(after->v[i], b_mul(radial, after->q[i]));
}

/* lambda l^2 = m (v.v - g y) while the rope is taut */
static void motion(const struct closed_values *values, const struct closed_state *state,
                   struct closed_rates *rates)
{
    ball g = closed_value(values, "g"), l = closed_value(values, "l"), pull = b_int(0);
    ball square = inner(state->v, state->v);
    if (state->mode == TAUT)
        pull = b_div(b_sub(square, b_mul(g, state->q[1])), b_square(l));
    rates->lambda = b_mul(closed_value(values, "m"), pull);
    rates->a[0] = b_neg(b_mul(pull, state->q[0]));
    rates->a[1] = b_neg(b_add(g, b_mul(pull, state->q[1])));
    rates->g[0] = square;
}

static const struct closed_rules rules = {start, leave, flow, reset, motion, NULL};

extern const struct closed_form closed_slack_rope;
const struct closed_form closed_slack_rope = {
    .case_name = "slack-rope",
    .title = "parabolas, inelastic impulse, swings by elliptic integrals (textbook)",
    .rules = &rules,
};
