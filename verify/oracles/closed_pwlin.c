/*
 * closed_pwlin.c - two vector fields that polar coordinates solve.
 *
 *     left   R' = R (1 - R)        angle' = 1
 *     right  R' = al R (be - R)    angle' = ga + be - R
 *
 * R is logistic, R(s) = be R_0 E / (be + R_0 (E - 1)) with E = exp(al be s), and since
 * ln R grows at al (be - R), all integrals follow from ln R and from R:
 *
 *     al int R    = al be s - ln(R/R_0)
 *     al int R^2  = be al int R - (R - R_0)
 *     al int R^3  = be al int R^2 - (R^2 - R_0^2)/2
 *
 * Left is al = be = 1. The line x1 = x_s may be anywhere: its times are zeros that balls
 * enclose.
 */
#include "oracles/closed.h"

enum { LEFT, RIGHT };               /* modes, and the events that end them */

static void start(const struct closed_values *values, struct closed_state *state)
{
    state->s[0] = closed_value(values, "x10");
    state->s[1] = closed_value(values, "x20");
}

/* R' = al R (be - R); the angle turns at `turn`, less R on the right. */
struct field {
    ball al, be, turn, drag;
};

static struct field field_of(const struct closed_values *values, int mode)
{
    ball one = b_int(1), al = closed_value(values, "al"), be = closed_value(values, "be");
    if (mode == LEFT)
        return (struct field){one, one, one, b_int(0)};
    return (struct field){al, be, b_add(closed_value(values, "ga"), be), one};
}

static ball radius(const ball *x)
{
    return b_sqrt(b_add(b_square(x[0]), b_square(x[1])));
}

/* An orbit after a time s: R, and the integrals of R, R^2, R^3. */
struct orbit {
    ball R, R1, R2, R3;
};

static struct orbit orbit_after(const struct field *field, ball R0, ball s)
{
    ball al = field->al, be = field->be, E = b_exp(b_product(al, be, s));
    ball rest = b_add(be, b_mul(R0, b_sub(E, b_int(1))));
    ball growth = b_div(b_mul(be, E), rest), R = b_mul(R0, growth);
    ball R1 = b_sub(b_mul(be, s), b_div(b_log(growth), al));
    ball R2 = b_sub(b_mul(be, R1), b_div(b_sub(R, R0), al));
    ball squares = b_over(b_sub(b_square(R), b_square(R0)), 2);
    ball R3 = b_sub(b_mul(be, R2), b_div(squares, al));
    return (struct orbit){R, R1, R2, R3};
}

static void move(const struct closed_values *values, ball s, struct closed_state *state)
{
    struct field field = field_of(values, state->mode);
    ball R0 = radius(state->s), x1 = state->s[0], x2 = state->s[1];
    struct orbit orbit = orbit_after(&field, R0, s);
    ball angle = b_sub(b_mul(field.turn, s), b_mul(field.drag, orbit.R1));
    ball scale = b_div(orbit.R, R0);
    ball c = b_mul(scale, b_cos(angle)), d = b_mul(scale, b_sin(angle));
    ball swept = b_sub(b_mul(field.turn, orbit.R2), b_mul(field.drag, orbit.R3));
    state->s[0] = b_sub(b_mul(c, x1), b_mul(d, x2));
    state->s[1] = b_add(b_mul(d, x1), b_mul(c, x2));
    state->z[0] = b_add(state->z[0], orbit.R1);
    state->z[1] = b_add(state->z[1], swept);
}

static enum status flow(const struct closed_values *values,
                        const struct closed_state *from, ball t,
                        struct closed_state *state)
{
    *state = *from;
    move(values, b_sub(t, from->t), state);
    state->t = t;
    return OK;
}

static void motion(const struct closed_values *values, const struct closed_state *state,
                   struct closed_rates *rates)
{
    struct field field = field_of(values, state->mode);
    ball R = radius(state->s), x1 = state->s[0], x2 = state->s[1];
    ball growth = b_mul(field.al, b_sub(field.be, R));
    ball turn = b_sub(field.turn, b_mul(field.drag, R));
    rates->f_s[0] = b_sub(b_mul(growth, x1), b_mul(turn, x2));
    rates->f_s[1] = b_add(b_mul(growth, x2), b_mul(turn, x1));
    rates->g[0] = R;
    rates->g[1] = b_mul(turn, b_square(R));
}

struct crossing {
    const struct closed_values *values;
    const struct closed_state *from;
};

static ball to_line(const void *context, ball s, ball *rate)
{
    const struct crossing *crossing = context;
    struct closed_state state = *crossing->from;
    struct closed_rates rates;
    move(crossing->values, s, &state);
    motion(crossing->values, &state, &rates);
    *rate = rates.f_s[0];
    return b_sub(state.s[0], closed_value(crossing->values, "x_s"));
}

static enum status leave(const struct closed_values *values,
                         const struct closed_state *from, int *event,
                         struct closed_state *before)
{
    const struct crossing crossing = {values, from};
    int direction = from->mode == LEFT ? 1 : -1;
    ball s = closed_zero(values, from, to_line, &crossing, direction, NULL);
    *event = s ? from->mode : -1;
    return s ? flow(values, from, b_add(from->t, s), before) : OK;
}

static void reset(const struct closed_values *values, int event,
                  struct closed_state *after)
{
    (void)values;
    after->mode = event == LEFT ? RIGHT : LEFT;
}

static const struct closed_rules rules = {start, leave, flow, reset, motion, NULL};

extern const struct closed_form closed_pwlin;
const struct closed_form closed_pwlin = {
    .case_name = "pwlin",
    .title = "logistic radius, angle from its logarithm; zeros enclosed by balls",
    .rules = &rules,
};
