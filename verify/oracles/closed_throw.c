/*
 * closed_throw.c - parabolas of a ball thrown up: against a ceiling that it hardly
 * reaches, and into a draught that it leaves again.
 *
 * A ball that rises with v meets a place d above after (v - sqrt(v^2 - 2 a d))/a, a being
 * its deceleration, and one d below after (v + sqrt(v^2 + 2 a d))/a. A ball that starts
 * at the place itself is back after 2 v/a.
 */
#include "oracles/closed.h"

/* Sets y, y' and the integral of y after a time s. */
static void rise(ball a, ball s, struct closed_state *state, ball *integral)
{
    ball y = state->q[0], v = state->v[0], as = b_mul(a, s);
    state->t = b_add(state->t, s);
    state->q[0] = b_add(y, b_mul(s, b_sub(v, b_over(as, 2))));
    state->v[0] = b_sub(v, as);
    ball mean = b_sum(y, b_over(b_mul(v, s), 2), b_over(b_mul(as, s), -6));
    *integral = b_add(*integral, b_mul(s, mean));
}

/* v^2 - 2 a d: the square of the speed at a distance d above; negative: not reached. */
static ball left_of_square(ball a, const struct closed_state *from, ball d)
{
    return b_sub(b_square(from->v[0]), b_times(b_mul(a, d), 2));
}

static ball time_up(ball a, const struct closed_state *from, ball d)
{
    return b_div(b_sub(from->v[0], b_sqrt(left_of_square(a, from, d))), a);
}

/* The time down to a place; `back`: the ball starts there. */
static ball time_down(ball a, const struct closed_state *from, ball d, bool back)
{
    if (back)
        return b_div(b_times(from->v[0], 2), a);
    return b_div(b_add(from->v[0], b_sqrt(left_of_square(a, from, d))), a);
}

/* --- against the ceiling ------------------------------------------------------------ */

enum { CEILING, FLOOR };        /* events */

static void start_below(const struct closed_values *values, struct closed_state *state)
{
    state->q[0] = b_int(1);
    state->v[0] = closed_value(values, "v0");
}

static enum status flow_below(const struct closed_values *values,
                              const struct closed_state *from, ball t,
                              struct closed_state *state)
{
    *state = *from;
    rise(closed_value(values, "g"), b_sub(t, from->t), state, &state->z[0]);
    state->t = t;
    return OK;
}

static enum status leave_below(const struct closed_values *values,
                               const struct closed_state *from, int *event,
                               struct closed_state *before)
{
    ball g = closed_value(values, "g");
    ball h = b_sub(closed_value(values, "h"), closed_value(values, "overlap"));
    ball d = b_sub(h, from->q[0]);
    bool up = from->event != CEILING && b_positive(left_of_square(g, from, d));
    ball s = up ? time_up(g, from, d)
                : time_down(g, from, b_neg(from->q[0]), from->event == FLOOR);
    *event = up ? CEILING : FLOOR;
    return flow_below(values, from, b_add(from->t, s), before);
}

static void reset_below(const struct closed_values *values, int event,
                        struct closed_state *after)
{
    (void)event;
    after->v[0] = b_neg(b_mul(closed_value(values, "e"), after->v[0]));
}

static void motion_below(const struct closed_values *values,
                         const struct closed_state *state, struct closed_rates *rates)
{
    rates->a[0] = b_neg(closed_value(values, "g"));
    rates->g[0] = state->q[0];
}

static const struct closed_rules below = {start_below, leave_below, flow_below,
                                          reset_below, motion_below, NULL};

/* --- into the draught --------------------------------------------------------------- */

enum { STILL, DRAUGHT };        /* modes, and the events that end them */

static ball deceleration(const struct closed_values *values, int mode)
{
    ball g = closed_value(values, "g");
    return mode == STILL ? g : b_sub(g, closed_value(values, "lift"));
}

static void start_still(const struct closed_values *values, struct closed_state *state)
{
    state->v[0] = closed_value(values, "v0");
}

static enum status flow_through(const struct closed_values *values,
                                const struct closed_state *from, ball t,
                                struct closed_state *state)
{
    ball s = b_sub(t, from->t);
    *state = *from;
    rise(deceleration(values, from->mode), s, state, &state->z[1]);
    if (from->mode == DRAUGHT)
        state->z[0] = b_add(state->z[0], s);
    state->t = t;
    return OK;
}

static enum status leave_through(const struct closed_values *values,
                                 const struct closed_state *from, int *event,
                                 struct closed_state *before)
{
    ball a = deceleration(values, from->mode);
    ball d = b_sub(closed_value(values, "h"), from->q[0]);
    *event = from->event == DRAUGHT ? -1 : from->mode;
    if (*event < 0)
        return OK;
    ball s = from->mode == STILL ? time_up(a, from, d) : time_down(a, from, d, true);
    return flow_through(values, from, b_add(from->t, s), before);
}

static void reset_through(const struct closed_values *values, int event,
                          struct closed_state *after)
{
    (void)values;
    after->mode = event == STILL ? DRAUGHT : STILL;
}

static void motion_through(const struct closed_values *values,
                           const struct closed_state *state, struct closed_rates *rates)
{
    rates->a[0] = b_neg(deceleration(values, state->mode));
    rates->g[0] = b_int(state->mode == DRAUGHT);
    rates->g[1] = state->q[0];
}

static const struct closed_rules through = {start_still, leave_through, flow_through,
                                            reset_through, motion_through, NULL};

/* --- the forms ---------------------------------------------------------------------- */

#define FORM(id, name, which, text) \
    extern const struct closed_form closed_##id; \
    const struct closed_form closed_##id = { \
        .case_name = name, .title = text, .rules = &which}

#define PARABOLAS "parabolas, up to sqrt(v^2 - 2 g d) at the ceiling (textbook)"
FORM(grazing_missed, "grazing-missed", below, PARABOLAS);
FORM(near_grazing_3, "near-grazing-3", below, PARABOLAS);
FORM(near_grazing_6, "near-grazing-6", below, PARABOLAS);
FORM(near_grazing_9, "near-grazing-9", below, PARABOLAS);
FORM(double_crossing, "double-crossing", through,
     "parabolas of two curvatures (textbook)");
