/*
 * test_fingerprint.c - the fingerprint of a case changes with each of its formulas, its
 * names and units, and with nothing else; of model files, test_fingerprint_leaves.c.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "case.h"

/* Which formula is another one; 0: none. */
static int changed;
#define ONE_OR(k, other, ...) (changed == (k) ? EQ(other) : EQ(__VA_ARGS__))
enum { CHANGES = 32 };

static void record(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(m, g);
    AUXILIARY(s);
    COSTS(work);
    NOMINAL(m, 2, changed == 26 ? "g" : "kg", "mass");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    struct mode *fly = model_mode(model, changed == 27 ? "glide" : "fly");
    model->M[0][0] = ONE_OR(1, m*m, m);
    model->M[1][1] = EQ(m);
    model->F[0] = ONE_OR(2, -x*y, -x);
    model->Phi[0] = ONE_OR(3, x - y, x + y);
    model->f_s[0] = ONE_OR(4, x, x*x);
    model->g[0] = ONE_OR(5, y, y*y);
    struct mode *rest = model_mode(model, "rest");
    model->M[0][0] = model->M[1][1] = EQ(m);
    model->F[1] = ONE_OR(6, -g, -m*g);
    fly->power = ONE_OR(28, vx, vy);
    struct event *hit = model_event(model, changed == 29 ? "land" : "hit", fly,
                                    changed == 7 ? fly : rest, ONE_OR(8, x - m, x),
                                    changed == 9 ? RISING : FALLING);
    event_require(hit, ONE_OR(30, y + 1, y));
    if (changed == 31)
        event_require(hit, EQ(x + 1));
    hit->v_plus[0] = ONE_OR(10, -vx, -vx/2);
    hit->q_plus[1] = ONE_OR(11, y, y/2);
    hit->s_plus[0] = ONE_OR(12, s, 2*s);
    hit->cost[0] = ONE_OR(13, vx, vx*vx);
    hit->terminal = changed == 14;
    struct event *land = model_event(model, "land", rest, fly, EQ(y), FALLING);
    event_impulse(land, ONE_OR(15, y, y - x), ONE_OR(16, 0.5, 0.25));
    if (changed == 17)
        event_impulse_joints(land);
    if (changed == 18)
        model->start = rest;
    model->q0[0] = ONE_OR(19, m, 1);
    model->q_guess[1] = ONE_OR(20, m, 1);
    model->w[0] = ONE_OR(21, x, x*x);
    model->t_end = ONE_OR(22, 3, 2);
    model->energy = ONE_OR(32, x, y);
    if (changed > 22 && changed < 26) {
        model_start_row(model, ONE_OR(23, s - x, s));
        model->v_guess[0] = ONE_OR(24, m, 1);
        model->s_guess[0] = ONE_OR(25, m, 1);
    }
}

/* The same in another order, with other texts and nominal values. */
static void record_otherwise(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(m, g);
    AUXILIARY(s);
    COSTS(work);
    FIXED(m, 5/2.0, "kg", "mass of it");
    NOMINAL(g, 10, "m/s^2", "-");
    LET(square, x*x);
    struct mode *fly = model_mode(model, "fly");
    model->energy = EQ(y);
    model->t_end = EQ(2);
    model->g[0] = EQ((y)*y);
    model->M[0][0] = EQ(m);
    model->M[1][1] = EQ(m);
    model->F[0] = EQ(-x);
    model->Phi[0] = EQ(x   +   y);
    model->f_s[0] = EQ(square);
    fly->power = EQ(vy);
    struct mode *rest = model_mode(model, "rest");
    model->M[0][0] = model->M[1][1] = EQ(m);
    model->F[1] = EQ(-m*g);
    struct event *hit = model_event(model, "hit", fly, rest, EQ(x), FALLING);
    hit->v_plus[0] = EQ(-vx/2);
    hit->q_plus[1] = EQ(y/2);
    hit->s_plus[0] = EQ(2*s);
    hit->cost[0] = EQ(vx*vx);
    event_require(hit, EQ(y));
    event_balance(hit, "law", EQ(x), EQ(y));
    struct event *land = model_event(model, "land", rest, fly, EQ(y), FALLING);
    event_impulse(land, EQ(y - x), EQ(0.25));
    model->q0[0] = EQ(1);
    model->q_guess[1] = EQ(1);
    model->w[0] = EQ(x*x);
}

static uint64_t fingerprint_of(void (*recorded)(struct model *), enum reset_policy reset)
{
    const struct case_desc desc = {.name = "printed", .record = recorded};
    struct diagnosis diagnosis = {.t = NAN};
    struct model *model = model_new_with(&desc, reset, &diagnosis);
    cr_assert_not_null(model, "%d: %s", changed, diagnosis.place);
    uint64_t fingerprint = model->fingerprint;
    model_free(model);
    return fingerprint;
}

Test(fingerprint, is_another_with_each_formula)
{
    uint64_t seen[CHANGES + 1];
    for (changed = 0; changed <= CHANGES; changed++) {
        seen[changed] = fingerprint_of(record, RESET_IMPULSIVE);
        for (int k = 0; k < changed; k++)
            cr_expect_neq(seen[k], seen[changed], "change %d is as %d", changed, k);
    }
}

Test(fingerprint, is_the_same_whatever_the_order_the_texts_and_the_nominal_values)
{
    changed = 0;
    uint64_t fingerprint = fingerprint_of(record, RESET_IMPULSIVE);
    cr_expect_eq(fingerprint_of(record, RESET_CONTINUOUS), fingerprint);
    cr_expect_eq(fingerprint_of(record_otherwise, RESET_IMPULSIVE), fingerprint);
}
