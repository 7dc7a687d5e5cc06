/*
 * closed_mass_drop.c - decaying oscillations of a cart with and without its load.
 *
 * A load that is taken was at rest: (m + load) x'+ = m x'. One that is dropped changes
 * nothing but the mass.
 */
#include "oracles/closed.h"
#include "oracles/closed_signal.h"

enum { EMPTY, LOADED };             /* modes, and the events that end them */

static void start(const struct closed_values *values, struct closed_state *state)
{
    state->q[0] = closed_value(values, "x0");
}

static ball mass(const struct closed_values *values, int mode)
{
    ball m = closed_value(values, "m");
    return mode == EMPTY ? m : b_add(m, closed_value(values, "load"));
}

static struct signal motion_of(const struct closed_values *values,
                               const struct closed_state *from)
{
    const struct oscillator oscillator = {mass(values, from->mode),
                                          closed_value(values, "c"),
                                          closed_value(values, "k")};
    const struct signal no_force = {0};
    return oscillator_motion(&oscillator, &no_force, from->q[0], from->v[0]);
}

static enum status flow(const struct closed_values *values,
                        const struct closed_state *from, ball t,
                        struct closed_state *state)
{
    struct signal x = motion_of(values, from), v = signal_rate(&x);
    ball s = b_sub(t, from->t), way = signal_integral(&v, &v, s);
    *state = *from;
    state->t = t;
    state->q[0] = signal_at(&x, s);
    state->v[0] = signal_at(&v, s);
    state->z[0] = b_add(from->z[0], b_mul(closed_value(values, "c"), way));
    state->z[1] = b_add(from->z[1], way);
    return OK;
}

static enum status leave(const struct closed_values *values,
                         const struct closed_state *from, int *event,
                         struct closed_state *before)
{
    bool empty = from->mode == EMPTY;
    ball place = empty ? b_neg(closed_value(values, "x_take"))
                       : closed_value(values, "x_drop");
    struct signal x = motion_of(values, from), offset = signal_constant(place);
    struct signal ahead = signal_sum(&x, &offset);
    struct signal_pair guard = signal_with_rate(&ahead);
    ball s = closed_zero(values, from, signal_motion, &guard, empty ? 1 : -1, NULL);
    *event = s ? from->mode : -1;
    return s ? flow(values, from, b_add(from->t, s), before) : OK;
}

static void reset(const struct closed_values *values, int event,
                  struct closed_state *after)
{
    after->mode = event == EMPTY ? LOADED : EMPTY;
    if (event == EMPTY)
        after->v[0] = b_div(b_mul(mass(values, EMPTY), after->v[0]),
                            mass(values, LOADED));
}

static void motion(const struct closed_values *values, const struct closed_state *state,
                   struct closed_rates *rates)
{
    ball c = closed_value(values, "c"), v = state->v[0];
    ball back = b_add(b_mul(c, v), b_mul(closed_value(values, "k"), state->q[0]));
    rates->a[0] = b_neg(b_div(back, mass(values, state->mode)));
    rates->g[0] = b_mul(c, b_square(v));
    rates->g[1] = b_square(v);
}

static const struct closed_rules rules = {start, leave, flow, reset, motion, NULL};

extern const struct closed_form closed_mass_drop;
const struct closed_form closed_mass_drop = {
    .case_name = "mass-drop",
    .title = "decaying oscillations; momentum kept where the load is taken (textbook)",
    .rules = &rules,
};
