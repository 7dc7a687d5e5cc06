/*
 * closed_impact_oscillator.c - a decaying and a steady oscillation between impacts.
 *
 *     m x'' + c x' + k x = A cos phase,  phase' = w
 *
 * is solved by superposition (closed_signal.h), costs are integrals of products of
 * exponentials; times of impacts and of turning points are zeros that balls enclose.
 */
#include "oracles/closed.h"
#include "oracles/closed_signal.h"

enum { IMPACT, PHASE, TURNING };    /* the events */

static void start(const struct closed_values *values, struct closed_state *state)
{
    state->q[0] = closed_value(values, "x0");
    state->v[0] = closed_value(values, "v0");
}

/* The drive and the motion of an arc, over the time since it began. */
static struct signal drive_of(const struct closed_values *values,
                              const struct closed_state *from)
{
    return signal_cosine(closed_value(values, "A"), from->s[0],
                         closed_value(values, "w"));
}

static struct signal motion_of(const struct closed_values *values,
                               const struct closed_state *from)
{
    const struct oscillator oscillator = {closed_value(values, "m"),
                                          closed_value(values, "c"),
                                          closed_value(values, "k")};
    struct signal drive = drive_of(values, from);
    return oscillator_motion(&oscillator, &drive, from->q[0], from->v[0]);
}

static enum status flow(const struct closed_values *values,
                        const struct closed_state *from, ball t,
                        struct closed_state *state)
{
    struct signal drive = drive_of(values, from), x = motion_of(values, from);
    struct signal v = signal_rate(&x);
    ball s = b_sub(t, from->t);
    *state = *from;
    state->t = t;
    state->q[0] = signal_at(&x, s);
    state->v[0] = signal_at(&v, s);
    state->s[0] = b_add(from->s[0], b_mul(closed_value(values, "w"), s));
    state->z[0] = b_add(from->z[0], signal_integral(&drive, &v, s));
    ball heat = b_mul(closed_value(values, "c"), signal_integral(&v, &v, s));
    state->z[1] = b_add(from->z[1], heat);
    return OK;
}

/* The way v must cross zero next: against its sign; if it is zero now, having just
   turned, against the sign in which it leaves. */
static int turning_direction(const struct closed_state *from,
                             const struct signal_pair *v)
{
    ball rate;
    int sign = from->event == TURNING ? 0 : b_sign(from->v[0]);
    signal_motion(v, b_int(0), &rate);
    return sign ? -sign : -b_sign(rate);
}

static enum status leave(const struct closed_values *values,
                         const struct closed_state *from, int *event,
                         struct closed_state *before)
{
    struct signal x = motion_of(values, from), v = signal_rate(&x);
    struct signal wall = signal_constant(b_neg(closed_value(values, "q_c")));
    struct signal ahead = signal_sum(&x, &wall);
    struct signal_pair to_wall = signal_with_rate(&ahead), to_turn = signal_with_rate(&v);
    ball left_over = b_sub(b_times(b_pi(), 2), from->s[0]);
    ball s = b_div(left_over, closed_value(values, "w"));
    *event = PHASE;
    ball turn = closed_zero(values, from, signal_motion, &to_turn,
                            turning_direction(from, &to_turn), s);
    closed_earlier(TURNING, turn, event, &s);
    ball hit = closed_zero(values, from, signal_motion, &to_wall, 1, s);
    closed_earlier(IMPACT, hit, event, &s);
    return flow(values, from, b_add(from->t, s), before);
}

static void reset(const struct closed_values *values, int event,
                  struct closed_state *after)
{
    ball e = closed_value(values, "e"), v = after->v[0];
    if (event == PHASE)
        after->s[0] = b_sub(after->s[0], b_times(b_pi(), 2));
    if (event != IMPACT)
        return;
    ball lost = b_mul(b_square(v), b_sub(b_int(1), b_square(e)));
    after->v[0] = b_neg(b_mul(e, v));
    after->z[2] = b_add(after->z[2], b_over(b_mul(closed_value(values, "m"), lost), 2));
}

static void motion(const struct closed_values *values, const struct closed_state *state,
                   struct closed_rates *rates)
{
    ball c = closed_value(values, "c"), v = state->v[0];
    ball drive = b_mul(closed_value(values, "A"), b_cos(state->s[0]));
    ball spring = b_mul(closed_value(values, "k"), state->q[0]);
    ball force = b_sum(drive, b_neg(b_mul(c, v)), b_neg(spring));
    rates->a[0] = b_div(force, closed_value(values, "m"));
    rates->f_s[0] = closed_value(values, "w");
    rates->g[0] = b_mul(drive, v);
    rates->g[1] = b_mul(c, b_square(v));
    rates->g[2] = b_int(0);
}

static const struct closed_rules rules = {start, leave, flow, reset, motion, NULL};

extern const struct closed_form closed_impact_oscillator;
const struct closed_form closed_impact_oscillator = {
    .case_name = "impact-oscillator",
    .title = "superposition between impacts; zeros enclosed by balls (textbook)",
    .rules = &rules,
};
