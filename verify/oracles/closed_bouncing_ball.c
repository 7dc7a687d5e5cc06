/*
 * closed_bouncing_ball.c - parabolas between impacts whose speeds are a geometric
 * sequence.
 *
 * In the frame of the ground, which moves at constant speed u, the ball falls with the
 * same g, and an impact turns the relative speed w into -e w. So flights last 2 w/g, and
 * the impacts accumulate at t_1 + 2 e |w_1| / (g (1 - e)).
 */
#include "oracles/closed.h"

static void start(const struct closed_values *values, struct closed_state *state)
{
    state->q[0] = closed_value(values, "h0");
    if (model_parameter_index(values->model, "v0") >= 0)
        state->v[0] = closed_value(values, "v0");
}

/* Sets y, y' and the integrals of y and y'^2/2 after a time s. */
static void fall(ball g, ball s, struct closed_state *state)
{
    ball y = state->q[0], v = state->v[0], gs = b_mul(g, s);
    state->t = b_add(state->t, s);
    state->q[0] = b_add(y, b_mul(s, b_sub(v, b_over(gs, 2))));
    state->v[0] = b_sub(v, gs);
    ball mean = b_sum(y, b_over(b_mul(v, s), 2), b_over(b_mul(gs, s), -6));
    ball square = b_sum(b_square(v), b_neg(b_mul(v, gs)), b_over(b_square(gs), 3));
    state->z[0] = b_add(state->z[0], b_mul(s, mean));
    state->z[1] = b_add(state->z[1], b_over(b_mul(s, square), 2));
}

static enum status flow(const struct closed_values *values,
                        const struct closed_state *from, ball t,
                        struct closed_state *state)
{
    *state = *from;
    fall(closed_value(values, "g"), b_sub(t, from->t), state);
    state->t = t;
    return OK;
}

/* The time that the ball takes to the ground. */
static ball flight(const struct closed_values *values, const struct closed_state *from)
{
    ball g = closed_value(values, "g"), u = closed_value(values, "u");
    ball w = b_sub(from->v[0], u);
    if (from->event >= 0)
        return b_div(b_times(w, 2), g);
    ball ground = b_add(closed_value(values, "y_ground"), b_mul(u, from->t));
    ball fallen = b_times(b_mul(g, b_sub(from->q[0], ground)), 2);
    return b_div(b_add(w, b_sqrt(b_add(b_square(w), fallen))), g);
}

static enum status leave(const struct closed_values *values,
                         const struct closed_state *from, int *event,
                         struct closed_state *before)
{
    *event = 0;
    return flow(values, from, b_add(from->t, flight(values, from)), before);
}

static void reset(const struct closed_values *values, int event,
                  struct closed_state *after)
{
    ball u = closed_value(values, "u"), e = closed_value(values, "e");
    (void)event;
    after->v[0] = b_sub(u, b_mul(e, b_sub(after->v[0], u)));
}

static void motion(const struct closed_values *values, const struct closed_state *state,
                   struct closed_rates *rates)
{
    rates->a[0] = b_neg(closed_value(values, "g"));
    rates->g[0] = state->q[0];
    rates->g[1] = b_over(b_square(state->v[0]), 2);
}

static enum status refuse(const struct closed_values *values, double *t)
{
    struct closed_state state = {.event = -1, .t = values->t0, .v[0] = b_int(0)};
    ball e = closed_value(values, "e"), g = closed_value(values, "g");
    start(values, &state);
    ball s = flight(values, &state), lost = b_sub(b_int(1), e);
    ball w = b_add(b_sub(b_mul(g, s), state.v[0]), closed_value(values, "u"));
    ball later = b_div(b_times(b_mul(e, w), 2), b_mul(g, lost));
    ball accumulation = b_sum(state.t, s, later);
    if (!b_positive(lost) || b_less(values->t_end, accumulation))
        return OK;
    *t = b_double_of(accumulation);
    return ZENO;
}

static const struct closed_rules rules = {start, leave, flow, reset, motion, refuse};

#define FORM(id, name) \
    extern const struct closed_form closed_##id; \
    const struct closed_form closed_##id = { \
        .case_name = name, \
        .title = "parabolas; relative impact speeds w_1 e^n (textbook)", \
        .rules = &rules}

FORM(bouncing_ball, "bouncing-ball");
FORM(event_near_ends, "event-near-ends");
FORM(zeno_approached, "zeno-approached");
