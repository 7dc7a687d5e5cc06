/*
 * closed_event_algebra.c - event-algebra, event-bolus, event-chain: polynomials and
 * exponentials between resets.
 */
#include "oracles/closed.h"
#include "oracles/closed_signal.h"

/* --- event-algebra: x' = 1, resets at times that are parameters --------------------- */

static void algebra_start(const struct closed_values *values, struct closed_state *state)
{
    state->s[0] = closed_value(values, "x0");
}

static enum status algebra_flow(const struct closed_values *values,
                                const struct closed_state *from, ball t,
                                struct closed_state *state)
{
    ball s = b_sub(t, from->t), mean = b_add(from->s[0], b_over(s, 2));
    (void)values;
    *state = *from;
    state->t = t;
    state->s[0] = b_add(from->s[0], s);
    state->z[0] = b_add(from->z[0], b_mul(mean, s));
    return OK;
}

static enum status algebra_leave(const struct closed_values *values,
                                 const struct closed_state *from, int *event,
                                 struct closed_state *before)
{
    static const char *const time[] = {"al", "be", "ga"};
    ball s = NULL;
    *event = -1;
    for (int k = 0; k < 3; k++) {
        ball left = b_sub(closed_value(values, time[k]), from->t);
        if (k != from->event && b_positive(left))
            closed_earlier(k, left, event, &s);
    }
    return s ? algebra_flow(values, from, b_add(from->t, s), before) : OK;
}

static void algebra_reset(const struct closed_values *values, int event,
                          struct closed_state *after)
{
    ball x = after->s[0];
    const ball next[] = {b_mul(x, after->t), b_mul(x, closed_value(values, "de")),
                         b_times(b_square(x), 2)};
    after->s[0] = next[event];
}

static void algebra_motion(const struct closed_values *values,
                           const struct closed_state *state, struct closed_rates *rates)
{
    (void)values;
    rates->f_s[0] = b_int(1);
    rates->g[0] = state->s[0];
}

/* --- event-bolus: depot' = -k_a depot, blood' = k_a depot - k_e blood --------------- */

enum { HOME, VISIT, AFTER };                                /* modes of event-bolus */
enum { BOLUS, BOLUS_AFTER, INTO_BLOOD, INTO_DEPOT };        /* its events */

static void bolus_start(const struct closed_values *values, struct closed_state *state)
{
    state->s[0] = closed_value(values, "depot0");
    state->s[1] = closed_value(values, "blood0");
}

static struct signal depot_of(const struct closed_values *values,
                              const struct closed_state *from)
{
    return signal_exponential(b_neg(closed_value(values, "k_a")), from->s[0]);
}

/* The blood: the answer to the depot, k_a depot/(k_e - k_a), and a rest that is
   eliminated. */
static struct signal blood_of(const struct closed_values *values,
                              const struct closed_state *from)
{
    ball k_a = closed_value(values, "k_a"), k_e = closed_value(values, "k_e");
    struct signal depot = depot_of(values, from);
    struct signal given = signal_times(&depot, b_div(k_a, b_sub(k_e, k_a)));
    struct signal rest = signal_exponential(b_neg(k_e), b_sub(from->s[1], given.c[0]));
    return signal_sum(&given, &rest);
}

static enum status bolus_flow(const struct closed_values *values,
                              const struct closed_state *from, ball t,
                              struct closed_state *state)
{
    struct signal depot = depot_of(values, from), blood = blood_of(values, from);
    struct signal one = signal_constant(b_int(1));
    ball s = b_sub(t, from->t);
    *state = *from;
    state->t = t;
    state->s[0] = signal_at(&depot, s);
    state->s[1] = signal_at(&blood, s);
    state->z[0] = b_add(from->z[0], signal_integral(&blood, &one, s));
    return OK;
}

/* Both doses of the visit are at t_v: the second follows the first at once. */
static enum status bolus_leave(const struct closed_values *values,
                               const struct closed_state *from, int *event,
                               struct closed_state *before)
{
    struct signal blood = blood_of(values, from);
    struct signal low = signal_constant(b_neg(closed_value(values, "low")));
    struct signal above = signal_sum(&blood, &low);
    struct signal_pair guard = signal_with_rate(&above);
    ball s = from->mode == AFTER ? NULL : b_sub(closed_value(values, "t_v"), from->t);
    *before = *from;
    *event = from->mode == AFTER ? -1 : from->mode == VISIT ? INTO_DEPOT : INTO_BLOOD;
    if (from->mode == VISIT)
        return OK;
    closed_earlier(from->mode == HOME ? BOLUS : BOLUS_AFTER,
                   closed_zero(values, from, signal_motion, &guard, -1, s), event, &s);
    return s ? bolus_flow(values, from, b_add(from->t, s), before) : OK;
}

static void bolus_reset(const struct closed_values *values, int event,
                        struct closed_state *after)
{
    static const int mode[] = {HOME, AFTER, VISIT, AFTER};
    ball dose = closed_value(values, "dose");
    if (event == INTO_BLOOD)
        dose = closed_value(values, "blood_dose");
    if (event == INTO_DEPOT)
        dose = after->s[0];
    ball *organ = &after->s[event == INTO_BLOOD ? 1 : 0];
    *organ = b_add(*organ, dose);
    after->z[1] = b_add(after->z[1], dose);
    after->mode = mode[event];
}

static void bolus_motion(const struct closed_values *values,
                         const struct closed_state *state, struct closed_rates *rates)
{
    ball given = b_mul(closed_value(values, "k_a"), state->s[0]);
    ball eliminated = b_mul(closed_value(values, "k_e"), state->s[1]);
    rates->f_s[0] = b_neg(given);
    rates->f_s[1] = b_sub(given, eliminated);
    rates->g[0] = state->s[1];
    rates->g[1] = b_int(0);
}

/* --- event-chain: x' = a, y' = b (1 + x) -------------------------------------------- */

enum { POUR, SPILL };               /* events of event-chain */

static void chain_start(const struct closed_values *values, struct closed_state *state)
{
    state->s[1] = closed_value(values, "y0");
}

/* y grows at b (1 + x) at first, and this rate at a b. */
static enum status chain_flow(const struct closed_values *values,
                              const struct closed_state *from, ball t,
                              struct closed_state *state)
{
    ball a = closed_value(values, "a"), b = closed_value(values, "b");
    ball x = from->s[0], y = from->s[1], s = b_sub(t, from->t), s2 = b_square(s);
    ball rate = b_mul(b, b_add(b_int(1), x)), growth = b_mul(a, b);
    *state = *from;
    state->t = t;
    state->s[0] = b_add(x, b_mul(a, s));
    state->s[1] = b_sum(y, b_mul(rate, s), b_over(b_mul(growth, s2), 2));
    ball stored = b_sum(b_mul(b_add(x, y), s), b_over(b_mul(b_add(a, rate), s2), 2),
                        b_over(b_product(growth, s2, s), 6));
    state->z[0] = b_add(from->z[0], stored);
    return OK;
}

/* A pour fills y to the brim: it spills at once. */
static enum status chain_leave(const struct closed_values *values,
                               const struct closed_state *from, int *event,
                               struct closed_state *before)
{
    ball a = closed_value(values, "a"), b = closed_value(values, "b");
    ball rate = b_mul(b, b_add(b_int(1), from->s[0])), growth = b_mul(a, b);
    ball room = b_sub(closed_value(values, "y_full"), from->s[1]);
    ball root = b_sqrt(b_add(b_square(rate), b_times(b_mul(growth, room), 2)));
    ball s = b_div(b_sub(closed_value(values, "x_full"), from->s[0]), a);
    *before = *from;
    *event = from->event == POUR ? SPILL : POUR;
    if (from->event == POUR)
        return OK;
    closed_earlier(SPILL, b_div(b_sub(root, rate), growth), event, &s);
    return chain_flow(values, from, b_add(from->t, s), before);
}

static void chain_reset(const struct closed_values *values, int event,
                        struct closed_state *after)
{
    ball x = after->s[0], y = after->s[1], y_full = closed_value(values, "y_full");
    ball out = b_mul(closed_value(values, "d"), y), next = b_sub(y, out);
    if (event == POUR) {
        next = y_full;
        out = b_sum(x, y, b_neg(y_full));
        after->s[0] = b_int(0);
    }
    after->s[1] = next;
    after->z[1] = b_add(after->z[1], out);
}

static void chain_motion(const struct closed_values *values,
                         const struct closed_state *state, struct closed_rates *rates)
{
    ball x = state->s[0];
    rates->f_s[0] = closed_value(values, "a");
    rates->f_s[1] = b_mul(closed_value(values, "b"), b_add(b_int(1), x));
    rates->g[0] = b_add(x, state->s[1]);
    rates->g[1] = b_int(0);
}

/* ------------------------------------------------------------------------------------ */

static const struct closed_rules algebra = {algebra_start, algebra_leave, algebra_flow,
                                            algebra_reset, algebra_motion, NULL};
static const struct closed_rules bolus = {bolus_start, bolus_leave, bolus_flow,
                                          bolus_reset, bolus_motion, NULL};
static const struct closed_rules chain = {chain_start, chain_leave, chain_flow,
                                          chain_reset, chain_motion, NULL};

extern const struct closed_form closed_event_algebra, closed_event_bolus,
    closed_event_chain;
const struct closed_form closed_event_algebra = {
    .case_name = "event-algebra",
    .title = "polynomials between resets at given times",
    .rules = &algebra,
};
const struct closed_form closed_event_bolus = {
    .case_name = "event-bolus",
    .title = "two exponentials (Bateman 1910); zeros enclosed by balls",
    .rules = &bolus,
};
const struct closed_form closed_event_chain = {
    .case_name = "event-chain",
    .title = "parabolas; a reset that sets off another",
    .rules = &chain,
};
