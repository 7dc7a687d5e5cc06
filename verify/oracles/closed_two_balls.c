/*
 * closed_two_balls.c - two balls over each other: parabolas, and a linear distance.
 *
 * Both fall with g, so the gap between them changes at a constant rate. Impacts: on the
 * ground v1+ = -e_g v1; of the balls with each other, with the reduced mass
 * M = m1 m2/(m1 + m2), an impulse of M (1 + e_c) times the closing speed.
 */
#include "oracles/closed.h"

enum { GROUND, CONTACT };           /* the events */

static void start(const struct closed_values *values, struct closed_state *state)
{
    state->q[0] = closed_value(values, "h1");
    state->q[1] = closed_value(values, "h2");
}

static ball distance(const struct closed_values *values, const struct closed_state *state)
{
    return b_sum(state->q[1], b_neg(state->q[0]), b_neg(closed_value(values, "gap")));
}

static enum status flow(const struct closed_values *values,
                        const struct closed_state *from, ball t,
                        struct closed_state *state)
{
    ball s = b_sub(t, from->t), gs = b_mul(closed_value(values, "g"), s);
    ball opening = b_sub(from->v[1], from->v[0]);
    ball mean = b_add(distance(values, from), b_over(b_mul(opening, s), 2));
    *state = *from;
    state->t = t;
    for (int i = 0; i < 2; i++) {
        ball v = from->v[i];
        state->q[i] = b_add(from->q[i], b_mul(s, b_sub(v, b_over(gs, 2))));
        state->v[i] = b_sub(v, gs);
    }
    state->z[0] = b_add(from->z[0], b_mul(mean, s));
    return OK;
}

static enum status leave(const struct closed_values *values,
                         const struct closed_state *from, int *event,
                         struct closed_state *before)
{
    ball g = closed_value(values, "g"), v = from->v[0];
    ball fallen = b_times(b_mul(g, from->q[0]), 2);
    ball s = b_div(b_add(v, b_sqrt(b_add(b_square(v), fallen))), g);
    ball closing = b_sub(from->v[0], from->v[1]);
    *event = GROUND;
    if (b_positive(closing))
        closed_earlier(CONTACT, b_div(distance(values, from), closing), event, &s);
    return flow(values, from, b_add(from->t, s), before);
}

/* The loss of M w^2/2 when a relative speed w is thrown back with e. */
static ball heat(ball M, ball w, ball e)
{
    ball rest = b_sub(b_int(1), b_square(e));
    return b_over(b_product(M, b_square(w), rest), 2);
}

static void reset(const struct closed_values *values, int event,
                  struct closed_state *after)
{
    ball m1 = closed_value(values, "m1"), m2 = closed_value(values, "m2");
    ball e_g = closed_value(values, "e_g"), e_c = closed_value(values, "e_c");
    if (event == GROUND) {
        after->z[1] = b_add(after->z[1], heat(m1, after->v[0], e_g));
        after->v[0] = b_neg(b_mul(e_g, after->v[0]));
        return;
    }
    ball M = b_div(b_mul(m1, m2), b_add(m1, m2));
    ball closing = b_sub(after->v[0], after->v[1]);
    ball impulse = b_product(M, b_add(b_int(1), e_c), closing);
    after->z[1] = b_add(after->z[1], heat(M, closing, e_c));
    after->v[0] = b_sub(after->v[0], b_div(impulse, m1));
    after->v[1] = b_add(after->v[1], b_div(impulse, m2));
}

static void motion(const struct closed_values *values, const struct closed_state *state,
                   struct closed_rates *rates)
{
    rates->a[0] = rates->a[1] = b_neg(closed_value(values, "g"));
    rates->g[0] = distance(values, state);
    rates->g[1] = b_int(0);
}

static const struct closed_rules rules = {start, leave, flow, reset, motion, NULL};

#define FORM(id, name) \
    extern const struct closed_form closed_##id; \
    const struct closed_form closed_##id = { \
        .case_name = name, \
        .title = "parabolas, and central impacts of two masses (textbook)", \
        .rules = &rules}

FORM(two_balls, "two-balls");
FORM(two_balls_close, "two-balls-close");
FORM(two_balls_unequal, "two-balls-unequal");
