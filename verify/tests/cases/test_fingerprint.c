/*
 * test_fingerprint.c - the fingerprint of a case changes with each of its formulas, and
 * with nothing else.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "case.h"

/* Which formula is another one; 0: none. */
static int changed;
#define ONE_OR(k, other, ...) (changed == (k) ? EQ(other) : EQ(__VA_ARGS__))
enum { CHANGES = 25 };

static void record(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(m, g);
    AUXILIARY(s);
    COSTS(work);
    NOMINAL(m, 2, "kg", "mass");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    struct mode *fly = model_mode(model, "fly");
    model->M[0][0] = ONE_OR(1, m*m, m);
    model->M[1][1] = EQ(m);
    model->F[0] = ONE_OR(2, -x*y, -x);
    model->Phi[0] = ONE_OR(3, x - y, x + y);
    model->f_s[0] = ONE_OR(4, x, x*x);
    model->g[0] = ONE_OR(5, y, y*y);
    struct mode *rest = model_mode(model, "rest");
    model->M[0][0] = model->M[1][1] = EQ(m);
    model->F[1] = ONE_OR(6, -g, -m*g);
    struct event *hit = model_event(model, "hit", fly, changed == 7 ? fly : rest,
                                    ONE_OR(8, x - m, x), changed == 9 ? RISING : FALLING);
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
    if (changed > 22) {
        model_start_row(model, ONE_OR(23, s - x, s));
        model->v_guess[0] = ONE_OR(24, m, 1);
        model->s_guess[0] = ONE_OR(25, m, 1);
    }
}

static void record_otherwise(struct model *model)
{
    COORDINATES(right, up);
    PARAMETERS(mass, gravity);
    AUXILIARY(phase);
    COSTS(effort);
    FIXED(mass, 5/2.0, "kg", "mass of it");
    NOMINAL(gravity, 10, "m/s^2", "-");
    LET(square, right*right);
    struct mode *fly = model_mode(model, "free");
    model->t_end = EQ(2);
    model->g[0] = EQ((up)*up);
    model->M[0][0] = EQ(mass);
    model->M[1][1] = EQ(mass);
    model->F[0] = EQ(-right);
    model->Phi[0] = EQ(right   +   up);
    model->f_s[0] = EQ(square);
    struct mode *rest = model_mode(model, "still");
    model->M[0][0] = model->M[1][1] = EQ(mass);
    model->F[1] = EQ(-mass*gravity);
    struct event *hit = model_event(model, "a", fly, rest, EQ(right), FALLING);
    hit->v_plus[0] = EQ(-vright/2);
    hit->q_plus[1] = EQ(up/2);
    hit->s_plus[0] = EQ(2*phase);
    hit->cost[0] = EQ(vright*vright);
    struct event *land = model_event(model, "b", rest, fly, EQ(up), FALLING);
    event_impulse(land, EQ(up - right), EQ(0.25));
    model->q0[0] = EQ(1);
    model->q_guess[1] = EQ(1);
    model->w[0] = EQ(right*right);
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

Test(fingerprint, is_the_same_whatever_the_names_the_order_and_the_nominal_values)
{
    changed = 0;
    uint64_t fingerprint = fingerprint_of(record, RESET_IMPULSIVE);
    cr_expect_eq(fingerprint_of(record, RESET_CONTINUOUS), fingerprint);
    cr_expect_eq(fingerprint_of(record_otherwise, RESET_IMPULSIVE), fingerprint);
}
