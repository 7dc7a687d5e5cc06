/*
 * closed_ball_table.c - parabolas of a ball above a table that shakes.
 *
 * A time s after an impact at t the height above the table is y + v s - g s^2/2
 * - A sin(w (t + s)); its first zero downwards is enclosed by balls. An impact turns the
 * speed against the table into -e times as much (Holmes 1982).
 */
#include "oracles/closed.h"

struct flight {
    ball y, v, g, A, w, t;
};

static void start(const struct closed_values *values, struct closed_state *state)
{
    state->q[0] = closed_value(values, "h0");
}

static ball height(const void *context, ball s, ball *rate)
{
    const struct flight *f = context;
    ball gs = b_mul(f->g, s), phase = b_mul(f->w, b_add(f->t, s));
    ball table = b_mul(f->A, b_sin(phase));
    ball up = b_mul(b_mul(f->A, f->w), b_cos(phase));
    *rate = b_sum(f->v, b_neg(gs), b_neg(up));
    return b_sum(f->y, b_mul(s, b_sub(f->v, b_over(gs, 2))), b_neg(table));
}

static enum status flow(const struct closed_values *values,
                        const struct closed_state *from, ball t,
                        struct closed_state *state)
{
    ball s = b_sub(t, from->t), gs = b_mul(closed_value(values, "g"), s);
    *state = *from;
    state->t = t;
    state->q[0] = b_add(from->q[0], b_mul(s, b_sub(from->v[0], b_over(gs, 2))));
    state->v[0] = b_sub(from->v[0], gs);
    return OK;
}

static enum status leave(const struct closed_values *values,
                         const struct closed_state *from, int *event,
                         struct closed_state *before)
{
    const struct flight flight = {
        from->q[0], from->v[0], closed_value(values, "g"), closed_value(values, "A"),
        closed_value(values, "w"), from->t};
    ball s = closed_zero(values, from, height, &flight, -1, NULL);
    *event = s ? 0 : -1;
    return s ? flow(values, from, b_add(from->t, s), before) : OK;
}

static void reset(const struct closed_values *values, int event,
                  struct closed_state *after)
{
    ball e = closed_value(values, "e"), w = closed_value(values, "w");
    ball speed = b_mul(closed_value(values, "A"), b_mul(w, b_cos(b_mul(w, after->t))));
    (void)event;
    after->v[0] = b_sub(speed, b_mul(e, b_sub(after->v[0], speed)));
}

static void motion(const struct closed_values *values, const struct closed_state *state,
                   struct closed_rates *rates)
{
    (void)state;
    rates->a[0] = b_neg(closed_value(values, "g"));
}

static const struct closed_rules rules = {start, leave, flow, reset, motion, NULL};

#define FORM(id, name) \
    extern const struct closed_form closed_##id; \
    const struct closed_form closed_##id = { \
        .case_name = name, \
        .title = "parabolas; zeros above the table enclosed by balls (Holmes 1982)", \
        .rules = &rules}

FORM(ball_table, "ball-table");
FORM(ball_table_long, "ball-table-long");
